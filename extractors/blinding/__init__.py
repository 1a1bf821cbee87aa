"""Views of a case without its answer: names found in all their forms, masked, and the mask audited."""
