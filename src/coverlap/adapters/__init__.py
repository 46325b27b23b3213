"""The friendly layer: each module reads one kind of input into integers, names and objects.

Everything a person may hold is checked here, once; below, nothing is checked again.
"""
