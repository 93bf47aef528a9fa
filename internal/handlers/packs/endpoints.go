package packs

import (
	"net/http"

	"sanad/internal/domain/access"
	"sanad/internal/domain/pack"
	"sanad/internal/handlers/web"
	"sanad/internal/importers"
	"sanad/internal/openapi"
)

// Endpoints returns the endpoints of decisions and their evidence packs: drafts, sign-off, exports, retention.
func Endpoints(core *web.Server, traceViewer string) []web.Endpoint {
	s := &server{Server: core, traceViewer: traceViewer}
	return append(s.pages(), s.api()...)
}

// pages are the pages and forms.
func (s *server) pages() []web.Endpoint {
	return []web.Endpoint{
		{
			Method: http.MethodGet, Path: "/downloads/packs/:token", Action: access.AskPackExport,
			Handle: s.downloadPack,
		},
		{Method: http.MethodGet, Path: "/packs", Action: access.ReadPack, Handle: s.listPacks},
		{Method: http.MethodGet, Path: "/packs/new", Action: access.DraftPack, Handle: s.newPack},
		{Method: http.MethodPost, Path: "/packs", Action: access.DraftPack, Handle: s.createPack},
		{
			Method: http.MethodGet, Path: "/packs/:id", Action: access.ReadPack, Object: web.EvidencePack,
			Handle: s.showPack,
		},
		{
			Method: http.MethodGet, Path: "/packs/:id/edit", Action: access.DraftPack, Object: web.EvidencePack,
			Handle: s.editPack,
		},
		{
			Method: http.MethodPost, Path: "/packs/:id/edit", Action: access.DraftPack, Object: web.EvidencePack,
			Handle: s.saveDraft,
		},
		{
			Method: http.MethodPost, Path: "/packs/:id/submit", Action: access.DraftPack, Object: web.EvidencePack,
			Handle: s.submitPack,
		},
		{
			Method: http.MethodGet, Path: "/packs/:id/compare", Action: access.ReadPack, Object: web.EvidencePack,
			Handle: s.comparePack,
		},
		// asks for the password itself
		{
			Method: http.MethodPost, Path: "/packs/:id/approve", Action: access.DecidePack, Object: web.EvidencePack,
			Handle: s.approvePack,
		},
		{
			Method: http.MethodPost, Path: "/packs/:id/return", Action: access.DecidePack, Object: web.EvidencePack,
			Handle: s.returnPack,
		},
		{
			Method: http.MethodPost, Path: "/packs/:id/versions", Action: access.DraftPack, Object: web.EvidencePack,
			Handle: s.newVersion,
		},
		{
			Method: http.MethodPost, Path: "/packs/:id/exports", Action: access.ExportPack, Object: web.EvidencePack,
			Handle: s.makeExport,
		},
		{
			Method: http.MethodPost, Path: "/packs/:id/exports/ask", Action: access.AskPackExport,
			Object: web.EvidencePack, Handle: s.askExport,
		},
		{
			Method: http.MethodPost, Path: "/packs/:id/exports/:export/grant", Action: access.ExportPack,
			Object: web.EvidencePack, Reauth: true, Handle: s.grantExport,
		},
		{
			Method: http.MethodPost, Path: "/packs/:id/exports/:export/refuse", Action: access.ExportPack,
			Object: web.EvidencePack, Handle: s.denyExport,
		},
		{
			Method: http.MethodPost, Path: "/packs/:id/exports/:export/link", Action: access.AskPackExport,
			Object: web.EvidencePack, Handle: s.linkExport,
		},
		{
			Method: http.MethodGet, Path: "/packs/:id/attachments/:sha256", Action: access.ReadPack,
			Object: web.EvidencePack, Handle: s.downloadAttachment,
		},
		{
			Method: http.MethodGet, Path: "/packs/:id/parts", Action: access.ExportPack, Object: web.EvidencePack,
			Handle: s.showParts,
		},
		{
			Method: http.MethodPost, Path: "/packs/:id/parts/proof", Action: access.ExportPack,
			Object: web.EvidencePack,
			Handle: s.provePart,
		},
		{
			Method: http.MethodPost, Path: "/packs/:id/parts/redacted", Action: access.ExportPack,
			Object: web.EvidencePack, Handle: s.redactParts,
		},
		{
			Method: http.MethodPost, Path: "/packs/:id/hold", Action: access.HoldPack, Object: web.EvidencePack,
			Handle: s.holdPack,
		},
		{
			Method: http.MethodPost, Path: "/packs/:id/unhold", Action: access.HoldPack, Object: web.EvidencePack,
			Handle: s.unholdPack,
		},
		{
			Method: http.MethodPost, Path: "/packs/:id/purge", Action: access.PurgePack, Object: web.EvidencePack,
			Reauth: true, Handle: s.askPurge,
		},
		{Method: http.MethodGet, Path: "/admin/retention", Action: access.ConfirmPackPurge, Handle: s.showRetention},
		{
			Method: http.MethodPost, Path: "/admin/retention/:purge/confirm", Action: access.ConfirmPackPurge,
			Reauth: true, Handle: s.confirmPurge,
		},
		{
			Method: http.MethodPost, Path: "/admin/retention/:purge/refuse", Action: access.ConfirmPackPurge,
			Handle: s.refusePurge,
		},
	}
}

