# Two commands for everybody: `make demo` and `make test`. Everything happens in .venv/ and .cache/.
.POSIX:
PYTHON = .venv/bin/python
READY = .venv/.ready

.PHONY: setup demo test lint bench soak pictures package clean

setup: $(READY)

$(READY): pyproject.toml build/constraints.txt build/setup.sh app/display.py
	sh build/setup.sh
	touch $(READY)

demo: $(READY)
	$(PYTHON) -m app.cli demo --no-window

lint: $(READY)
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m mypy
	.venv/bin/lint-imports --no-cache

# The checks of types and style take as long as a quarter of the tests: beside them, said after them. Failing is
# either's to do. Tests are shared out by file; a single one is run by `.venv/bin/python -m pytest PATH`.
# Some machines forbid Python to keep what it has compiled: each of a hundred processes would compile all anew.
test: $(READY)
	mkdir -p .cache
	$(MAKE) lint >.cache/lint.txt 2>&1 & lint=$$!; \
	tests=0; PYTHONDONTWRITEBYTECODE= $(PYTHON) -m pytest --numprocesses logical --dist loadfile --max-worker-restart 0 || tests=$$?; \
	wait $$lint || tests=$$?; cat .cache/lint.txt; exit $$tests

# LangExtract is only a baseline here and brings cloud clients along: it gets an environment of its own.
LANGEXTRACT = .cache/langextract/.ready

$(LANGEXTRACT):
	$(PYTHON) -m venv .cache/langextract
	.cache/langextract/bin/python -m pip install --quiet --disable-pip-version-check langextract==1.7.1
	touch $(LANGEXTRACT)

bench: $(READY)
	-$(MAKE) $(LANGEXTRACT)
	$(PYTHON) tests/bench/run.py

# Trials of what must never happen: `make test` has their short form.
COUNT = 500

soak: $(READY)
	$(PYTHON) -m tests.soak $(COUNT)

# The pictures of README and guide, by the real window on the sample project.
pictures: $(READY)
	$(PYTHON) build/make_pictures.py

# The program as a folder that needs no Python (build/package.py), in an environment without what only developers need.
PACKAGING = .cache/package/bin/python

.cache/package/.ready: $(READY)
	$(PYTHON) -m venv --clear .cache/package
	$(PACKAGING) -m pip install --quiet --disable-pip-version-check --constraint build/constraints.txt \
		hatchling editables setuptools
	$(PACKAGING) -m pip install --quiet --disable-pip-version-check --constraint build/constraints.txt \
		--no-build-isolation --editable '.[package,window]'
	touch .cache/package/.ready

package: .cache/package/.ready
	$(PACKAGING) build/package.py

clean:
	rm -rf .venv .cache dist .mypy_cache .ruff_cache .pytest_cache
