"""A fuzz campaign: random inputs, files and command lines, by ``make fuzz``.

Whatever the input, coverlap must give the right answer or raise one `coverlap.CoverlapError`: no
crash, no hang, no unbounded memory, no foreign exception, no wrong number.
"""
