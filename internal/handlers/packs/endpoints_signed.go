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

// signedCalls are the operations of the API on what becomes of a signed pack: proofs, exports, holds, purges.
func (s *server) signedCalls() []web.Endpoint {
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
			Method: http.MethodGet, Path: "/api/v1/packs/:id/proofs/:kind/:part", Action: access.ExportPack,
			Object: web.EvidencePack,
			Doc: &apidoc.Doc{
				ID: "provePart", Tag: "packs", Summary: "Prove one part",
				Description: "A proof that one part is in the signed pack. It can be verified without the pack.",
				Path: map[string]*openapi.Schema{
					"kind": openapi.Choice(
						[]string{pack.LeafClaim, pack.LeafExcerpt, pack.LeafMemo, pack.LeafCall}, "",
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
			Method: http.MethodPost, Path: "/api/v1/packs/:id/export", Action: access.AskPackExport,
			Object: web.EvidencePack,
			Doc: &apidoc.Doc{
				ID: "exportPack", Tag: "exports", Summary: "Export a pack, or ask for a copy",
				Description: "The formats are zip, json, markdown and pdf. Approvers get a link at once; for all " +
					"others this asks for a copy.",
				Reads: packExportInput{}, Example: map[string]any{"format": "zip"}, Conflicts: true,
				Answers: []apidoc.Answer{
					{Status: "200", Description: "A personal link.", Body: apiLink{}},
					{Status: "202", Description: "The request, which waits to be granted.", Body: apiExport{}},
				},
			},
			Idempotent: web.WithBody(s.apiExportPack),
		},
		{
			Method: http.MethodPost, Path: "/api/v1/packs/:id/hold", Action: access.HoldPack, Object: web.EvidencePack,
			IfMatch: web.OptionalMatch("pack"),
			Doc: &apidoc.Doc{
				ID: "holdPack", Tag: "retention", Summary: "Put a pack under legal hold", Reads: reasonInput{},
				Conflicts: true, Answers: []apidoc.Answer{aPack},
			},
			Idempotent: s.apiSetHold,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/packs/:id/hold/lift", Action: access.HoldPack,
			Object: web.EvidencePack, IfMatch: web.OptionalMatch("pack"),
			Doc: &apidoc.Doc{
				ID: "liftHold", Tag: "retention", Summary: "Lift a legal hold", Reads: reasonInput{}, Conflicts: true,
				Answers: []apidoc.Answer{aPack, web.WaitsAnswer},
			},
			Idempotent: s.apiLiftHold,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/packs/:id/purge", Action: access.PurgePack,
			Object: web.EvidencePack,
			Doc: &apidoc.Doc{
				ID: "askPurge", Tag: "retention", Summary: "Ask for a purge",
				Description: "A dry run: nothing is deleted before a second person confirms. Possible only after " +
					"retain_until, and never under a legal hold.",
				Reads: apidoc.NoFields, BodyOptional: true, Conflicts: true,
				Answers: []apidoc.Answer{{Status: "201", Description: "What would be deleted.", Body: apiPurge{}}},
			},
			Idempotent: web.WithoutBody(s.apiAskPurge),
		},
		{
			Method: http.MethodGet, Path: "/api/v1/pack-exports", Action: access.AskPackExport,
			Doc: &apidoc.Doc{
				ID: "listExports", Tag: "exports", Summary: "List requests for copies",
				Description: "The caller's own requests, or those that wait.",
				Query:       apidoc.ListQuery(apidoc.FlagOf("waiting", "Those of others that wait to be granted.")),
				Answers:     []apidoc.Answer{apidoc.PageOf("exports", apiExport{})},
			},
			Handle: s.apiListExports,
		},
		// asks for the password itself
		{
			Method: http.MethodPost, Path: "/api/v1/pack-exports/:id/grant", Action: access.ExportPack,
			Object: web.EvidencePack, Names: web.OfPackExport,
			Doc: &apidoc.Doc{
				ID: "grantExport", Tag: "exports", Summary: "Grant a copy",
				Description: "For requests of others, and only for people.", Reads: passwordInput{},
				Example: map[string]any{"password": "…"}, Conflicts: true,
				Answers: []apidoc.Answer{{Status: "200", Description: "The request.", Body: apiExport{}}},
			},
			Secrets: proofMembers, Idempotent: web.WithBody(s.apiGrantExport),
		},
		{
			Method: http.MethodPost, Path: "/api/v1/pack-exports/:id/refuse", Action: access.ExportPack,
			Object: web.EvidencePack, Names: web.OfPackExport,
			Doc: &apidoc.Doc{
				ID: "refuseExport", Tag: "exports", Summary: "Refuse a copy",
				Description: "For requests of others.", Reads: reasonInput{}, Conflicts: true,
				Answers: []apidoc.Answer{{Status: "200", Description: "The request.", Body: apiExport{}}},
			},
			Idempotent: web.WithBody(s.apiRefuseExport),
		},
		{
			Method: http.MethodPost, Path: "/api/v1/pack-exports/:id/link", Action: access.AskPackExport,
			Object: web.EvidencePack, Names: web.OfPackExport,
			Doc: &apidoc.Doc{
				ID: "linkExport", Tag: "exports", Summary: "Fetch the link of a granted copy",
				Description: "For the caller's own request, once.",
				Reads:       apidoc.NoFields, BodyOptional: true, Conflicts: true,
				Answers: []apidoc.Answer{{Status: "200", Description: "A personal link.", Body: apiLink{}}},
			},
			Idempotent: web.WithoutBody(s.apiLinkExport),
		},
		{
			Method: http.MethodGet, Path: "/api/v1/pack-purges", Action: access.ConfirmPackPurge,
			Doc: &apidoc.Doc{
				ID: "listPurges", Tag: "retention", Summary: "List purges",
				Answers: []apidoc.Answer{{
					Status:      "200",
					Description: "Requests that wait for a second person, packs that may be purged, and tombstones.",
					Body:        apiPurges{},
				}},
			},
			Handle: s.apiListPurges,
		},
		// asks for the password itself
		{
			Method: http.MethodPost, Path: "/api/v1/pack-purges/:id/confirm", Action: access.ConfirmPackPurge,
			Object: web.EvidencePack, Names: web.OfPackPurge("id"),
			Doc: &apidoc.Doc{
				ID: "confirmPurge", Tag: "retention", Summary: "Confirm a purge",
				Description: "By a second person: the pack is deleted, its tombstone stays.",
				Reads:       passwordInput{}, Example: map[string]any{"password": "…"}, Conflicts: true,
				Answers: []apidoc.Answer{{Status: "200", Description: "The tombstone.", Body: pack.Tombstone{}}},
			},
			Secrets: proofMembers, Idempotent: web.WithBody(s.apiConfirmPurge),
		},
		{
			Method: http.MethodPost, Path: "/api/v1/pack-purges/:id/refuse", Action: access.ConfirmPackPurge,
			Object: web.EvidencePack, Names: web.OfPackPurge("id"),
			Doc: &apidoc.Doc{
				ID: "refusePurge", Tag: "retention", Summary: "Refuse a purge", Reads: apidoc.NoFields, BodyOptional: true,
				Conflicts: true, Answers: []apidoc.Answer{{Status: "204", Description: "The request is refused."}},
			},
			Idempotent: web.WithoutBody(s.apiRefusePurge),
		},
	}
}
