"""Tests of cesplan.model."""
