"""The Assistant: the model binding that supplies the memory document, its tools, and the runner of its turns."""
