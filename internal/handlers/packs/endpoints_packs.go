package packs

import (
	"net/http"

	"sanad/internal/domain/access"
	"sanad/internal/domain/pack"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/apidoc"
	"sanad/internal/importers"
	"sanad/internal/openapi"
)

// packCalls are the operations of the API on decisions, and on packs from the draft to the sign-off.
func (s *server) packCalls() []web.Endpoint {
	return []web.Endpoint{
		{
			Method: http.MethodGet, Path: "/api/v1/decisions", Action: access.ReadPack,
			Doc: &apidoc.Doc{
				ID: "listDecisions", Tag: "decisions", Summary: "List decisions", Description: "Newest first.",
				Query: apidoc.ListQuery(
					apidoc.FlagOf("missing", "Only those that must have a pack and have none."),
					apidoc.ChoiceOf("level", "", pack.Levels...), apidoc.TextOf("q", "In the title, the agent or the entity."),
				),
				Answers: []apidoc.Answer{apidoc.PageOf("decisions", apiDecisionRow{})},
			},
			Handle: s.apiListDecisions,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/decisions", Action: access.ImportDecision,
			Doc: &apidoc.Doc{
				ID: "importDecision", Tag: "decisions", Summary: "Import a decision",
				Description: "The excerpt of an S3 source, and the inputs and outputs of an S3 tool call, are " +
					"replaced by a URI and a salted hash before anything is stored.",
				Reads: importers.DecisionFile(), Conflicts: true,
				Answers: []apidoc.Answer{
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
			Doc: &apidoc.Doc{
				ID: "showDecision", Tag: "decisions", Summary: "Read a decision",
				Description: "As it is stored (texts of class S3 replaced), with the packs about it.",
				Path:        map[string]*openapi.Schema{"id": openapi.String("The caller's id of the decision.")},
				Answers:     []apidoc.Answer{{Status: "200", Description: "The decision.", Body: apiDecisionKept{}}},
			},
			Handle: s.apiShowDecision,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/policy", Action: access.ReadPack,
			Doc: &apidoc.Doc{
				ID: "showPolicy", Tag: "packs", Summary: "Read the sign-off policy",
				Description: "What must hold before a pack is signed, by approval class: off, warn or must for " +
					"each rule. Version 0 is the default.",
				Answers: []apidoc.Answer{
					{Status: "200", Description: "The policy.", Body: pack.Policy{}, Headers: []string{"ETag"}},
				},
			},
			Handle: s.apiShowPolicy,
		},
		{
			Method: http.MethodPut, Path: "/api/v1/policy", Action: access.ManageTenant,
			IfMatch: web.RequiredMatch("policy"),
			Doc: &apidoc.Doc{
				ID: "putPolicy", Tag: "packs", Summary: "Replace the sign-off policy",
				Description: "It holds for packs that are submitted from then on. Every rule stands once, in the " +
					"order in which it is read; version is not read. Where a second administrator is required, so is reason.",
				Query: []*openapi.Parameter{apidoc.TextOf("reason", "Why, for the second administrator.")},
				Reads: pack.Policy{}, Example: pack.DefaultPolicy(), Conflicts: true,
				Answers: []apidoc.Answer{
					{Status: "200", Description: "The policy in force.", Body: pack.Policy{},
						Headers: []string{"ETag"}}, web.WaitsAnswer,
				},
			},
			Handle: s.apiPutPolicy,
		},
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
			Method: http.MethodPost, Path: "/api/v1/packs/:id/submit", Action: access.DraftPack,
			Object:  web.EvidencePack,
			IfMatch: web.OptionalMatch("pack"),
			Doc: &apidoc.Doc{
				ID: "submitPack", Tag: "packs", Summary: "Submit a draft for review",
				Description: "Freezes pack.json. A draft that breaks rules is refused; errors lists all of them, and " +
					"warnings what is worth a look.",
				Reads: apidoc.NoFields, BodyOptional: true, Conflicts: true, Answers: []apidoc.Answer{aPack},
			},
			Idempotent: web.WithoutBody(s.apiSubmitPack),
		},
		// asks for the password itself
		{
			Method: http.MethodPost, Path: "/api/v1/packs/:id/approve", Action: access.DecidePack,
			Object: web.EvidencePack, IfMatch: web.OptionalMatch("pack"),
			Doc: &apidoc.Doc{
				ID: "approvePack", Tag: "packs", Summary: "Approve a pack",
				Description: "The last approval that is needed signs the pack off. Only for people who have not " +
					"made or edited any version of it, with their password; a machine's token gets 403. With " +
					"digest, only a pack with these bytes is approved. Alarms that it does not acknowledge are " +
					"answered 422 with their ids in missing.",
				Reads: approvalInput{}, Example: map[string]any{"password": "…", "comment": "Read and agreed."},
				Conflicts: true, Answers: []apidoc.Answer{aPack},
			},
			Secrets: proofMembers, Idempotent: web.WithBody(s.apiApprovePack),
		},
		{
			Method: http.MethodPost, Path: "/api/v1/packs/:id/return", Action: access.DecidePack,
			Object: web.EvidencePack, IfMatch: web.OptionalMatch("pack"),
			Doc: &apidoc.Doc{
				ID: "returnPack", Tag: "packs", Summary: "Return a pack to its authors",
				Description: "Only for people.",
				Reads:       reasonInput{}, Example: map[string]any{"reason": "Name the hospital."}, Conflicts: true,
				Answers: []apidoc.Answer{aPack},
			},
			Idempotent: web.WithBody(s.apiReturnPack),
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
	}
}

// aPack is an answer that is a pack, and newPack one that has just been made.
var (
	aPack = apidoc.Answer{
		Status: "200", Description: "The pack as it is now.", Body: apiPack{}, Headers: []string{"ETag", "Location"},
	}
	newPack = apidoc.Answer{
		Status: "201", Description: "The draft.", Body: apiPack{}, Headers: []string{"ETag", "Location"},
	}
)
