# The front door of Muster: every target sets up what it needs, missing Debian packages included, and no work is done twice.
# CMake and its presets do the building; tools/ holds the checks.

PREFIX ?= /usr/local
SETUP ?= yes
QUESTION = --machine wse2 --grid 512x1 --collective reduce --count 256
MUSTER = build/release/muster

.DEFAULT_GOAL = help
.PHONY: help build run test bench install asan tsan coverage format lint fuzz clean

help:
	@echo "make run      build, then plan a Reduce over 512 processors of a WSE-2 and write the winner's program to out/"
	@echo "make test     build, then run all tests"
	@echo "make bench    build and run the benchmarks"
	@echo "make install  install program, library and data (PREFIX=$(PREFIX), DESTDIR=$(DESTDIR))"
	@echo "make asan     build with the address and undefined-behaviour sanitizers, then run all tests"
	@echo "make tsan     build what runs in parallel with the thread sanitizer, then run its tests"
	@echo "make coverage run all tests and print which share of the lines of each folder they reach"
	@echo "make format   lay out all sources"
	@echo "make lint     the checks of layout, text, layers and clang-tidy"
	@echo "make fuzz     run each fuzz target for SECONDS_EACH=20 seconds"
	@echo "make clean    remove build/ and out/"
	@echo "SETUP=no      do not look for missing Debian packages (tools/packages.txt)"

build: configured
	cmake --build --preset release

run: configured
	cmake --build --preset release --target muster
	$(MUSTER) plan $(QUESTION)
	$(MUSTER) emit $(QUESTION) --target csl --out out

test: build
	ctest --preset release

bench: configured
	cmake --build --preset release --target bench

install: build
	cmake --install build/release --prefix "$(PREFIX)"

asan: build/asan/build.ninja
	cmake --build --preset asan
	ctest --preset asan

tsan: build/tsan/build.ninja
	cmake --build --preset tsan
	ctest --preset tsan

coverage: build/coverage/build.ninja
	find build/coverage -name '*.gcda' -delete
	cmake --build --preset coverage
	ctest --preset coverage
	tools/coverage build/coverage

format: build/setup-checks
	tools/format

lint: build/setup-checks build/setup-build
	tools/check_layers
	tools/check_text
	tools/format --check
	tools/lint

fuzz: build/setup-checks build/fuzz/build.ninja
	cmake --build --preset fuzz
	tools/fuzz $(SECONDS_EACH)

clean:
	rm -rf build out

# Always: which sources are compiled as one depends on what they say (tools/unity_groups).
.PHONY: configured
configured: build/setup-build
	@cmake --preset release --log-level=WARNING > build/configure.log 2>&1 || { cat build/configure.log; false; }

# Once configured, a build directory looks after itself: Ninja calls CMake again when a CMake file changed.
build/%/build.ninja: build/setup-build
	cmake --preset $*

build/setup-%: tools/packages.txt
	@test "$(SETUP)" = no || tools/setup $*
	@mkdir -p build && touch $@

.PRECIOUS: build/%/build.ninja build/setup-%
