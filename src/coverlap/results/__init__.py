"""What the verbs return: frozen values, and how each is printed."""
