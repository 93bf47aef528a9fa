// Package handlers is the web app and the API: it joins the endpoints of all capabilities, each of which has a package
// of its own. README.md says how a request flows through them, and how to add a page or an operation of the API.
package handlers

import (
	"net/http"
	"slices"

	"sanad/internal/handlers/accounts"
	"sanad/internal/handlers/audit"
	"sanad/internal/handlers/bundles"
	"sanad/internal/handlers/erasures"
	"sanad/internal/handlers/jobs"
	"sanad/internal/handlers/ledger"
	"sanad/internal/handlers/library"
	"sanad/internal/handlers/models"
	"sanad/internal/handlers/notify"
	"sanad/internal/handlers/packs"
	"sanad/internal/handlers/search"
	"sanad/internal/handlers/traces"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/limits"
	"sanad/internal/handlers/webhooks"
)

// Options is what the app is made of.
type Options = web.Options

// Mail is what pages and metrics say of mail.
type Mail = web.Mail

// ModelTest is how an endpoint that judges sessions is tested.
type ModelTest = web.ModelTest

// Rate is how many requests an API token may make.
type Rate = limits.Rate

// LoginFailures is how many wrong passwords an address may send.
type LoginFailures = limits.LoginFailures

// New returns the app as one handler.
func New(o Options) http.Handler {
	core := web.NewServer(o)
	return core.Handler(Endpoints(core, o))
}

// OpenAPI returns the description of the API, as GET /api/v1/openapi.json answers it.
func OpenAPI() []byte { return web.Describe(Endpoints(&web.Server{}, Options{})) }

// Endpoints returns all endpoints of the app, capability by capability. Any other address is a 404.
func Endpoints(core *web.Server, o Options) []web.Endpoint {
	return slices.Concat(
		core.Endpoints(), accounts.Endpoints(core, o.OIDC), audit.Endpoints(core), ledger.Endpoints(core, o.Import, o.Embedded),
		search.Endpoints(core), jobs.Endpoints(core, o.Stopping), packs.Endpoints(core, o.TraceViewer),
		webhooks.Endpoints(core, o.WebhookAllow), models.Endpoints(core, o.ModelTest), bundles.Endpoints(core),
		library.Endpoints(core, o.Import), erasures.Endpoints(core), notify.Endpoints(core),
		mcpEndpoints(core, o.Version), traces.Endpoints(core), galleryEndpoints(core, o.Gallery),
	)
}
