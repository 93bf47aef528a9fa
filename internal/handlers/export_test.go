package handlers

import (
	"net/http"

	"sanad/internal/domain/access"
	"sanad/internal/handlers/web"
)

// Route is an endpoint as tests see it.
type Route struct {
	Method, Path   string
	Public, Reauth bool
	Object         string

	Plain, Idempotent, OnlyIdempotent bool // Handle, Idempotent, and what belongs to Idempotent alone
}

// Routes returns all endpoints.
func Routes() []Route {
	var out []Route
	for _, e := range Endpoints(&web.Server{}, Options{}) {
		out = append(out, Route{
			Method: e.Method, Path: e.Path, Public: e.Action == access.Public, Reauth: e.Reauth,
			Object: e.Object, Plain: e.Handle != nil, Idempotent: e.Idempotent != nil,
			OnlyIdempotent: e.Streams || len(e.Secrets) > 0,
		})
	}
	return out
}

// NewWith is New with more endpoints, for benchmarks.
func NewWith(o Options, more []web.Endpoint) http.Handler {
	core := web.NewServer(o)
	return core.Handler(append(Endpoints(core, o), more...))
}
