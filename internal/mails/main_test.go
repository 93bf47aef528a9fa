package mails_test

import (
	"slices"
	"testing"

	"sanad/internal/handlers/ledger"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/webtest"
)

func TestMain(m *testing.M) { webtest.Main(m, endpoints) }

// endpoints are what the tests send requests to.
func endpoints(core *web.Server, o web.Options) []web.Endpoint {
	return slices.Concat(core.Endpoints(), ledger.Endpoints(core, o.Import, o.Embedded))
}
