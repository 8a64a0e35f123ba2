# Needs only Python >= 3.11 and make; everything else goes into a virtual environment of its own. Where Node.js >= 20
# and npm are there too, tests and demo build in a real Minecraft world; MINECE_GAME=required makes a failure of it
# where they cannot.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(abspath $(VENV))/bin
MYPY   := --config-file ../../pyproject.toml --cache-dir ../../.mypy_cache

# make fuzz FUZZ='--seconds 3600 --seed 7 --format schem'
FUZZ   ?=

.PHONY: demo game test long check lint types floors cover fuzz bench docs wheel minimal clean help

help:
	@echo "make demo     score the shipped builds, and let a program build in the game"
	@echo "make game     the packages of the real Minecraft world, where Node.js is there (made by demo and test)"
	@echo "make test     every test (5 to 8 minutes)"
	@echo "make long     files that take reading to its caps of time and memory (a minute)"
	@echo "make check    lint, types, import floors and the fast tests"
	@echo "make docs     reference pages anew, examples in the docs run, pages in build/docs"
	@echo "make fuzz     look for files that break a reader, ten minutes long (FUZZ='--seconds N --seed N')"
	@echo "make bench    speed and memory"
	@echo "make wheel    the wheel in dist/"
	@echo "make minimal  the wheel without extras in a fresh environment, scoring a file"

$(VENV)/ready: pyproject.toml setup.py
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "minece needs Python 3.11 or newer, this is %d.%d; name another one: make PYTHON=python3.12" % sys.version_info[:2])'
	@test -x $(BIN)/python && $(BIN)/python -m pip --version > /dev/null 2>&1 || { echo "making the environment $(VENV)"; $(PYTHON) -m venv --clear $(VENV); }
	@echo "installing minece and its tools into $(VENV): downloads packages, once (about half a minute)"
	@$(BIN)/python -m pip install -qq --disable-pip-version-check -e '.[dev]'
	@touch $@

# Each time, for the packages lie in the cache folder, which may have been emptied; it takes half a second if not.
game: $(VENV)/ready
	@$(BIN)/python tools/game.py

demo: $(VENV)/ready game
	@$(BIN)/python tools/demo.py

test: $(VENV)/ready game
	$(BIN)/python -m pytest -q -n auto -m 'not long'

long: $(VENV)/ready
	$(BIN)/python -m pytest -q -n auto -m long

check: lint types floors game
	$(BIN)/python -m pytest -q -n auto -m 'not slow'

lint: $(VENV)/ready
	$(BIN)/ruff check -q .

types: $(VENV)/ready
	$(BIN)/python tools/source_tree.py
	cd build/tree && $(BIN)/mypy -p minece $(MYPY)
	cd build/tree && MYPYPATH=../../tests $(BIN)/mypy ../../tools/*.py ../../tests/face/test_python.py $(MYPY)

floors: $(VENV)/ready
	$(BIN)/python tools/source_tree.py
	cd build/tree && $(BIN)/lint-imports ../../pyproject.toml --no-cache

cover: $(VENV)/ready game
	$(BIN)/python -m pytest -q --cov

bench: $(VENV)/ready game
	@for script in benchmarks/*.py; do echo "$$script"; $(BIN)/python $$script || exit 1; done

docs: $(VENV)/ready game
	$(BIN)/python tools/make_reference.py
	$(BIN)/python tools/paste_output.py
	$(BIN)/python tools/source_tree.py
	cd build/tree && $(BIN)/python -m pytest -q --doctest-modules --rootdir=. -p no:cacheprovider minece
	$(BIN)/python tools/make_pages.py

wheel: $(VENV)/ready
	rm -rf build/lib build/bdist* dist
	$(BIN)/python -m build -q --wheel -o dist .

minimal: wheel
	rm -rf build/minimal && $(PYTHON) -m venv build/minimal
	build/minimal/bin/python -m pip install -qq --disable-pip-version-check dist/*.whl
	cd build/minimal && bin/minece score ../../examples/foundation-good.json --task elements/shallow/7x8x1-lay
	build/minimal/bin/minece doctor

clean:
	rm -rf runs/*-demo-examples build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
