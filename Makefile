# Two commands for everybody: `make demo` and `make test`. Everything happens in .venv/ and .cache/.
.POSIX:
PYTHON = .venv/bin/python
READY = .venv/.ready

.PHONY: setup demo test lint bench soak fuzz pictures package pins supply clean

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

# The checks of types and style run beside the tests, in what these leave of the processors while they wait, and
# are said after them. Failing is either's to do. Tests are shared out by file; a single one is run by
# `.venv/bin/python -m pytest PATH`.
# Some machines forbid Python to keep what it has compiled: each of a hundred processes would compile all anew.
# Rewriting every assertion, so that one that fails says what it compared, takes as long as compiling all, and keeping
# what is logged is begun three times a test: those that fail are run once more for that, and the run stays failed.
test: $(READY)
	mkdir -p .cache
	nice -n 10 $(MAKE) lint >.cache/lint.txt 2>&1 & lint=$$!; \
	tests=0; PYTHONDONTWRITEBYTECODE= $(PYTHON) -m pytest --numprocesses auto --dist loadfile --no-loadscope-reorder --max-worker-restart 0 --assert plain -p no:logging || tests=$$?; \
	test $$tests != 1 || $(PYTHON) -m pytest --last-failed; \
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

# Trials of what must never happen, for some twenty minutes of two quiet cores: `make test` has their short form.
COUNT = 500

soak: $(READY)
	$(PYTHON) -m tests.soak $(COUNT)
	$(PYTHON) -m pytest --numprocesses auto -m hypothesis --hypothesis-profile long tests/unit

# Readers of files, led by what of their code has run; where atheris is to be had (Linux).
SECONDS = 600

.cache/atheris/.ready: $(READY)
	$(PYTHON) -m pip install --quiet --disable-pip-version-check --no-deps --target .cache/atheris atheris==3.0.0
	touch .cache/atheris/.ready

fuzz: .cache/atheris/.ready
	PYTHONPATH=.cache/atheris $(PYTHON) -m tests.soak.guided -max_total_time=$(SECONDS)

# The pictures of README and guide, by the real window on the sample project.
pictures: $(READY)
	$(PYTHON) build/make_pictures.py

# The program as a folder that needs no Python (build/package.py), in an environment without what only developers need.
PACKAGING = .cache/package/bin/python

# Files are compared with their pinned hashes where they are fetched; what is installed are those.
.cache/package/.ready: $(READY)
	$(PYTHON) -m venv --clear .cache/package
	$(PYTHON) -m pip download --quiet --disable-pip-version-check --no-build-isolation --require-hashes \
		--requirement build/constraints.txt --dest .cache/files
	sed -e '/^ /d' -e 's/ \\$$//' build/constraints.txt >.cache/pins.txt
	$(PACKAGING) -m pip install --quiet --disable-pip-version-check --no-index --find-links .cache/files \
		--constraint .cache/pins.txt hatchling editables setuptools
	$(PACKAGING) -m pip install --quiet --disable-pip-version-check --no-index --find-links .cache/files \
		--constraint .cache/pins.txt --no-build-isolation --editable '.[encryption,package,window]'
	touch .cache/package/.ready

package: .cache/package/.ready
	$(PACKAGING) build/package.py

# Kept tools for what we get from others, in an environment of their own.
SUPPLY = .cache/supply/bin

.cache/supply/.ready: $(READY)
	$(PYTHON) -m venv --clear .cache/supply
	$(SUPPLY)/python -m pip install --quiet --disable-pip-version-check \
		cyclonedx-bom==7.5.0 pip-audit==2.10.1 pip-licenses==5.5.5
	touch .cache/supply/.ready

# What pyproject.toml asks for on every system and Python, one version each, the one that stands there already.
pins: $(READY)
	.venv/bin/uv pip compile pyproject.toml --quiet --all-extras --universal --python-version 3.11 --generate-hashes \
		--no-emit-index-url --no-annotate --custom-compile-command "make pins" --output-file build/constraints.txt

# Of what ships: a bill of materials (CycloneDX), the licences as they stand, and known vulnerabilities, of which a service is asked.
supply: .cache/supply/.ready .cache/package/.ready
	mkdir -p dist
	$(SUPPLY)/cyclonedx-py environment --output-file dist/casespan.cdx.json $(PACKAGING)
	$(SUPPLY)/pip-licenses --python=$(PACKAGING) --format=plain-vertical --with-license-file --no-license-path \
		--output-file=dist/LICENCES.txt
	rm -f dist/vulnerabilities.json
	$(SUPPLY)/pip-audit --disable-pip --require-hashes --requirement build/constraints.txt --progress-spinner off \
		--format json --output dist/vulnerabilities.json >/dev/null 2>&1 || true
	$(PYTHON) build/vulnerable.py dist/vulnerabilities.json

clean:
	rm -rf .venv .cache dist .mypy_cache .ruff_cache .pytest_cache
