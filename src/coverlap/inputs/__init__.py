"""Readers of in-memory inputs: one module for each kind of input.

Inputs are checked here, once; the layers below check nothing again.
"""
