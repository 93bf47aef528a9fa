package packs

import (
	"net/http"

	"sanad/internal/domain/access"
	"sanad/internal/domain/pack"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/apidoc"
	"sanad/internal/handlers/web/limits"
	"sanad/internal/openapi"
)

// proofEndpoints are the endpoints of what proves a signed pack: its envelope, proofs of parts, copies with parts
// redacted.
func (s *server) proofEndpoints() []web.Endpoint {
	return []web.Endpoint{
		{
			Method: http.MethodGet, Path: "/api/v1/packs/:id/dsse", Action: access.ReadPack, Object: web.EvidencePack,
			Doc: &apidoc.Doc{
				ID: "showEnvelope", Tag: "packs", Summary: "Read the signed envelope",
				Description: "404 until the pack is signed off.",
				Answers: []apidoc.Answer{{Status: "200", Description: "DSSE, as it is stored.",
					Body: pack.Envelope{}}},
			},
			Handle: s.apiShowEnvelope,
		},
		{
			Method: http.MethodGet, Path: "/packs/:id/parts", Action: access.ExportPack, Object: web.EvidencePack,
			Handle: s.showParts,
		},
		{
			Method: http.MethodPost, Path: "/packs/:id/parts/proof", Action: access.ExportPack,
			Object: web.EvidencePack,
			Handle: web.Form(web.MaxForm, s.provePart),
		},
		{
			Method: http.MethodGet, Path: "/api/v1/packs/:id/proofs/:kind/:part", Action: access.ExportPack,
			Object: web.EvidencePack,
			Doc: &apidoc.Doc{
				ID: "provePart", Tag: "packs", Summary: "Prove one part",
				Description: "A proof that one part is in the signed pack. It can be verified without the pack.",
				Path: map[string]*openapi.Schema{
					"kind": openapi.Choice(
						[]string{pack.LeafClaim, pack.LeafAside, pack.LeafExcerpt, pack.LeafMemo, pack.LeafCall}, "",
					),
					"part": openapi.String("A claim_id, E1, body_ar, T1."),
				},
				Answers: []apidoc.Answer{{
					Status: "200", Description: "The proof, as a file.", Body: pack.Proof{},
					Headers: []string{"Content-Disposition"},
				}},
			},
			Handle: s.apiProvePart,
		},
		{
			Method: http.MethodPost, Path: "/packs/:id/parts/redacted", Work: limits.RedactWork, Action: access.ExportPack,
			Object: web.EvidencePack, Handle: web.Form(web.MaxForm, s.redactParts),
		},
		{
			Method: http.MethodPost, Path: "/api/v1/packs/:id/redacted", Work: limits.RedactWork, Action: access.ExportPack,
			Object: web.EvidencePack,
			Doc: &apidoc.Doc{
				ID: "redactPack", Tag: "packs", Summary: "Make a redacted copy",
				Description: "The rest still verifies. Each copy is recorded in the audit log.",
				Reads:       redactionInput{},
				Example: map[string]any{
					"redactions": []any{
						map[string]any{"kind": "excerpt", "id": "E1", "reason": "Personal data", "rule": "PDPL 10"},
					},
				},
				Answers: []apidoc.Answer{{
					Status: "200", Description: "The copy, as a file.", Body: pack.Redacted{},
					Headers: []string{"Content-Disposition"},
				}},
			},
			Handle: s.apiRedactPack,
		},
		{
			Method: http.MethodGet, Path: "/packs/:id/erased", Action: access.ReadPack, Object: web.EvidencePack,
			Handle: s.sendErased,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/packs/:id/erased", Action: access.ReadPack,
			Object: web.EvidencePack,
			Doc: &apidoc.Doc{
				ID: "getErasedPack", Tag: "retention", Summary: "Read what is kept of an erased pack",
				Description: "The envelope of its signed statement and the hash of each part; `sanad verify` takes it. " +
					"404 for a pack that was not erased.",
				Answers: []apidoc.Answer{{
					Status: "200", Description: "The copy, as a file.", Body: pack.Erased{},
					Headers: []string{"Content-Disposition"},
				}},
			},
			Handle: s.sendErased,
		},
	}
}
