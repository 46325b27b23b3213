"""The functions that users call: one module for each verb or family of verbs."""
