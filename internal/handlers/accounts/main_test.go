package accounts_test

import (
	"slices"
	"testing"

	"sanad/internal/handlers/accounts"
	"sanad/internal/handlers/bundles"
	"sanad/internal/handlers/ledger"
	"sanad/internal/handlers/packs"
	"sanad/internal/handlers/search"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/webhooks"
	"sanad/internal/handlers/webtest"
)

func TestMain(m *testing.M) { webtest.Main(m, endpoints) }

// endpoints are those of this package, and of others what its tests send requests to.
func endpoints(core *web.Server, o web.Options) []web.Endpoint {
	return slices.Concat(
		core.Endpoints(), accounts.Endpoints(core, o.OIDC), bundles.Endpoints(core),
		ledger.Endpoints(core, o.Import, o.Embedded), packs.Endpoints(core, o.TraceViewer), search.Endpoints(core),
		webhooks.Endpoints(core, o.WebhookAllow),
	)
}
