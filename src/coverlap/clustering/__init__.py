"""Clusterings: the class, and how to make one from an object, from a file, and back."""
