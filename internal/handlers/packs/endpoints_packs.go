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

// packEndpoints are the endpoints of packs as a whole: the list, a new one, its page, versions
// and comments.
func (s *server) packEndpoints() []web.Endpoint {
	return []web.Endpoint{
		{Method: http.MethodGet, Path: "/packs", Action: access.ReadPack, Handle: s.listPacks},
		{Method: http.MethodPost, Path: "/packs", Action: access.DraftPack, Handle: web.SmallForm(s.createPack)},
		{
			Method: http.MethodGet, Path: "/api/v1/packs", Action: access.ReadPack,
			Doc: &apidoc.Doc{
				ID: "listPacks", Tag: "packs", Summary: "List packs", Description: "Newest first.",
				Query:   apidoc.ListQuery(apidoc.Parameters(pack.Filters)...),
				Answers: []apidoc.Answer{apidoc.PageOf("packs", apiPackRow{})},
			},
			Handle: s.apiListPacks,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/packs", Action: access.DraftPack,
			Doc: &apidoc.Doc{
				ID: "createPack", Tag: "packs", Summary: "Open a draft",
				Description: "409 if the decision has a pack: open a new version of that.", Reads: packInput{},
				Example: map[string]any{"decision_id": "dec_abc123"}, Conflicts: true, Answers: []apidoc.Answer{newPack},
			},
			Idempotent: web.WithBody(s.apiCreatePack),
		},
		{
			Method: http.MethodGet, Path: "/packs/:id", Action: access.ReadPack, Object: web.EvidencePack,
			Handle: s.showPack,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/packs/:id", Action: access.ReadPack, Object: web.EvidencePack,
			Doc: &apidoc.Doc{
				ID: "showPack", Tag: "packs", Summary: "Read a pack",
				Description: "The content of pack.json, and everything that changes later. The exact bytes of " +
					"pack.json are in an export. What changes in ledger and documents after submission is in alarms " +
					"and concerns, and changes the ETag.",
				IfNoneMatch: true,
				Answers: []apidoc.Answer{
					{Status: "200", Description: "The pack.", Body: apiPack{}, Headers: []string{"ETag"}},
					apidoc.Unchanged,
				},
			},
			Handle: s.apiShowPack,
		},
		{
			Method: http.MethodPost, Path: "/packs/:id/versions", Action: access.DraftPack, Object: web.EvidencePack,
			Handle: s.newVersion,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/packs/:id/versions", Action: access.ReadPack,
			Object: web.EvidencePack,
			Doc: &apidoc.Doc{
				ID: "listVersions", Tag: "packs", Summary: "List a pack's versions",
				Answers: []apidoc.Answer{{
					Status: "200", Description: "Oldest first.", Body: apidoc.RowsOf("versions", apiPackRow{}),
				}},
			},
			Handle: s.apiListVersions,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/packs/:id/versions", Action: access.DraftPack,
			Object: web.EvidencePack, IfMatch: web.OptionalMatch("pack"),
			Doc: &apidoc.Doc{
				ID: "createVersion", Tag: "packs", Summary: "Open the next version",
				Description: "For a pack that was signed off or returned.", Reads: apidoc.NoFields, BodyOptional: true,
				Conflicts: true, Answers: []apidoc.Answer{newPack},
			},
			Idempotent: web.WithoutBody(s.apiNewVersion),
		},
		{
			Method: http.MethodGet, Path: "/packs/:id/compare", Action: access.ReadPack, Object: web.EvidencePack,
			Handle: s.comparePack,
		},
		{
			Method: http.MethodGet, Path: "/packs/:id/compare.pdf", Work: limits.ExportWork, Action: access.ExportPack,
			Object: web.EvidencePack, Handle: s.comparePDF,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/packs/:id/compare.pdf", Work: limits.ExportWork, Action: access.ExportPack,
			Object: web.EvidencePack,
			Doc: &apidoc.Doc{
				ID: "redlineMemo", Tag: "packs", Summary: "Read what changed in the wording of the memo as a PDF",
				Description: "What the newer version removed is struck through, what it added is underlined.",
				Query: []*openapi.Parameter{
					apidoc.TextOf("with", "The id of another version; by default of the one before."),
					apidoc.ChoiceOf("language", "Of the document's own words; English by default.", web.PDFLanguages...)},
				Answers: []apidoc.Answer{{Status: "200", Description: "The PDF.", Body: apidoc.PDFBytes{},
					Headers: []string{"Content-Disposition"}}},
			},
			Handle: s.comparePDF,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/packs/:id/changes", Action: access.ReadPack,
			Object: web.EvidencePack,
			Doc: &apidoc.Doc{
				ID: "showChanges", Tag: "packs", Summary: "See what changed",
				Query: []*openapi.Parameter{
					apidoc.TextOf(
						"from",
						"Another version of the pack (by default the previous one); or `signed`, the last version "+
							"before it that was signed off; or `ledger`, for what changed there since it was copied.",
					),
				},
				Answers: []apidoc.Answer{{Status: "200", Description: "The changes.", Body: apiChanges{}}},
			},
			Handle: s.apiShowChanges,
		},
		{
			Method: http.MethodPost, Path: "/packs/:id/comments", Action: access.DraftPack, Object: web.EvidencePack,
			Handle: web.Form(web.MaxForm, s.commentOnPack),
		},
		{
			Method: http.MethodGet, Path: "/api/v1/packs/:id/comments", Action: access.ReadPack, Object: web.EvidencePack,
			Doc: &apidoc.Doc{
				ID: "listPackComments", Tag: "packs", Summary: "List the comments on a pack",
				Description: "Oldest first, withdrawn ones too. Comments are no part of pack.json or of an export.",
				Answers: []apidoc.Answer{{Status: "200", Description: "The comments.",
					Body: apidoc.RowsOf("comments", apiComment{})}},
			},
			Handle: s.apiListComments,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/packs/:id/comments", Action: access.DraftPack,
			Object: web.EvidencePack,
			Doc: &apidoc.Doc{
				ID: "commentOnPack", Tag: "packs", Summary: "Comment on a pack",
				Description: "In whatever state the pack is. People of the tenant are addressed by @ and their whole name " +
					"or login name, and notified.",
				Reads: apiCommentInput{}, Example: map[string]any{"text": "@sara, is this the hospital in Riyadh?"},
				Conflicts: true,
				Answers:   []apidoc.Answer{{Status: "201", Description: "The comment.", Body: apiComment{}}},
			},
			Idempotent: web.WithBody(s.apiCommentOnPack),
		},
		{
			Method: http.MethodPost, Path: "/packs/:id/comments/:comment/withdraw", Action: access.DraftPack,
			Object: web.EvidencePack, Handle: s.withdrawComment,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/packs/:id/comments/:comment/withdraw", Action: access.DraftPack,
			Object: web.EvidencePack,
			Doc: &apidoc.Doc{
				ID: "withdrawPackComment", Tag: "packs", Summary: "Withdraw a comment on a pack",
				Description: "Only its author withdraws a comment. Its text stays, marked as withdrawn.",
				Path:        map[string]*openapi.Schema{"comment": openapi.String("The comment's id.")},
				Reads:       apidoc.NoFields, BodyOptional: true, Conflicts: true,
				Answers: []apidoc.Answer{{Status: "200", Description: "The comment as it is now.", Body: apiComment{}}},
			},
			Idempotent: web.WithoutBody(s.apiWithdrawComment),
		},
	}
}

var (
	aPack = apidoc.Answer{
		Status: "200", Description: "The pack as it is now.", Body: apiPack{}, Headers: []string{"ETag", "Location"},
	}
	newPack = apidoc.Answer{
		Status: "201", Description: "The draft.", Body: apiPack{}, Headers: []string{"ETag", "Location"},
	}
)
