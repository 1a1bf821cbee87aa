"""The bundled sample reports, and the whole job done on them."""
