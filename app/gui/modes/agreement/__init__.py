"""The mode in which two sets of annotations are compared: numbers, charts, and what is behind them."""
