# The few commands that a person needs; `make help` lists them. CMake and ctest do the work.

BUILD   := build/release
PREFIX  ?= /usr/local
DESTDIR ?=
# Suites of both users side by side: each waits more than it computes.
TEST_JOBS ?= 4

# The caller's command reaches the shell through the environment, untouched by make's own `$`.
ifeq ($(origin CMD),command line)
override CMD := $(value CMD)
export CMD
HAS_CMD := yes
endif

# stdout is the command's: what is said while building goes to stderr, progress only to a terminal.
SHELL       := /bin/bash
.SHELLFLAGS := -o pipefail -c

# $(call ninja,TARGET) configures if that was never done, then builds.
define ninja
@$(MAKE) --silent --no-print-directory $(BUILD)/build.ninja >&2
@ninja -C $(BUILD) $(1) | while IFS= read -r line; do \
  case $$line in \
    'ninja: no work to do.' | 'ninja: Entering directory'*) ;; \
    \[*/*\]*) [ ! -t 2 ] || printf '\r%.79s\e[K' "$$line" ;; \
    *) printf '%s\n' "$$line" ;; \
  esac; \
done >&2
@[ ! -t 2 ] || printf '\r\e[K' >&2
endef

.PHONY: build run test test-san test-agents test-install test-toolchains bench compare fuzz soak docs picture start-order format install deb tarball reproduce clean help
.DEFAULT_GOAL := build

build:  ## build the released binary, build/ringwall
	@tools/install_packages.sh build >&2
	@[ -e $(BUILD)/ringwall ] || echo 'building Ringwall, several minutes on two cores …' >&2
	$(call ninja,ringwall ringwall-guard ringwall-advisor)
# Copies: a run in this folder refuses a program of its own that has a second name.
	@for program in ringwall ringwall-guard ringwall-advisor; do \
	  { [ ! $(BUILD)/$$program -ef build/$$program ] && cmp -s $(BUILD)/$$program build/$$program; } || \
	    cp --remove-destination $(BUILD)/$$program build/$$program; \
	done

run: build  ## show the walls at work; CMD='...' runs that command behind them instead
ifeq ($(HAS_CMD),yes)
	@build/ringwall run -- sh -c "$$CMD"
else
	@tools/demo.sh build/ringwall
endif

test:  ## build everything and run every check, as root and as an ordinary user
	@tools/install_packages.sh build test work guest >&2
	$(call ninja,)
	@status=0; \
	ctest --test-dir $(BUILD) --output-on-failure --no-tests=error -j $(TEST_JOBS) \
	  --output-log build/ctest.log || status=$$?; \
	grep -E '^(FAILED|ERROR) |^\[  FAILED  \]' build/ctest.log | cut -c 1-300; \
	grep -h '^SECOND TRY' $(BUILD)/Testing/Temporary/LastTest.log | cut -c 1-300; \
	grep 'tests passed' build/ctest.log; \
	exit $$status

# The checks of texts need no watching, packages hold what is released, and the guests have too little memory for it.
UNWATCHED := ^(check-.*|compare|corpora-can-fail|guest|guard-guest|package)$$
# What has threads, or is tried against some.
THREADED  := UserManager*:Quarantined*:ChangingTree*:Across*:LimitWatch*:Record*

test-san:  ## the same checks watched by ASan and UBSan, and by TSan where there are threads; an hour or more
	@tools/install_packages.sh build test work >&2
	@cmake -G Ninja -B build/san -S . -DRINGWALL_SANITIZE=address,undefined --log-level=WARNING >/dev/null
	@ninja -C build/san
	@ctest --test-dir build/san --output-on-failure --no-tests=error -j 2 --exclude-regex '$(UNWATCHED)'
	@cmake -G Ninja -B build/tsan -S . -DRINGWALL_SANITIZE=thread --log-level=WARNING >/dev/null
	@ninja -C build/tsan unit-tests
	@build/tsan/unit-tests --gtest_brief=1 --gtest_filter='$(THREADED)'

test-agents: build  ## real agents from the npm registry start inside and show their first screen
	@tools/install_packages.sh test >&2
	@/usr/bin/python3 -B tests/agents/run_agents.py build/ringwall $(AGENTS)

test-install: build  ## `ringwall install` on a clean Debian 12 with the real agent; SCENES='person system' for some
	@tools/install_packages.sh test install >&2
	@cd tests/install && /usr/bin/python3 -B run_install.py $(CURDIR)/build/ringwall $(SCENES)

test-toolchains:  ## cargo, go, maven, npm, a browser … at work inside; installs those that Debian has
	@tools/install_packages.sh build test work toolchains >&2
	@tools/fetch_work_tools.sh build/work-tools >&2
	$(call ninja,)
	@for user in user root; do \
	  for suite in tests/integration/test_toolchains.py 'tests/corpora/run.py work --heavy'; do \
	    RINGWALL_BUILD=$(BUILD) tests/support/run_pytest.sh $$user $$suite || [ $$? = 77 ] || exit 1; \
	  done; \
	done

bench: build  ## measure against bubblewrap and against no sandbox
	@tools/install_packages.sh bench >&2
	$(call ninja,record-bench gate-bench risk-bench ringwall-mutant)
	@/usr/bin/python3 -B bench/run.py build/ringwall --tools $(BUILD)
	@/usr/bin/python3 -B bench/guard.py build/ringwall

compare: build  ## Ringwall beside its peers: attacks, work, cost; ONLY=attacks|work|cost|growth|tables for a part
	@tools/install_packages.sh test bench work toolchains >&2
	@tools/install_peers.sh build/peers >&2
	@tools/fetch_work_tools.sh build/work-tools >&2
	@/usr/bin/python3 -B bench/compare.py build/ringwall $(foreach part,$(ONLY),--only $(part))

fuzz: build  ## hostile bytes for the parsers, ten minutes of them each; SECONDS=60 for less
	@tools/install_packages.sh build test fuzz >&2
	@cmake -B $(BUILD) -S . >/dev/null
	@FUZZ_SECONDS=$(or $(SECONDS),600) ninja -C $(BUILD) fuzz

soak: build  ## 2,000 runs with random kills, 200 on full disks, 30 in a guest whose clock jumps; nothing may be left
	@tools/install_packages.sh test guest >&2
	@/usr/bin/python3 -B tests/soak/soak.py build/ringwall
	@/usr/bin/python3 -B tests/soak/full_disk.py build/ringwall
	@/usr/bin/python3 -B tests/soak/clock_jumps.py build/ringwall

docs:  ## write the generated pages of docs/ anew
	@tools/install_packages.sh build >&2
	$(call ninja,ringwall-docs)
	@$(BUILD)/ringwall-docs docs/
	@tools/attacks_page.py
	@tools/promise_tests_page.py
	@tools/work_page.py

start-order:  ## write anew which functions lie together in the program, from real starts; as root
	@tools/install_packages.sh build test >&2
	$(call ninja,ringwall-named called-functions)
	@tools/start_order.py $(BUILD)/ringwall-named $(BUILD)/called-functions

picture: build  ## draw the README's picture anew, from a real run of `make run`
	@tools/install_packages.sh test >&2
	@tools/picture.py docs/pictures/make-run.svg 86 tools/demo.sh build/ringwall

format:  ## bring the sources into the project's format
	@tools/format.sh

install: build  ## install everything below PREFIX (/usr/local): programs, man pages, completions
	$(call ninja,papers)
	@DESTDIR='$(DESTDIR)' cmake --install $(BUILD) --prefix '$(PREFIX)' >/dev/null
	@echo 'installed below $(DESTDIR)$(PREFIX); next: ringwall doctor' >&2

deb: build  ## the Debian package, build/ringwall_VERSION_amd64.deb
	@tools/install_packages.sh package >&2
	$(call ninja,papers)
	@cd $(BUILD) && cpack -G DEB >cpack.log || { cat cpack.log >&2; exit 1; }
	@cp $(BUILD)/ringwall_*_amd64.deb build/ && ls build/ringwall_*_amd64.deb

tarball: build  ## one archive that runs on Debian 12, Ubuntu 22.04 and newer without being installed
	$(call ninja,papers)
	@packaging/tarball.sh $(BUILD) build/ringwall-x86_64-linux.tar.gz && ls build/ringwall-x86_64-linux.tar.gz

reproduce:  ## build twice from clean in two places, and compare every byte of the archives
	@tools/install_packages.sh build >&2
	@packaging/reproduce.sh

clean:  ## remove everything that was built
	rm -rf build

help:  ## this list
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1\t/p' Makefile | expand -t 17

# Configured once; ninja configures again by itself when a CMake file changes.
$(BUILD)/build.ninja:
	@cmake -G Ninja -B $(BUILD) -S . -DCMAKE_BUILD_TYPE=Release --log-level=WARNING >/dev/null
