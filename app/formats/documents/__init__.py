"""Reports as people have them: text, Word, saved pages; read in a process of their own."""
