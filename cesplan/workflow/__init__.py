"""
The program on one page, and the library's public face: validate, plan, apply.

Each workflow is a function of a few lines that calls the stages in order and returns their value. It must
not print, parse arguments or hold knowledge about a kind.
"""
