package web

import (
	"net/http"
	"slices"

	"sanad/internal/domain/access"
	"sanad/internal/handlers/web/apidoc"
	"sanad/internal/openapi"
)

// Endpoints returns those that belong to no capability: health, metrics, assets, the description of the API, and the
// guide of the demo.
func (s *Server) Endpoints() []Endpoint {
	return slices.Concat(s.webPages(), s.webAPI(), s.guideEndpoints())
}

// guideEndpoints exist in the demo only.
func (s *Server) guideEndpoints() []Endpoint {
	if s.guide == "" {
		return nil
	}
	return []Endpoint{
		{Method: http.MethodPost, Path: "/dev/guide", Action: access.UseAccount, Handle: SmallForm(s.setGuide)},
	}
}

// webPages are the pages and forms.
func (s *Server) webPages() []Endpoint {
	return []Endpoint{
		{Method: http.MethodGet, Path: "/healthz", Action: access.Public, Handle: s.health},
		{Method: http.MethodGet, Path: "/readyz", Action: access.Public, Handle: s.ready},
		// public, but requires the operator's token
		{Method: http.MethodGet, Path: "/metrics", Action: access.Public, Handle: s.showMetrics},
		{Method: http.MethodGet, Path: "/static/:name", Action: access.Public, Handle: asset},
		{Method: http.MethodGet, Path: "/fonts/:name", Action: access.Public, Handle: font},
		{
			Method: http.MethodGet, Path: "/.well-known/security.txt", Action: access.Public,
			Handle: s.showSecurityContacts,
		},
		// verifies a downloaded pack, entirely in the browser
		{Method: http.MethodGet, Path: "/verify.html", Action: access.Public, Handle: showVerifyPage},
		{Method: http.MethodGet, Path: "/docs/api", Action: access.Public, Handle: s.showAPI},
		{Method: http.MethodGet, Path: "/docs/api/:chapter", Action: access.Public, Handle: s.showAPI},
	}
}

// webAPI are the calls of the API.
func (s *Server) webAPI() []Endpoint {
	return []Endpoint{
		{
			Method: http.MethodGet, Path: "/api/v1/openapi.json", Action: access.Public,
			Doc: &apidoc.Doc{
				ID: "showDescription", Tag: "description", Summary: "This description", IfNoneMatch: true,
				Answers: []apidoc.Answer{
					{
						Status: "200", Description: "The description.",
						Body: apidoc.FixedSchema(&openapi.Schema{Type: openapi.Types{"object"}}), Headers: []string{"ETag"},
					},
					apidoc.Unchanged,
				},
			},
			Handle: s.apiShowOpenAPI,
		},
	}
}
