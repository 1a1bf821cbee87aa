"""Tables for statistics, and data sets made of them."""
