# SPDX-License-Identifier: Apache-2.0
.PHONY: run yoga test reference bench format lint release clean setup

SWIFT_BUILD = swift build -j $(or $(JOBS),$(shell getconf _NPROCESSORS_ONLN))
# Where nobody debugs or edits: the cryptography, which is C, takes two thirds of the time of tests that make RSA keys,
# and the index that editors read up to a sixth of the compiler's.
TEST_BUILD = swift build --build-tests $(if $(CI),-Xcc -O1 -debug-info-format none)

run: ## Set up, build, start the server in development mode
	@scripts/setup
	@$(SWIFT_BUILD) --product latchkey
	@exec "$$(swift build --show-bin-path)/latchkey" serve --dev $(ARGS)

yoga: ## Build the terminal app in Examples/yoga; print where it is
	@$(SWIFT_BUILD) --package-path Examples/yoga
	@echo "$$(swift build --package-path Examples/yoga --show-bin-path)/yoga"

test: ## Set up, build, run every test
	@scripts/setup --tests
	@$(TEST_BUILD)
	@scripts/test $(ARGS)

reference: ## Build the libraries' reference documentation (after `make test` or a build)
	@scripts/reference

bench: ## Print the speed ratios (release build)
	@scripts/setup --bench
	@scripts/bench $(ARGS)

format: ## Rewrite the sources in the house format
	@swift format format --in-place --recursive --parallel Sources Tests Benchmarks Examples Fuzz Package.swift
	@git ls-files -z Package.swift '*.swift' | xargs -0 scripts/wrap-comments

lint: ## Check format, file sizes and the house rules
	@scripts/lint

release: ## Build the optimised executable
	@scripts/setup
	@$(SWIFT_BUILD) -c release --product latchkey
	@echo "$$(swift build -c release --show-bin-path)/latchkey"

clean:
	@rm -rf .build .build-clients

setup:
	@scripts/setup --tests
