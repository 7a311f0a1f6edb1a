"""Painting with whoever writes sketches: a run, an adapter, a model, or a model at an endpoint."""
