"""One function per user act: the only seam through which command line and window change a project."""
