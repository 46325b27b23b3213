# Every target works on a fresh machine with Python 3.11+, pip, make and a C compiler.
PYTHON ?= python3
BIN := .venv/bin
BENCHMARKS := bench inputs changes small_calls reading measures chance graphs generators pair_strategies

# What `make paper` runs, e.g. `make paper WHAT="figure1 theory" SCALE=quick SAMPLES=stored`.
WHAT = all
SCALE = paper
SAMPLES = stated
OUTPUT = reproduced
WORKERS =

# What `make fuzz` runs, e.g. `make fuzz SEED=1 MINUTES=60`; without a seed, new cases each time.
SEED =
MINUTES = 1

# What `make nightly` tests, besides the campaign of `make fuzz`.
TESTS = tests paper -m "slow or not slow"

# How many changes of the source `make mutants` tries.
N = 100

# Where `make gallery` writes to.
FOLDER = gallery

# `make COVER=1 test test-spark coverage` measures branch coverage, without the slowest tests. Only the
# last of these compares it with what is required, since each run of tests covers a part.
PYTEST = $(BIN)/python -m pytest $(if $(COVER),--cov --cov-append --cov-report= --cov-fail-under=0)
PARALLEL = --numprocesses auto --dist worksteal

.PHONY: demo test test-all test-rest test-slow test-spark test-pandas3 test-uncompiled test-oldest test-paper \
	browser java coverage fuzz nightly mutants peers paper gallery images lint bench scaling bench-smoke clean

demo: .venv/base  ## compare the bundled example files
	$(BIN)/coverlap demo

test: .venv/dev  ## run the tests and doctests, but for the slowest and those of Spark
	$(PYTEST) $(PARALLEL) -m "not slow and not spark"

test-all: test test-spark test-rest  ## run every test, some of them again in other ways

test-rest: test-slow test-pandas3 test-uncompiled test-paper test-oldest  ## what `make test` leaves out

test-slow: .venv/dev
	$(PYTEST) $(PARALLEL) -m "slow and not spark"

test-spark: .venv/dev  ## run the tests of Spark, if there is Java
	$(PYTEST) -q -m spark tests/counting

# AnnData holds the tests at pandas 2, and users have pandas 3 as well.
test-pandas3: .venv/dev .venv/pandas3/done
	PYTHONPATH=.venv/pandas3 $(PYTEST) -q tests/inputs/test_frames.py

test-uncompiled: .venv/dev  ## run the kernels as plain Python
	NUMBA_DISABLE_JIT=1 $(PYTEST) $(PARALLEL) -q tests/test_cases.py tests/counting \
		tests/measures/test_corners.py tests/measures/test_peer_cases.py \
		tests/graph/test_edges.py \
		-k "test_cases or equal_the_definition or ties or corners or peer or oracle" \
		-m "not slow and not spark" \
		-W "ignore:overflow encountered:RuntimeWarning"

# Left out are tests that need libraries whose versions are not ours to choose, and three kinds of
# columns that PyArrow 16 cannot make.
test-oldest: .venv-oldest/done  ## run tests with the oldest versions that pyproject.toml allows
	.venv-oldest/bin/python -m pytest -q $(PARALLEL) -p no:cacheprovider \
		-m "not slow and not spark" -k "not networkit and not anndata and not times_in_utc \
			and not (are_not_cut and time64) and not (many_rows_share and view)" \
		--ignore tests/files/formats/test_h5ad.py --ignore tests/files/formats/test_infomap.py \
		tests/test_cases.py tests/core tests/counting tests/files tests/property tests/results

test-paper: .venv/dev  ## run the tests of the paper's experiments and theory
	$(BIN)/python -m pytest $(PARALLEL) paper

browser:  ## install Chromium for the tests of the report, where this is allowed
	$(PYTHON) -m tests.report.browser

java:  ## install Java 17 for the tests of Spark, where this is allowed
	$(PYTHON) -m tests.counting.java

coverage: .venv/dev  ## report the branch coverage that was measured
	$(BIN)/coverage report

nightly: .venv/dev  ## run all random tests with a new seed, and fuzz; e.g. SEED=1 MINUTES=60
	@seed=$(or $(SEED),$$(date +%s)); \
	echo "To repeat this: make nightly SEED=$$seed MINUTES=$(MINUTES)"; \
	COVERLAP_SEED=$$seed $(PYTEST) $(PARALLEL) -q --hypothesis-seed=$$seed $(TESTS) && \
	$(BIN)/python -m tests.fuzz --minutes $(MINUTES) --seed $$seed

mutants: .venv/dev  ## change the source in N places, one at a time, and see which changes no test catches
	$(BIN)/python -m tests.mutants --number $(N) $(if $(SEED),--seed $(SEED))

fuzz: .venv/dev  ## try random inputs, damaged files and command lines, e.g. with MINUTES=60
	$(BIN)/python -m tests.fuzz --minutes $(MINUTES) $(if $(SEED),--seed $(SEED))

peers: .venv/dev .venv/peers/done  ## compare with other libraries, on the inputs of their tests and others
	PYTHONPATH=.venv/peers $(BIN)/python -W ignore -m tests.peers

paper: .venv/paper  ## reproduce the experiments of the paper and check its theory (paper/README.md)
	$(BIN)/python -m paper reproduce $(WHAT) --scale $(SCALE) --samples $(SAMPLES) \
		--output "$(OUTPUT)" $(if $(WORKERS),--workers $(WORKERS))

gallery: .venv/dev  ## draw every picture of coverlap.plot, e.g. with FOLDER=/tmp/gallery
	$(BIN)/python examples/gallery.py "$(FOLDER)"

images: .venv/dev  ## draw the pictures of the README and of the documentation
	$(BIN)/python examples/gallery.py --docs docs/images

lint: .venv/dev  ## formatting, lint rules, types, layers
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: .venv/dev  ## time coverlap beside SciPy, scikit-learn, networkit, clusim, cdlib and others
	for name in $(BENCHMARKS); do PYTHONPATH=. $(BIN)/python benchmarks/$$name.py || exit 1; done

scaling: .venv/dev  ## time every engine at 10^6, 10^7 and 10^8 memberships (half an hour to an hour, 5 GB of disk)
	$(BIN)/python benchmarks/scaling.py

bench-smoke: .venv/dev  ## run every benchmark on tiny data, to see that it works
	for name in $(BENCHMARKS) scaling; do PYTHONPATH=. $(BIN)/python benchmarks/$$name.py --tiny || exit 1; done

clean:  ## remove what the other targets made
	rm -rf .venv .venv-oldest .coverage* .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis dist build
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/base: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

.venv/pandas3/done: .venv/base
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade --no-deps \
		--target .venv/pandas3 'pandas>=3'
	touch $@

# In a folder of their own, because er-evaluation also installs a package that is named tests.
.venv/peers/done: .venv/base
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade --no-deps \
		--target .venv/peers --group peers
	touch $@

.venv/paper: .venv/base
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group paper
	touch $@

.venv/dev: .venv/base
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group dev
	touch $@

.venv-oldest/done: pyproject.toml .ci/oldest_versions.py
	$(PYTHON) -m venv .venv-oldest
	.venv-oldest/bin/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	.venv-oldest/bin/python .ci/oldest_versions.py > .venv-oldest/constraints.txt
	.venv-oldest/bin/python -m pip install --quiet --disable-pip-version-check \
		--constraint .venv-oldest/constraints.txt --editable '.[arrow,graph,h5ad]' --group oldest
	touch $@
