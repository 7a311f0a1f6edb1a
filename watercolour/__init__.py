"""watercolour: train a language model to paint by writing p5.brush programs."""

__version__ = "0.1.0"
