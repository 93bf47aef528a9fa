// Package handlers is the web app and the API. It joins the endpoints of all capabilities; each handler parses its
// request, calls one room and renders. Echo is confined to this package and cmd/web (docs/adr/0001).
package handlers

import (
	"net/http"
	"slices"
)

// New makes the whole app.
func New(o Options) http.Handler {
	s := NewServer(o)
	return s.Handler(append(endpoints(s), s.galleryEndpoints()...))
}

// OpenAPI returns the description of the API, as GET /api/v1/openapi.json answers it.
func OpenAPI() []byte { return Describe(endpoints(&Server{})) }

// endpoints are all that the product answers to, capability by capability. What is not among them does not exist.
func endpoints(s *Server) []Endpoint {
	return slices.Concat(
		s.webEndpoints(), s.accountEndpoints(), s.auditEndpoints(), s.ledgerEndpoints(), s.searchEndpoints(),
		s.jobEndpoints(), s.packEndpoints(), s.webhookEndpoints(), s.bundleEndpoints(),
	)
}
