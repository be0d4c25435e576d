"""Embeddings from outside of this program: a model in a folder, or a service. Imported only where it is switched on."""
