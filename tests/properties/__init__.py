"""
Laws that hold for every tree, tried on the emulator with generated trees.

`dice` is where choices come from, `values`, `bodies` and `trees` make what a tree says, `edits` change it,
`hostility` makes live states that nobody wishes for, `world` is the emulator and a client, `oracle` knows
masks without the engine. With `-m slow` each law is tried on many more trees.
"""