// api are the calls of the API.
func (s *server) api() []web.Endpoint {
	return []web.Endpoint{
		{
			Method: http.MethodGet, Path: "/api/v1/decisions", Action: access.ReadPack,
			Doc: &web.Doc{
				ID: "listDecisions", Tag: "decisions", Summary: "List decisions", Description: "Newest first.",
				Query: web.ListQuery(
					web.FlagOf("missing", "Only those that must have a pack and have none."),
					web.ChoiceOf("level", "", web.Levels...), web.TextOf("q", "In the title, the agent or the entity."),
				),
				Answers: []web.Answer{web.PageOf("decisions", apiDecisionRow{})},
			},
			Handle: s.apiListDecisions,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/decisions", Action: access.ImportDecision,
			Doc: &web.Doc{
				ID: "importDecision", Tag: "decisions", Summary: "Import a decision",
				Description: "The excerpt of an S3 source, and the inputs and outputs of an S3 tool call, are " +
					"replaced by a URI and a salted hash before anything is stored.",
				Reads: importers.DecisionFile(), Conflicts: true,
				Answers: []web.Answer{
					{
						Status: "201", Description: "It is stored; requirement says whether it must have a pack.",
						Body: apiDecision{}, Headers: []string{"Location"},
					},
					{
						Status: "200", Description: "The same content was stored before.", Body: apiDecision{},
						Headers: []string{"Location"},
					},
				},
			},
			Idempotent: s.apiCreateDecision,
		},
		// the caller's id
		{
			Method: http.MethodGet, Path: "/api/v1/decisions/:id", Action: access.ReadPack,
			Doc: &web.Doc{
				ID: "showDecision", Tag: "decisions", Summary: "Read a decision",
				Description: "As it is stored (texts of class S3 replaced), with the packs about it.",
				Path:        map[string]*openapi.Schema{"id": openapi.String("The caller's id of the decision.")},
				Answers:     []web.Answer{{Status: "200", Description: "The decision.", Body: apiDecisionKept{}}},
			},
			Handle: s.apiShowDecision,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/packs", Action: access.ReadPack,
			Doc: &web.Doc{
				ID: "listPacks", Tag: "packs", Summary: "List packs", Description: "Newest first.",
				Query: web.ListByState(
					"", pack.States, web.TextOf("decision_id", ""), web.TextOf("ledger_session_id", ""),
					web.TextOf("q", "In the title, the agent or the ids."),
				),
				Answers: []web.Answer{web.PageOf("packs", apiPackRow{})},
			},
			Handle: web.TakesStatus(s.apiListPacks),
		},
		{
			Method: http.MethodPost, Path: "/api/v1/packs", Action: access.DraftPack,
			Doc: &web.Doc{
				ID: "createPack", Tag: "packs", Summary: "Open a draft",
				Description: "409 if the decision has a pack: open a new version of that.", Reads: packInput{},
				Example: map[string]any{"decision_id": "dec_abc123"}, Conflicts: true, Answers: []web.Answer{newPack},
			},
			Idempotent: s.apiCreatePack,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/packs/:id", Action: access.ReadPack, Object: web.EvidencePack,
			Doc: &web.Doc{
				ID: "showPack", Tag: "packs", Summary: "Read a pack",
				Description: "The content of pack.json, and everything that changes later. The exact bytes of " +
					"pack.json are in an export.",
				IfNoneMatch: true,
				Answers: []web.Answer{
					{Status: "200", Description: "The pack.", Body: apiPack{}, Headers: []string{"ETag"}},
					web.Unchanged,
				},
			},
			Handle: s.apiShowPack,
		},
		{
			Method: http.MethodPatch, Path: "/api/v1/packs/:id", Action: access.DraftPack, Object: web.EvidencePack,
			IfMatch: web.RequiredMatch("pack"),
			Doc: &web.Doc{
				ID: "editPack", Tag: "packs", Summary: "Rewrite a draft's memo",
				Description: "Fields that are left out stay unchanged.", Reads: packChange{},
				Example:   map[string]any{"memo": map[string]any{"title_en": "Fit of Riyadh Hospital"}},
				Conflicts: true, Answers: []web.Answer{aPack},
			},
			Idempotent: s.apiUpdatePack,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/packs/:id/submit", Action: access.DraftPack,
			Object:  web.EvidencePack,
			IfMatch: web.OptionalMatch("pack"),
			Doc: &web.Doc{
				ID: "submitPack", Tag: "packs", Summary: "Submit a draft for review",
				Description: "Freezes pack.json. A draft that breaks rules is refused; errors lists all of them, and " +
					"warnings what is worth a look.",
				Reads: web.NoFields, BodyOptional: true, Conflicts: true, Answers: []web.Answer{aPack},
			},
			Idempotent: s.apiSubmitPack,
		},
		// asks for the password itself
		{
			Method: http.MethodPost, Path: "/api/v1/packs/:id/approve", Action: access.DecidePack,
			Object: web.EvidencePack, IfMatch: web.OptionalMatch("pack"),
			Doc: &web.Doc{
				ID: "approvePack", Tag: "packs", Summary: "Approve a pack",
				Description: "The last approval that is needed signs the pack off. Only for people who have not " +
					"made or edited any version of it, with their password; a machine's token gets 403. With " +
					"digest, only a pack with these bytes is approved.",
				Reads: approvalInput{}, Example: map[string]any{"password": "…", "comment": "Read and agreed."},
				Conflicts: true, Answers: []web.Answer{aPack},
			},
			Secrets: proofMembers, Idempotent: s.apiApprovePack,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/packs/:id/return", Action: access.DecidePack,
			Object: web.EvidencePack, IfMatch: web.OptionalMatch("pack"),
			Doc: &web.Doc{
				ID: "returnPack", Tag: "packs", Summary: "Return a pack to its authors",
				Description: "Only for people.",
				Reads:       reasonInput{}, Example: map[string]any{"reason": "Name the hospital."}, Conflicts: true,
				Answers: []web.Answer{aPack},
			},
			Idempotent: s.apiReturnPack,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/packs/:id/versions", Action: access.ReadPack,
			Object: web.EvidencePack,
			Doc: &web.Doc{
				ID: "listVersions", Tag: "packs", Summary: "List a pack's versions",
				Answers: []web.Answer{{
					Status: "200", Description: "Oldest first.", Body: web.RowsOf("versions", apiPackRow{}),
				}},
			},
			Handle: s.apiListVersions,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/packs/:id/versions", Action: access.DraftPack,
			Object: web.EvidencePack, IfMatch: web.OptionalMatch("pack"),
			Doc: &web.Doc{
				ID: "createVersion", Tag: "packs", Summary: "Open the next version",
				Description: "For a pack that was signed off or returned.", Reads: web.NoFields, BodyOptional: true,
				Conflicts: true, Answers: []web.Answer{newPack},
			},
			Idempotent: s.apiNewVersion,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/packs/:id/changes", Action: access.ReadPack,
			Object: web.EvidencePack,
			Doc: &web.Doc{
				ID: "showChanges", Tag: "packs", Summary: "See what changed",
				Query: []*openapi.Parameter{
					web.TextOf(
						"from",
						"Another version of the pack (by default the previous one); or `signed`, the last version "+
							"before it that was signed off; or `ledger`, for what changed there since it was copied.",
					),
				},
				Answers: []web.Answer{{Status: "200", Description: "The changes.", Body: apiChanges{}}},
			},
			Handle: s.apiShowChanges,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/packs/:id/dsse", Action: access.ReadPack, Object: web.EvidencePack,
			Doc: &web.Doc{
				ID: "showEnvelope", Tag: "packs", Summary: "Read the signed envelope",
				Description: "404 until the pack is signed off.",
				Answers: []web.Answer{{Status: "200", Description: "DSSE, as it is stored.",
					Body: pack.Envelope{}}},
			},
			Handle: s.apiShowEnvelope,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/packs/:id/proofs/:kind/:part", Action: access.ExportPack,
			Object: web.EvidencePack,
			Doc: &web.Doc{
				ID: "provePart", Tag: "packs", Summary: "Prove one part",
				Description: "A proof that one part is in the signed pack. It can be verified without the pack.",
				Path: map[string]*openapi.Schema{
					"kind": openapi.Choice(
						[]string{pack.LeafClaim, pack.LeafExcerpt, pack.LeafMemo, pack.LeafCall}, "",
					),
					"part": openapi.String("A claim_id, E1, body_ar, T1."),
				},
				Answers: []web.Answer{{
					Status: "200", Description: "The proof, as a file.", Body: pack.Proof{},
					Headers: []string{"Content-Disposition"},
				}},
			},
			Handle: s.apiProvePart,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/packs/:id/redacted", Action: access.ExportPack,
			Object: web.EvidencePack,
			Doc: &web.Doc{
				ID: "redactPack", Tag: "packs", Summary: "Make a redacted copy",
				Description: "The rest still verifies. Each copy is recorded in the audit log.",
				Reads:       redactionInput{},
				Example: map[string]any{
					"redactions": []any{
						map[string]any{"kind": "excerpt", "id": "E1", "reason": "Personal data", "rule": "PDPL 10"},
					},
				},
				Answers: []web.Answer{{
					Status: "200", Description: "The copy, as a file.", Body: pack.Redacted{},
					Headers: []string{"Content-Disposition"},
				}},
			},
			Handle: s.apiRedactPack,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/packs/:id/export", Action: access.AskPackExport,
			Object: web.EvidencePack,
			Doc: &web.Doc{
				ID: "exportPack", Tag: "exports", Summary: "Export a pack, or ask for a copy",
				Description: "The formats are zip, json, markdown and pdf. Approvers get a link at once; for all " +
					"others this asks for a copy.",
				Reads: packExportInput{}, Example: map[string]any{"format": "zip"}, Conflicts: true,
				Answers: []web.Answer{
					{Status: "200", Description: "A personal link.", Body: apiLink{}},
					{Status: "202", Description: "The request, which waits to be granted.", Body: apiExport{}},
				},
			},
			Idempotent: s.apiExportPack,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/packs/:id/hold", Action: access.HoldPack, Object: web.EvidencePack,
			IfMatch: web.OptionalMatch("pack"),
			Doc: &web.Doc{
				ID: "holdPack", Tag: "retention", Summary: "Put a pack under legal hold", Reads: reasonInput{},
				Conflicts: true, Answers: []web.Answer{aPack},
			},
			Idempotent: s.apiSetHold,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/packs/:id/hold/lift", Action: access.HoldPack,
			Object: web.EvidencePack, IfMatch: web.OptionalMatch("pack"),
			Doc: &web.Doc{
				ID: "liftHold", Tag: "retention", Summary: "Lift a legal hold", Reads: reasonInput{}, Conflicts: true,
				Answers: []web.Answer{aPack},
			},
			Idempotent: s.apiLiftHold,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/packs/:id/purge", Action: access.PurgePack,
			Object: web.EvidencePack,
			Doc: &web.Doc{
				ID: "askPurge", Tag: "retention", Summary: "Ask for a purge",
				Description: "A dry run: nothing is deleted before a second person confirms. Possible only after " +
					"retain_until, and never under a legal hold.",
				Reads: web.NoFields, BodyOptional: true, Conflicts: true,
				Answers: []web.Answer{{Status: "201", Description: "What would be deleted.", Body: apiPurge{}}},
			},
			Idempotent: s.apiAskPurge,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/pack-exports", Action: access.AskPackExport,
			Doc: &web.Doc{
				ID: "listExports", Tag: "exports", Summary: "List requests for copies",
				Description: "The caller's own requests, or those that wait.",
				Query:       web.ListQuery(web.FlagOf("waiting", "Those of others that wait to be granted.")),
				Answers:     []web.Answer{web.PageOf("exports", apiExport{})},
			},
			Handle: s.apiListExports,
		},
		// asks for the password itself
		{
			Method: http.MethodPost, Path: "/api/v1/pack-exports/:id/grant", Action: access.ExportPack,
			Doc: &web.Doc{
				ID: "grantExport", Tag: "exports", Summary: "Grant a copy",
				Description: "For requests of others, and only for people.", Reads: passwordInput{},
				Example: map[string]any{"password": "…"}, Conflicts: true,
				Answers: []web.Answer{{Status: "200", Description: "The request.", Body: apiExport{}}},
			},
			Secrets: proofMembers, Idempotent: s.apiGrantExport,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/pack-exports/:id/refuse", Action: access.ExportPack,
			Doc: &web.Doc{
				ID: "refuseExport", Tag: "exports", Summary: "Refuse a copy",
				Description: "For requests of others.", Reads: reasonInput{}, Conflicts: true,
				Answers: []web.Answer{{Status: "200", Description: "The request.", Body: apiExport{}}},
			},
			Idempotent: s.apiRefuseExport,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/pack-exports/:id/link", Action: access.AskPackExport,
			Doc: &web.Doc{
				ID: "linkExport", Tag: "exports", Summary: "Fetch the link of a granted copy",
				Description: "For the caller's own request, once.",
				Reads:       web.NoFields, BodyOptional: true, Conflicts: true,
				Answers: []web.Answer{{Status: "200", Description: "A personal link.", Body: apiLink{}}},
			},
			Idempotent: s.apiLinkExport,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/pack-purges", Action: access.ConfirmPackPurge,
			Doc: &web.Doc{
				ID: "listPurges", Tag: "retention", Summary: "List purges",
				Answers: []web.Answer{{
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
			Doc: &web.Doc{
				ID: "confirmPurge", Tag: "retention", Summary: "Confirm a purge",
				Description: "By a second person: the pack is deleted, its tombstone stays.",
				Reads:       passwordInput{}, Example: map[string]any{"password": "…"}, Conflicts: true,
				Answers: []web.Answer{{Status: "200", Description: "The tombstone.", Body: pack.Tombstone{}}},
			},
			Secrets: proofMembers, Idempotent: s.apiConfirmPurge,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/pack-purges/:id/refuse", Action: access.ConfirmPackPurge,
			Doc: &web.Doc{
				ID: "refusePurge", Tag: "retention", Summary: "Refuse a purge", Reads: web.NoFields, BodyOptional: true,
				Conflicts: true, Answers: []web.Answer{{Status: "204", Description: "The request is refused."}},
			},
			Idempotent: s.apiRefusePurge,
		},
	}
}

// aPack is an answer that is a pack, and newPack one that has just been made.
var (
	aPack = web.Answer{
		Status: "200", Description: "The pack as it is now.", Body: apiPack{}, Headers: []string{"ETag", "Location"},
	}
	newPack = web.Answer{
		Status: "201", Description: "The draft.", Body: apiPack{}, Headers: []string{"ETag", "Location"},
	}
)
