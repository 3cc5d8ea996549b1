"""Checking bodies against the contract: messages, scalar values, names, masks, and required fields."""
