"""Reports for programs: JSON documents, JSON Lines, and the plan file with its digests."""
