"""The file formats: one module for each."""
