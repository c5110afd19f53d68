# `make help` lists the targets: every target with "## text" behind it is one; the laboratory stands last.

PYTHON ?= python3
GAME ?= FightTheLandlord
WORKERS ?= 2
CHAMPION ?= data/champion
WEIGHTS ?=
ADD ?=
DATA ?= data/mcm
MODEL ?= data/mcm-model
GAMES ?= 27000
PLAY ?=
PLAYER ?=
SERVE ?=
PINS ?=
RECORD ?=
EPOCHS ?= 3

VENV := .venv
BIN := $(VENV)/bin

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

##@ Begin with

.PHONY: run
run: $(VENV)/base-installed ## Play one game of three bots (GAME, BOT, SEED), and show hands and thoughts
	$(KERNEL_IF_POSSIBLE)
	@$(BIN)/python -m tools run $(if $(BOT),"$(BOT)") --game $(GAME)$(if $(SEED), --seed $(SEED))
	@echo
	@echo "Next:  make play   you against two of them    make serve  the same in the browser"
	@echo "       make view   this game as a page        make zip    the file to upload"

.PHONY: play
play: $(VENV)/base-installed ## Take a seat yourself against two bots; PLAY hands options on
	$(KERNEL_IF_POSSIBLE)
	@mkdir -p records
	@$(BIN)/python -m tools play --save-games records/play.ddzn $(PLAY)

.PHONY: review
review: $(VENV)/base-installed ## Find the mistakes in the newest game, or in RECORD, and open them as a page
	$(KERNEL_IF_POSSIBLE)
	$(BIN)/python -m tools review $(RECORD) --open

.PHONY: check
check: BOT ?= python bot.py
check: $(VENV)/base-installed ## Check a program (BOT) against Botzone's protocol before it is uploaded
	$(BIN)/python -m tools check "$(BOT)"

.PHONY: zip
zip: $(VENV)/base-installed ## Make build/ddzbot.zip, the file to upload: bot, kernel, networks (PLAYER, GAME, WEIGHTS, ADD)
	@$(BIN)/python -m tools.make kernel --release --install
	@$(BIN)/python -m tools bundle $(if $(PLAYER),--player "$(PLAYER)") $(if $(WEIGHTS),--folder "$(WEIGHTS)") \
		$(if $(ADD),--add "$(ADD)") $(if $(filter command% environment%,$(origin GAME)),--game $(GAME))
	@echo "Run it with: python3 build/ddzbot.zip; check it with: make check BOT=\"python3 build/ddzbot.zip\""

##@ Play

.PHONY: serve
serve: $(VENV)/serve-installed ## Play in the browser, alone or with others; SERVE hands options on
	$(KERNEL_IF_POSSIBLE)
	@mkdir -p records
	@$(BIN)/python -m tools serve --save-games records/serve.ddzn $(SERVE)

.PHONY: view
view: $(VENV)/base-installed ## Make a page of the newest game, or of RECORD, and open it in the browser
	$(BIN)/python -m tools view $(RECORD) --open

##@ Make

.PHONY: kernel
kernel: $(VENV)/base-installed ## Compile the C kernel; without it no player searches, the rest runs on Python
	@$(BIN)/python -m tools.make kernel --install

