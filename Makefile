# What a person does with this project. `make` alone lists it.

PYTHON ?= python3
PORT ?= 8501
# Address of an index with CPU builds of torch, for platforms where the usual one has only CUDA
# builds: make install TORCH_INDEX=https://...
TORCH_INDEX ?=
DATA ?=
SPANS ?=

BIN := .venv/bin
STAMP := .venv/.installed

.DEFAULT_GOAL := help
.PHONY: help run test check format install bench sample pictures clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: install ## install, then open the app on port 8501 with the sample corpus
	$(BIN)/ragdebug app --sample --port $(PORT)

# A core for each worker; the browser tests go after them, since their servers need cores as well.
test: install ## install, then run all tests (browser tests where Chromium is installed)
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n auto --maxprocesses 4 --dist loadfile -m "not browser"
	$(BIN)/python -m pytest -m browser

check: install ## lint, types and import contracts
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

format: install ## put all files into the project's form
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: install ## measure; DATA=FOLDER is SciFact in BEIR layout, SPANS=FOLDER Chroma's questions
	$(BIN)/python tests/bench/many_questions.py
	$(BIN)/python tests/bench/pdf_parsing.py
	$(BIN)/python tests/bench/placing.py
	$(BIN)/python tests/bench/search_100k.py $(DATA)
	$(BIN)/python tests/bench/significance.py
	$(BIN)/python tests/bench/what_if.py
ifneq ($(DATA),)
	$(BIN)/python tests/bench/bm25.py $(DATA)
	$(BIN)/python tests/bench/embedding.py $(DATA)
	$(BIN)/python tests/bench/scifact.py $(DATA)
endif
ifneq ($(SPANS),)
	$(BIN)/python tests/bench/evaluation.py $(SPANS)
	$(BIN)/python tests/bench/chunking_report.py $(SPANS)
endif

pictures: install ## take the pictures of the README again (needs Chromium)
	$(BIN)/python docs/pictures.py

sample: install ## write the sample corpus' PDF and DOCX files again from their sources
	$(BIN)/python data/build_sample.py

install: $(STAMP) ## make .venv

$(STAMP): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --constraint constraints.txt \
		$(if $(TORCH_INDEX),--extra-index-url $(TORCH_INDEX)) --editable . --group dev
	touch $(STAMP)

clean: ## remove what tests and builds left behind; the workspace stays
	rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find ragdebug pages tests data -name __pycache__ -type d -prune -exec rm -rf {} +
