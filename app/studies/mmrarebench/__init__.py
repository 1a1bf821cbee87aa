"""MMRareBench: cases of rare diseases with their pictures, in four tracks."""
