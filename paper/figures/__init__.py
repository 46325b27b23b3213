"""The three figures of the paper, drawn from curves."""
