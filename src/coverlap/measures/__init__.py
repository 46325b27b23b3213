"""One measure a file: pure functions of a `Matching`."""
