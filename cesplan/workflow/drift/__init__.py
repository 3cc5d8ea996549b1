"""
Drift of a fleet: many trees and environments read, checked app by app, and reported as one.

Nothing is written: every client is read-only. What an app's differences mean is decided in
`cesplan.features.drift`.
"""
