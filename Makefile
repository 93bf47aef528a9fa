# make test   all tests; installs what is missing where it can (Debian, as root)
# make interop  third-party servers and tools, and tests of over a minute
# make fuzz   every fuzz target for a while
# make bench  the benchmarks of docs/measured.md
# make eval   the embedded judge on the dev sets of the evaluation: docs/judge.md
# make compare OLD=BINARY  what an earlier build and this one answer differently on the demo
# make check  what make test runs before the tests: generated code, format, vet, staticcheck, linters
.PHONY: test check interop fuzz bench eval compare generate tools

GO ?= go

# SQLite's C, written as Go by a program, is not watched by the race detector: that takes six times as long. All of ours, and
# its driver, is.
SQLITE = -gcflags=modernc.org/sqlite/lib=-race=false -gcflags=modernc.org/libc/...=-race=false

# The packages whose own code runs concurrently: under the race detector, which makes a test about ten times as slow. The
# test TestRaceDetector holds this list against the code.
RACE = ./cmd/... ./internal/app/... ./internal/auth/... ./internal/db/... ./internal/domain/judge ./internal/domain/text \
	./internal/handlers/... ./internal/lake/... ./internal/openfga/... ./internal/telemetry/... ./internal/webhooks/...

# Tests make thousands of small databases, and each commit waits for the disk: they lie in memory where there is room.
TESTTMP := $(shell .ci/testtmp)

test: tools check
	CGO_ENABLED=0 $(GO) build -o bin/sanad ./cmd/web
	TMPDIR=$(TESTTMP) $(GO) test -race $(SQLITE) -timeout 25m $(RACE)
	TMPDIR=$(TESTTMP) $(GO) test -race -run '^TestIsolated' ./internal/pdftext
	TMPDIR=$(TESTTMP) $(GO) test -timeout 25m $$($(GO) list ./... | grep -vxF "$$($(GO) list $(RACE) ./internal/e2e/...)")
	TMPDIR=$(TESTTMP) $(GO) test -timeout 25m ./internal/e2e/...

check:
	@before=$$(cat internal/views/*_templ.go internal/views/*/*_templ.go | cksum); $(GO) tool templ generate -log-level error; \
	if [ "$$before" != "$$(cat internal/views/*_templ.go internal/views/*/*_templ.go | cksum)" ]; then \
	  echo "The generated templ code was not up to date: it is now; look at it and commit it."; exit 1; fi
	@out=$$(gofmt -l cmd internal static fonts); if [ -n "$$out" ]; then echo "not gofmt-ed:"; echo "$$out"; exit 1; fi
	$(GO) vet ./...
	$(GO) tool staticcheck ./...
	.ci/lint

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

eval:
	.ci/eval

# what OLD, the binary of an earlier commit, and this tree answer differently on the demo
compare:
	CGO_ENABLED=0 $(GO) build -o bin/sanad ./cmd/web
	.ci/compare $(OLD) bin/sanad
