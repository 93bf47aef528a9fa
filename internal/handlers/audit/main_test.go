package audit_test

import (
	"slices"
	"testing"

	"sanad/internal/handlers/audit"
	"sanad/internal/handlers/ledger"
	"sanad/internal/handlers/packs"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/webtest"
)

func TestMain(m *testing.M) { webtest.Main(m, endpoints) }

// endpoints are those of this package, and of others what its tests send requests to.
func endpoints(core *web.Server, o web.Options) []web.Endpoint {
	return slices.Concat(core.Endpoints(), audit.Endpoints(core), ledger.Endpoints(core, o.Import, o.Embedded),
		packs.Endpoints(core, o.TraceViewer))
}
