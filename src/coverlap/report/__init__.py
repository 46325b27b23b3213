"""Plain tables and pictures as one HTML page that needs no network."""
