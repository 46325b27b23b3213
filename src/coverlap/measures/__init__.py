"""Measures: one family per file; `registry` lists them all."""
