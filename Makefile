# Thin on purpose: everything real is in the CMake presets and in scripts/.
#
#   make demo     set up, build the program and the study copy, and run the main job on it
#   make          set up and build everything
#   make test     set up, build everything, and run all tests, unit tests also with sanitizers
#   make tidy     what clang-tidy finds in src/ and lab/
#   make bench    how fast the executor is
PRESET ?= release
BUILD  := build/$(PRESET)
JOBS   ?= $(shell nproc)

.PHONY: build demo test sanitized tidy bench configure setup clean
build: configure
	cmake --build $(BUILD) -j $(JOBS)

demo: configure
	cmake --build $(BUILD) -j $(JOBS) --target headroom copy
	$(BUILD)/bin/headroom run -- $(BUILD)/bin/copy

test: build sanitized
	@scripts/fetch_nvdisasm
	ctest --test-dir $(BUILD) --output-on-failure --no-tests=error -j $(JOBS)

sanitized: build
	@JOBS=$(JOBS) scripts/sanitized dev
	@JOBS=$(JOBS) scripts/sanitized tsan

tidy: build
	@JOBS=$(JOBS) scripts/tidy --build $(BUILD)

bench: build
	scripts/bench $(BUILD)

configure: setup
	@cmake --preset $(PRESET) --log-level=WARNING

setup:
	@scripts/setup

clean:
	rm -rf $(BUILD)
