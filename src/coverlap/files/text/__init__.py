"""Text files as lines, and lines as tokens."""
