"""Chance and uncertainty: what unrelated clusterings would score, and how sure a score is."""
