"""What cesplan says about itself: codes, schemas, and the names that a shell completes."""
