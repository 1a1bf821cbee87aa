"""Copies and packets of a project: cut, brought back together, and their histories kept as branches."""
