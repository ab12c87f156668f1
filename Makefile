# Thin on purpose: everything real is in the CMake presets and in scripts/.
#
#   make demo     set up, build, and run the main job on the shipped studies
#   make test     set up, build, and run all tests
#   make bench    how fast the executor is
PRESET ?= release
BUILD  := build/$(PRESET)
JOBS   ?= $(shell nproc)

.PHONY: demo test bench build setup clean
demo: build
	$(BUILD)/bin/headroom run -- $(BUILD)/bin/copy
	$(BUILD)/bin/headroom run -- $(BUILD)/bin/sgemm

test: build
	ctest --test-dir $(BUILD) --output-on-failure --no-tests=error -j $(JOBS)

bench: build
	scripts/bench $(BUILD)

build: setup
	@cmake --preset $(PRESET) --log-level=WARNING
	cmake --build $(BUILD) -j $(JOBS)

setup:
	@scripts/setup

clean:
	rm -rf $(BUILD)
