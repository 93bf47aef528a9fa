# make test   all tests; installs missing tools if it can (Debian, as root)
# make interop  third-party servers and tools, and tests of over a minute
# make postgres  the suites of the store on a real PostgreSQL server, counted beside SQLite's
# make races  two nodes do the same at the same moment, 1,000 times each: outside CI, which runs fewer
# make cluster  several nodes with real servers, which are killed one after another under load
# make scale  figures of docs/scaling.md, outside CI: both engines, a large store, several nodes
# make soak  a mixed load for an hour, outside CI: what the server takes, and the slope of its memory
# make fuzz   every fuzz target for a while
# make bench  the ratios of docs/measured.md, each with its goal; fails where one fell behind
# make peers  the same rows in Sanad and in promptfoo, outside CI: time, requests, bytes, memory
# make eval   the embedded judge on the dev sets of the evaluation: docs/judge.md
# make live   the same of models and scorers over the network that variables name (CONTRIBUTING.md); outside CI
# make clients  the typed clients in clients/, generated from the API's description
# make compare OLD=BINARY  differences between the answers of an earlier build and this one on the demo
# make check  what make test runs before the tests: generated code, format, vet, staticcheck, linters
# make build  bin/sanad as it is released; the same commit gives the same bytes
# make release  archives, packages, SBOMs, digests and signed provenance in dist/VERSION; needs a key (docs/releases.md)
# make size   two builds compared; how large the program is, and how long it takes to build and to start
.PHONY: test check interop postgres races cluster scale soak fuzz bench peers eval live clients compare generate tools build size release

GO ?= go

# The C code of SQLite, translated to Go, is built without the race detector, which would make it six times slower. All our
# code and the SQLite driver are built with it.
SQLITE = -gcflags=modernc.org/sqlite/lib=-race=false -gcflags=modernc.org/libc/...=-race=false

# The packages with concurrent code are tested under the race detector, which makes tests about ten times slower.
# TestRaceDetector checks this list against the code.
RACE = ./cmd/... ./internal/llm/... ./internal/app/... ./internal/auth/... ./internal/db/... ./internal/domain/judge ./internal/domain/text \
	./internal/files ./internal/handlers/... ./internal/isolated/... ./internal/lake/... ./internal/openfga/... \
	./internal/mcp ./internal/otlp ./internal/pattern ./internal/quota/... \
	./internal/s3/s3test ./internal/telemetry/... ./internal/mails/... ./internal/webhooks/...

# Test binaries are linked without debugging information, which takes a third less time; stack traces don't need it.
LINK = -ldflags=-w

# Tests create thousands of small databases, and each commit waits for the disk, so they are kept in memory if it suffices.
TESTTMP := $(shell .ci/testtmp)

test: tools check
	CGO_ENABLED=0 $(GO) build -o bin/sanad ./cmd/web
	TMPDIR=$(TESTTMP) $(GO) test -race $(SQLITE) $(LINK) -timeout 25m $(RACE)
	TMPDIR=$(TESTTMP) $(GO) test $(LINK) -timeout 25m $$($(GO) list ./... | grep -vxF "$$($(GO) list $(RACE) ./internal/e2e/...)")
	TMPDIR=$(TESTTMP) $(GO) test $(LINK) -timeout 25m ./internal/e2e/...

check:
	$(GO) tool templ generate -check -log-level error # make generate brings them up to date
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

postgres:
	.ci/postgres

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
	CGO_ENABLED=0 $(GO) build -o bin/sanad ./cmd/web
	.ci/compare $(OLD) bin/sanad
