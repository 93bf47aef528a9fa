package ledger_test

import (
	"slices"
	"testing"

	"sanad/internal/handlers/accounts"
	"sanad/internal/handlers/bundles"
	"sanad/internal/handlers/jobs"
	"sanad/internal/handlers/ledger"
	"sanad/internal/handlers/packs"
	"sanad/internal/handlers/search"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/webtest"
)

func TestMain(m *testing.M) { webtest.Main(m, endpoints) }

// endpoints are those of this package, and of others what its tests send requests to.
func endpoints(core *web.Server, o web.Options) []web.Endpoint {
	return slices.Concat(
		core.Endpoints(), ledger.Endpoints(core, o.Import, o.Embedded), accounts.Endpoints(core, o.OIDC),
		bundles.Endpoints(core), jobs.Endpoints(core, o.Stopping), packs.Endpoints(core, o.TraceViewer),
		search.Endpoints(core),
	)
}
