package packs_test

import (
	"slices"
	"testing"

	"sanad/internal/handlers/bundles"
	"sanad/internal/handlers/erasures"
	"sanad/internal/handlers/jobs"
	"sanad/internal/handlers/ledger"
	"sanad/internal/handlers/library"
	"sanad/internal/handlers/packs"
	"sanad/internal/handlers/search"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/webtest"
)

func TestMain(m *testing.M) { webtest.Main(m, endpoints) }

// endpoints are those of this package, and of others what its tests send requests to.
func endpoints(core *web.Server, o web.Options) []web.Endpoint {
	return slices.Concat(
		core.Endpoints(), packs.Endpoints(core, o.TraceViewer), bundles.Endpoints(core),
		jobs.Endpoints(core, o.Stopping), ledger.Endpoints(core, o.Import, o.Embedded), search.Endpoints(core),
		erasures.Endpoints(core), library.Endpoints(core, o.Import),
	)
}
