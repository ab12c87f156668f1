# Thin on purpose: everything real is in the CMake presets and in scripts/.
#
#   make demo     set up, build the program and the study copy, and run the main job on it
#   make          set up and build everything
#   make test     set up, build everything, and run all tests, unit tests also with sanitizers
#   make install  set up, build the program alone, and install it: PREFIX=/usr/local, or any folder, which may be moved then
#   make package  the same as an archive, build/release/package/headroom-VERSION-linux-x86_64.tar.zst
#   make wheel    the same as a wheel, beside it
#   make tidy     what clang-tidy finds in src/ and lab/
#   make book     the documents as a site, build/book/html: needs nothing but Python, and PyPI the first time
#   make occupancy  occupancy against cuda_occupancy.h, every case there is: tens of millions, minutes
#   make bench    how fast the executor is
#   make bench-programs    how fast whole programs are; AGAINST=FOLDER: beside a build kept there
PRESET ?= release
BUILD  := build/$(PRESET)
JOBS   ?= $(shell nproc)

PREFIX ?= /usr/local

.PHONY: product install package wheel book occupancy build demo test sanitized tidy bench bench-programs configure setup clean
build: configure
	cmake --build $(BUILD) -j $(JOBS)

demo: configure
	cmake --build $(BUILD) -j $(JOBS) --target headroom copy
	$(BUILD)/bin/headroom run -- $(BUILD)/bin/copy

product: configure
	cmake --build $(BUILD) -j $(JOBS) --target product

install: product
	cmake --install $(BUILD) --strip --prefix $(PREFIX)

package: product
	cpack --config $(BUILD)/CPackConfig.cmake

wheel: product
	@scripts/wheel $(BUILD) $(BUILD)/package

test: build sanitized
	@scripts/fetch_nvdisasm
	@scripts/fetch_browser
	ctest --test-dir $(BUILD) --output-on-failure --no-tests=error -j $(JOBS)

sanitized: build
	@JOBS=$(JOBS) scripts/sanitized dev
	@JOBS=$(JOBS) scripts/sanitized tsan

occupancy: configure
	cmake --build $(BUILD) -j $(JOBS) --target test_model_occupancy_twin
	HEADROOM_EXHAUSTIVE=1 $(BUILD)/tests/test_model_occupancy_twin --gtest_filter='*EveryKernelThereIs'

book:
	@scripts/book build/book

tidy: build
	@JOBS=$(JOBS) scripts/tidy --build $(BUILD)

bench: build
	scripts/bench $(BUILD)

bench-programs: build
	scripts/bench_programs $(BUILD) $(if $(AGAINST),--against $(AGAINST)) $(if $(PROGRAMS),--programs $(PROGRAMS))

configure: setup
	@cmake --preset $(PRESET) --log-level=WARNING

setup:
	@scripts/setup

clean:
	rm -rf $(BUILD)
