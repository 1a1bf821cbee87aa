"""Where a model's answers come from: an Ollama server, or a recording."""
