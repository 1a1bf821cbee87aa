"""Whether help biases: the measures, and errors planted to measure by."""
