# make test   all tests; installs what is missing where it can (Debian, as root)
# make interop  third-party servers and tools, and tests of over a minute
# make fuzz   every fuzz target for a while
# make bench  the benchmarks of docs/measured.md
# make check  what make test runs before the tests: generated code, format, vet, staticcheck
.PHONY: test check interop fuzz bench generate tools

GO ?= go

test: tools check
	CGO_ENABLED=0 $(GO) build -o bin/web ./cmd/web
	$(GO) test -race -timeout 25m ./...

check:
	@before=$$(cat internal/views/*_templ.go | cksum); $(GO) tool templ generate -log-level error; \
	if [ "$$before" != "$$(cat internal/views/*_templ.go | cksum)" ]; then \
	  echo "The generated templ code was not up to date: it is now; look at it and commit it."; exit 1; fi
	@out=$$(gofmt -l cmd internal static fonts); if [ -n "$$out" ]; then echo "not gofmt-ed:"; echo "$$out"; exit 1; fi
	$(GO) vet ./...
	$(GO) tool staticcheck ./...

generate:
	$(GO) tool templ generate -log-level error

tools:
	@.ci/tools

interop: tools
	.ci/interop

fuzz:
	.ci/fuzz

bench:
	.ci/bench
