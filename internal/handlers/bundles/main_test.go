package bundles_test

import (
	"slices"
	"testing"

	"sanad/internal/handlers/bundles"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/webtest"
)

func TestMain(m *testing.M) { webtest.Main(m, endpoints) }

// endpoints are those of this package.
func endpoints(core *web.Server, _ web.Options) []web.Endpoint {
	return slices.Concat(core.Endpoints(), bundles.Endpoints(core))
}
