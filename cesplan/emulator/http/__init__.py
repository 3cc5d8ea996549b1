"""Requests and answers: routing, bodies, partial responses, pages, and filters."""
