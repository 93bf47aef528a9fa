package library_test

import (
	"slices"
	"testing"

	"sanad/internal/handlers/accounts"
	"sanad/internal/handlers/ledger"
	"sanad/internal/handlers/library"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/webtest"
)

func TestMain(m *testing.M) { webtest.Main(m, endpoints) }

func endpoints(core *web.Server, o web.Options) []web.Endpoint {
	return slices.Concat(core.Endpoints(), ledger.Endpoints(core, o.Import, o.Embedded), accounts.Endpoints(core, o.OIDC),
		library.Endpoints(core, o.Import))
}
