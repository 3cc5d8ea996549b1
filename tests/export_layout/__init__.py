"""The official export layout as a whole: laws on generated trees, golden folders, the emulator as judge."""
