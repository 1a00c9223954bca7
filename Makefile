# The commands of rill. CMake does the building; this file installs what is
# missing, configures once and calls it. `make` alone builds, `make help` lists
# the commands.

ifeq ($(origin CC),default)
CC := gcc
endif
PREFIX ?= /usr/local
SCENE ?= dam_break
MINUTES ?= 60
CTEST = tools/run-tests
# The tests take warnings for errors. A folder that was built so stays so, or `make` and `make test` would each build
# again what the other one left.
STRICT = -DRILL_WERROR=ON
KEPT = $(shell grep -so -- $(STRICT) build/configured-with)

.DEFAULT_GOAL := build
.PHONY: build help run test check torture bench validate docs install build-fuzz packages clean \
	check-packages check-clang check-thread check-valgrind check-readers check-layers check-format

build: packages ## installs what is missing and builds; what `make` alone does
	@tools/build build $(CC) $(KEPT)

help: ## lists these commands
	@echo "rill: a particle engine for fluids. Commands:"
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: build ## builds what is needed, simulates the default scene (SCENE=name for another), meshes and renders its end
	@tools/run-scene build $(SCENE)

test: packages build-fuzz ## builds with warnings as errors, runs all tests, then all again under AddressSanitizer and UBSan, then three minutes of torture
	@tools/build build $(CC) $(STRICT)
	@$(CTEST) build "$(CC), warnings as errors"
	@tools/build build-asan $(CC) -DRILL_SANITIZE=address,undefined
	@$(CTEST) build-asan "gcc with AddressSanitizer and UBSan"
	@tests/torture/torture --minutes 3 --seed 1

check: test check-packages check-layers check-format check-clang check-thread check-valgrind check-readers ## runs what a release needs: make test, then clang, ThreadSanitizer, Valgrind and ParaView
	@echo "All checks passed."

torture: build build-fuzz ## attacks rill for an hour (MINUTES=10 for less): fuzzing, kills, full disks; writes docs/reliability.md, adds to bench/results
	@tests/torture/torture --minutes $(MINUTES) --save

bench: build ## measures the speed, ten minutes, and keeps the table in bench/results and docs/results.md
	@mkdir -p bench/results
	@build/rill bench --rounds 2 --save bench/results/$$(date +%Y-%m-%d).json --page docs/results.md

validate: build ## computes cases with a known answer, about half an hour; writes docs/validation.md, keeps the numbers in bench/results
	@mkdir -p bench/results
	@build/rill validate --save bench/results/validation.csv

docs: build ## writes docs/scene.md, the columns in docs/run.md and what pages quote again from the tables they come from
	@mkdir -p docs
	@build/rill reference >docs/scene.md.new && mv docs/scene.md.new docs/scene.md
	@build/rill reference report >build/columns.md
	@sed -i -e '/^<!-- columns/,/^<!-- end of columns/{//!d}' -e '/^<!-- columns/r build/columns.md' docs/run.md
	@tools/write-pages

install: build ## installs program, man page, completion, libraries, headers and scenes under PREFIX (and DESTDIR)
	@DESTDIR=$(DESTDIR) cmake --install build --prefix $(abspath $(PREFIX)) >build/install.log
	@if [ -z "$(DESTDIR)" ] && [ "$$(id -u)" -eq 0 ]; then ldconfig; fi
	@echo "Installed rill under $(DESTDIR)$(abspath $(PREFIX))."

clean: ## removes everything that was built (runs stay)
	@rm -rf build build-asan build-clang build-fuzz build-tsan

build-fuzz: packages
	@tools/build build-fuzz clang -DRILL_FUZZ=ON

packages:
	@tools/install-packages needed

check-packages: packages
	@tools/install-packages check

check-layers:
	@tools/check-layers

check-format:
	@tools/check-format

check-clang: check-packages
	@tools/build build-clang clang $(STRICT)
	@$(CTEST) build-clang "clang, warnings as errors"

# One test at a time: with the cores shared, threads take turns and races hide. Tests of one thread have nothing to race
# with. Address randomisation is off, where that is allowed, since newer kernels' upsets the sanitizer.
check-thread: check-packages
	@tools/build build-tsan clang -DRILL_SANITIZE=thread
	@$(shell setarch -R true 2>/dev/null && echo setarch -R) $(CTEST) build-tsan "clang with ThreadSanitizer" -j 1 \
		-LE one_thread

check-valgrind: build
	@tools/run-valgrind build

check-readers: build
	@tools/run-readers build
