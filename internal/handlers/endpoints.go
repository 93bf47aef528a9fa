package handlers

import (
	"net/http"
	"slices"

	"sanad/internal/domain/access"
)

// evidencePack is what a pack is called in questions to the Authorizer.
const evidencePack = "evidence_pack"

// endpoints are all that the product answers to, capability by capability. What is not among them does not exist.
func (s *Server) endpoints() []Endpoint {
	return slices.Concat(
		s.webEndpoints(), s.accountEndpoints(), s.auditEndpoints(), s.ledgerEndpoints(), s.searchEndpoints(),
		s.jobEndpoints(), s.packEndpoints(), s.webhookEndpoints(), s.bundleEndpoints(),
	)
}

// demoEndpoints are those of the demo alone; elsewhere they do not exist. What they show or keep is no tenant's.
func (s *Server) demoEndpoints() []Endpoint {
	var out []Endpoint
	if s.gallery {
		out = append(out, Endpoint{
			Method: http.MethodGet, Path: "/dev/gallery", Action: access.Public, Handle: s.showGallery,
		})
	}
	if s.guide != "" {
		out = append(out, Endpoint{
			Method: http.MethodPost, Path: "/dev/guide", Action: access.UseAccount, Handle: s.setGuide,
		})
	}
	return out
}
