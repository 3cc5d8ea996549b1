"""Tests of the remote layer. A package, so that its file names need not differ from those of other layers."""
