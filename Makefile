# make test   all tests; installs missing tools if it can (Debian, as root)
# make interop  what needs other programs: PostgreSQL where it differs, cosign and OpenSSL on one pack, the Debian package
# make thorough  what takes too long for CI: every walk whole, all under the race detector, every third-party server
# make postgres  the whole suites of the store on a real PostgreSQL server, counted beside SQLite's
# make races  two nodes do the same at the same moment, 1,000 times each
# make cluster  several nodes with real servers, which are killed one after another under load
# make scale  figures of docs/scaling.md: both engines, a large store, several nodes
# make soak  a mixed load for an hour: what the server takes, and the slope of its memory
# make fuzz   every fuzz target for a while
# make bench  the ratios of docs/measured.md, each with its goal; fails where one fell behind
# make peers  the same rows in Sanad and in promptfoo: time, requests, bytes, memory
# make eval   the embedded judge on the dev sets of the evaluation: docs/judge.md
# make live   the same of models and scorers over the network that variables name (CONTRIBUTING.md)
# make clients  the typed clients in clients/, generated from the API's description
# make compare OLD=BINARY  differences between the answers of an earlier build and this one on the demo
# make check  what make test runs before the tests: generated code, format, linters
# make build  bin/sanad as it is released; the same commit gives the same bytes
# make release  archives, packages, SBOMs, digests and signed provenance in dist/VERSION; needs a key (docs/releases.md)
# make size   two builds compared; how large the program is, and how long it takes to build and to start
.PHONY: test check interop thorough postgres races cluster scale soak fuzz bench peers eval live clients compare generate tools \
	build size release

GO ?= go

# Everything but what runs under the race detector, which needs cgo, is built without it, so that nothing is compiled twice.
export CGO_ENABLED = 0

# The C code of SQLite, translated to Go, is built without the race detector, which would make it six times slower. All our
# code and the SQLite driver are built with it.
SQLITE = -gcflags=modernc.org/sqlite/lib=-race=false -gcflags=modernc.org/libc/...=-race=false

# Test binaries are linked without debugging information, which takes a third less time; stack traces don't need it.
LINK = -ldflags=-w

# Tests create thousands of small databases, and each commit waits for the disk, so they are kept in memory if it suffices.
TESTTMP := $(shell .ci/testtmp)

# Samples of long walks are drawn with this seed, so that every commit draws others, and a failure can be seen again.
ifndef SANAD_SEED
SANAD_SEED := $(shell git rev-parse --short=12 HEAD 2>/dev/null || echo 1)
endif
export SANAD_SEED

# vet has run with the linters, so go test does not run it again
TEST = env TMPDIR=$(TESTTMP) $(GO) test -vet=off $(LINK) -timeout 25m
RACE = env CGO_ENABLED=1 TMPDIR=$(TESTTMP) $(GO) test -vet=off $(LINK) -timeout 25m -race $(SQLITE)

# Under the race detector, which makes tests about ten times slower, run the packages whose subject is concurrency, and of the
# others the tests that start goroutines.
test: tools
	@echo "samples are drawn with SANAD_SEED=$(SANAD_SEED)"
	.ci/stage "generated code, format, linters" $(MAKE) --no-print-directory check
	.ci/stage "build" $(GO) build -o bin/sanad ./cmd/web
	.ci/stage "packages under the race detector" $(RACE) $$(.ci/concurrent whole)
	.ci/stage "tests under the race detector" $(RACE) -run "$$(.ci/concurrent tests)" $$(.ci/concurrent packages)
	.ci/stage "their other tests" $(TEST) -skip "$$(.ci/concurrent tests)" $$(.ci/concurrent packages)
	.ci/stage "all other packages" $(TEST) $$($(GO) list ./... | \
		grep -vxF "$$($(GO) list $$(.ci/concurrent whole) $$(.ci/concurrent packages) ./internal/e2e/...)")
	.ci/stage "browser" $(TEST) ./internal/e2e/...

check:
	$(GO) tool templ generate -check -log-level error # make generate brings them up to date
	@out=$$(gofmt -l cmd internal static fonts); if [ -n "$$out" ]; then echo "not gofmt-ed:"; echo "$$out"; exit 1; fi
	.ci/assembly
	.ci/lint

generate:
	$(GO) tool templ generate -log-level error

tools:
	@.ci/tools

interop: tools
	$(GO) build -o bin/sanad ./cmd/web
	.ci/interop

thorough:
	.ci/thorough $(ARGS)

postgres:
	.ci/postgres all

races:
	.ci/postgres races

cluster:
	.ci/cluster

scale:
	.ci/scale

soak:
	.ci/soak

fuzz:
	.ci/fuzz

bench:
	@.ci/tools wrk
	TMPDIR=$(TESTTMP) $(GO) run ./internal/ratios $(ARGS)

peers:
	.ci/peers

eval:
	.ci/eval
	.ci/live

live:
	.ci/live

clients:
	.ci/clients

build:
	.ci/build bin/sanad

release:
	.ci/release dist/$$(.ci/version)

size:
	.ci/size

# compares the answers of OLD, the binary of an earlier commit, with this tree's on the demo
compare:
	$(GO) build -o bin/sanad ./cmd/web
	.ci/compare $(OLD) bin/sanad
