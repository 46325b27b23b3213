"""Other libraries beside coverlap: on the inputs of their own tests, and on random ones.

``python -m tests.peers`` (``make peers``) compares every library that is installed and prints a
table. ``tests/peers/test_peers.py`` does the same with few inputs.
"""
