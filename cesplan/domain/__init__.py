"""
The vocabulary: the values that all stages share. Nothing here acts.

Addresses, field paths and their masks, diagnostics, errors, desired and live states, changes, plans, and
outcomes. All are frozen and slotted; a change is a new value. The domain must not read a file, know HTTP, or
import anything but the standard library.
"""
