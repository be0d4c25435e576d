"""Cases for the refusals: texts with random secrets, texts without one, attacks and harmless look-alikes."""