.PHONY: wheel
wheel: $(VENV)/release-installed ## Make dist/ddzbot-*.whl, the package for pip: bot, tools, kernel, networks
	$(KERNEL_IF_POSSIBLE)
	@$(BIN)/python -m pip wheel . --no-deps --no-build-isolation --disable-pip-version-check -q -w dist
	@ls -st dist/*.whl | head -1
	@echo "Install it with: pip install dist/NAME.whl, or with an extra: pip install 'dist/NAME.whl[tools]'"

.PHONY: wheels
wheels: $(VENV)/release-installed $(VENV)/zig-installed ## The same for Linux, macOS and Windows, from this machine
	@$(BIN)/python -m tools.make wheels

.PHONY: site
site: $(VENV)/site-installed ## Make build/site: pages and docstrings as one site, its links checked
	@rm -rf build/site
	@$(BIN)/python -m sphinx -E -q -W --keep-going -d build/site-cache -c docs/site . build/site
	@echo "Open build/site/index.html"

.PHONY: web
web: $(VENV)/base-installed ## Make build/web: play and review in any browser, from any file server; needs npm
	@$(BIN)/python -m tools.make kernel --wasm --install
	@$(BIN)/python -m tools.make web
	@echo "Try it with: $(BIN)/python -m http.server --directory build/web"

##@ Install

.PHONY: tools
tools: kernel $(VENV)/tools-installed ## Install what matches, reports and all other commands in tools/ need

.PHONY: rlcard
rlcard: kernel $(VENV)/rlcard-installed ## Install RLCard; its agents may then play as rlcard:NAME

.PHONY: cluster
cluster: kernel $(VENV)/cluster-installed ## Install what a machine of a cluster needs: docs/guide/cluster.md

##@ Test

.PHONY: doctor
doctor: $(VENV)/base-installed ## Check this machine: kernel, networks, packages, and what to do about missing ones
	@$(BIN)/python -m tools doctor

.PHONY: test
test: $(VENV)/test-installed ## Check all that plays: style, rules, bot, kernel, judge, matches, records; WORKERS cores
	$(KERNEL_IF_POSSIBLE)
	$(STYLE)
	$(BIN)/python -m tools weights verify
	$(PYTEST) -m "not whole"

.PHONY: test-all
test-all: test $(VENV)/test-all-installed ## Check the rest, too: types, trainings, cluster, browser, site, wheel, sanitizers
	$(TYPES)
	$(PYTEST) -m "whole and not systems"

.PHONY: test-systems
test-systems: $(VENV)/test-all-installed ## Make the wheels of all systems, and run them in emulators, other Pythons and browsers
	-$(BIN)/python -m tests.systems.debian
	-tests/systems/windows.sh
	$(PYTEST) -m systems

.PHONY: lint
lint: $(VENV)/test-all-installed ## Check style and types alone
	$(STYLE)
	$(TYPES)

##@ Keep house

.PHONY: help
help: ## Show this list; ALL=1 shows the laboratory, too
	@awk -F ':.*## ' '/^##@ Laboratory/ && !$(if $(ALL),1,0) { exit } /^##@ / { printf "\n%s\n", substr($$0, 5) } \
		/^[a-z][a-z-]*:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: pins
pins: | $(BIN)/pip ## Pin in constraints.txt what the extras need, on Python 3.10 and newer; PINS hands options on to uv
	@$(BIN)/python -m pip install -q uv
	@UV_CUSTOM_COMPILE_COMMAND="make pins" $(BIN)/python -m uv pip compile -q pyproject.toml --extra test-all \
		--universal --python-version 3.10 --no-annotate $(PINS) -o constraints.txt

.PHONY: clean
clean: ## Remove what was installed, built or cached, but no record of a game
	rm -rf $(VENV) build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

##@ Laboratory

.PHONY: bench
bench: kernel $(VENV)/tools-installed $(VENV)/env-installed ## Measure speed, each figure beside a reference loop of the same run
	$(BIN)/python -m tools lab bench

.PHONY: signature
signature: kernel $(VENV)/tools-installed ## Print hashes of 2,200 decisions: a change of code alone leaves them as they are
	$(BIN)/python -m tools lab signature

.PHONY: train
train: MINUTES ?= 10
train: kernel $(VENV)/training-installed ## Train a champion's network of your own, 5 minutes on 2 cores (CHAMPION, MINUTES, GAMES)
	@$(BIN)/python -m tools train learn champion $(CHAMPION) \
		$(if $(filter command% environment%,$(origin GAMES)),--count $(GAMES),--minutes $(MINUTES))

.PHONY: mcm-generate
mcm-generate: kernel $(VENV)/training-installed ## Self-play into records for the network MCM (DATA, GAMES)
	$(BIN)/python -m tools train make mcm $(DATA) --count $(GAMES)

.PHONY: mcm-train
mcm-train: kernel $(VENV)/training-installed ## Train the network MCM on them, or resume its training (MODEL, DATA, EPOCHS)
	$(BIN)/python -m tools train learn mcm $(MODEL) $(DATA) --epochs $(EPOCHS)

.PHONY: mcm-evaluate
mcm-evaluate: kernel $(VENV)/training-installed ## Test loss of the network MCM beside the baselines (MODEL, DATA)
	$(BIN)/python -m tools train score mcm $(MODEL) $(DATA) --out $(MODEL)/scores.json

.PHONY: fuzz
fuzz: MINUTES ?= 5
fuzz: $(VENV)/test-all-installed ## Look for input that breaks a reader, the bot or the kernel (MINUTES)
	@$(BIN)/python -m tests.fuzz --minutes $(MINUTES)

.PHONY: test-faults
test-faults: $(VENV)/test-all-installed ## Test the tests: put faults in, one at a time, and show which test sees each
	$(BIN)/python -m tests.injected

# The game plays without it; a message names what that costs.
KERNEL_IF_POSSIBLE = @$(BIN)/python -m tools.make kernel --install --optional

# Containers often forbid compiled modules; then each of a thousand processes would compile them for itself.
# A test that waits for a program leaves its core to the one more than there are cores.
PYTEST = env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m pytest -q --durations=10 --durations-min=1 -n $$(($(WORKERS) + 1)) --dist worksteal

# The first line of a script in .venv is the path of its Python, which is not every kernel's or shell's to read.
STYLE = $(BIN)/python -m ruff check -q . && $(BIN)/python -m ruff format --check -q .

# As each of the three systems sees the code; with one cache for all, each would begin anew.
TYPES = @printf '%s\n' linux darwin win32 | xargs -P 3 -I SYSTEM \
	$(BIN)/python -m mypy --platform SYSTEM --cache-dir .mypy_cache/SYSTEM ddzbot tools bot.py

# ---- the virtual environment: a stamp for each extra of pyproject.toml ----
# pip would compile on one core, and much that is never imported: Python compiles that when it is.
SELDOM_IMPORTED = /(tests|torch|sympy|networkx|pip|selenium|mypy|mypyc|open_spiel)/

$(VENV)/%-installed: pyproject.toml constraints.txt | $(BIN)/pip
	@$(BIN)/python -m tools.make install $*
	@$(BIN)/python -m compileall -qq -j 0 -x '$(SELDOM_IMPORTED)' $(VENV)/lib || true
	@touch $@

# pip comes last into a new environment, so that one which was broken off is made again.
$(BIN)/pip:
	@command -v $(PYTHON) >/dev/null || \
		{ echo "There is no $(PYTHON): install Python 3.10 or newer, or name one with PYTHON=..."; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || \
		{ echo "$(PYTHON) is $$($(PYTHON) -V 2>&1): install Python 3.10 or newer, or name one with PYTHON=..."; exit 1; }
	@case "$$(pwd)" in *[:\"\$$\`\\]*) \
		echo "The path of this folder has one of  : \" \$$ \` \\  in it, which venv or zig does not take: rename or move it."; \
		exit 1;; esac
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
		{ echo "$(PYTHON) lacks venv: install it (Debian and Ubuntu call the package python3-venv)."; exit 1; }
	@echo "Making $(VENV) with $$($(PYTHON) -V)."
	@$(PYTHON) -m venv $(VENV)
