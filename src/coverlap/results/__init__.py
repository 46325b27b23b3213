"""The results that verbs return, and how each is converted and printed."""
