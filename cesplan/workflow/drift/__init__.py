"""
Drift of a fleet: many trees and environments, checked app by app and reported as one. Every client is
read-only. `cesplan.features.drift` decides what the differences of an app mean.
"""
