package erasures

import (
	"net/http"

	"sanad/internal/domain/access"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/apidoc"
)

// Endpoints returns the endpoints of erasure and retention.
func Endpoints(core *web.Server) []web.Endpoint {
	s := &server{core}
	return append(s.pages(), s.api()...)
}

// pages are the pages and forms.
func (s *server) pages() []web.Endpoint {
	return []web.Endpoint{
		{Method: http.MethodGet, Path: "/admin/erasures", Action: access.ConfirmErasure, Handle: s.showErasures},
		{
			Method: http.MethodPost, Path: "/admin/erasures", Action: access.EraseContent, Reauth: true,
			Handle: web.SmallForm(s.askErasure),
		},
		{
			Method: http.MethodPost, Path: "/admin/erasures/:erasure/confirm", Action: access.ConfirmErasure,
			Reauth: true, Handle: s.confirmErasure,
		},
		{
			Method: http.MethodPost, Path: "/admin/erasures/:erasure/refuse", Action: access.ConfirmErasure,
			Handle: s.refuseErasure,
		},
		{Method: http.MethodPost, Path: "/admin/holds", Action: access.EraseContent,
			Handle: web.SmallForm(s.changeHold)},
		{Method: http.MethodGet, Path: "/admin/periods", Action: access.ManageTenant, Handle: s.showPeriods},
		{Method: http.MethodPost, Path: "/admin/periods", Action: access.ManageTenant,
			Handle: web.SmallForm(s.savePeriods)},
	}
}

// api are the calls of the API.
func (s *server) api() []web.Endpoint {
	return []web.Endpoint{
		{
			Method: http.MethodGet, Path: "/api/v1/erasures", Action: access.ConfirmErasure,
			Doc: &apidoc.Doc{
				ID: "listErasures", Tag: "retention", Summary: "List erasures",
				Description: "Those that wait for a second person first, then the newest; at most 100.",
				Answers: []apidoc.Answer{{
					Status: "200", Description: "The erasures.", Body: apidoc.RowsOf("erasures", apiErasure{}),
				}},
			},
			Handle: s.apiListErasures,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/erasures", Action: access.EraseContent,
			Doc: &apidoc.Doc{
				ID: "askErasure", Tag: "retention", Summary: "Request an erasure",
				Description: "Nothing is deleted before a second person confirms. With dry_run nothing is stored " +
					"either: the answer says what would go, and obstacles what stands in the way. 409 names what " +
					"stands in the way: a legal hold, a pack in review, a pack that refers to it. The id of an " +
					"artifact is its path in the lake, that of an upload its job's.",
				Reads: erasureInput{}, Conflicts: true,
				Example: map[string]any{"kind": "session", "id": "…", "reason": "Asked for by the person."},
				Answers: []apidoc.Answer{
					{Status: "200", Description: "The dry run.", Body: apiErasure{}},
					{Status: "201", Description: "The request.", Body: apiErasure{}, Headers: []string{"Location"}},
				},
			},
			Idempotent: web.WithBody(s.apiAskErasure),
		},
		{
			Method: http.MethodGet, Path: "/api/v1/erasures/:id", Action: access.ConfirmErasure,
			Doc: &apidoc.Doc{
				ID: "getErasure", Tag: "retention", Summary: "Read an erasure",
				Answers: []apidoc.Answer{{Status: "200", Description: "The erasure.", Body: apiErasure{}}},
			},
			Handle: s.apiGetErasure,
		},
		// asks for the password itself
		{
			Method: http.MethodPost, Path: "/api/v1/erasures/:id/confirm", Action: access.ConfirmErasure,
			Doc: &apidoc.Doc{
				ID: "confirmErasure", Tag: "retention", Summary: "Confirm an erasure",
				Description: "By a second person, at least an approver: the content is deleted at once. The status " +
					"is erasing while files or traces in the database remain, and done after that.",
				Reads: proofInput{}, Example: map[string]any{"password": "…"}, Conflicts: true,
				Answers: []apidoc.Answer{{Status: "200", Description: "The erasure.", Body: apiErasure{}}},
			},
			Secrets: []string{"password", "code"}, Idempotent: web.WithBody(s.apiConfirmErasure),
		},
		{
			Method: http.MethodPost, Path: "/api/v1/erasures/:id/refuse", Action: access.ConfirmErasure,
			Doc: &apidoc.Doc{
				ID: "refuseErasure", Tag: "retention", Summary: "Refuse an erasure", Reads: apidoc.NoFields,
				BodyOptional: true, Conflicts: true,
				Answers: []apidoc.Answer{{Status: "200", Description: "The erasure.", Body: apiErasure{}}},
			},
			Idempotent: web.WithoutBody(s.apiRefuseErasure),
		},
		{
			Method: http.MethodGet, Path: "/api/v1/legal-holds", Action: access.EraseContent,
			Doc: &apidoc.Doc{
				ID: "listLegalHolds", Tag: "retention", Summary: "List legal holds",
				Description: "Those in force on sessions and documents; a pack says its own.",
				Answers: []apidoc.Answer{{
					Status: "200", Description: "The holds.", Body: apidoc.RowsOf("holds", apiHold{}),
				}},
			},
			Handle: s.apiListHolds,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/legal-holds", Action: access.EraseContent,
			Doc: &apidoc.Doc{
				ID: "changeLegalHold", Tag: "retention", Summary: "Set or lift a legal hold",
				Description: "On a session, which keeps its documents too, or on a document. Where a second administrator " +
					"is required, lifting one waits for that one: 202.",
				Reads: holdInput{}, Conflicts: true,
				Example: map[string]any{"kind": "session", "id": "…", "held": true, "reason": "Claim 12/2026"},
				Answers: []apidoc.Answer{{Status: "200", Description: "The hold.", Body: apiHold{}}, web.WaitsAnswer},
			},
			Idempotent: web.WithBody(s.apiChangeHold),
		},
		{
			Method: http.MethodGet, Path: "/api/v1/retention", Action: access.ManageTenant,
			Doc: &apidoc.Doc{
				ID: "getRetention", Tag: "retention", Summary: "Read the retention periods",
				Description: "With what is due: a dry run of the next hourly pass. What an obstacle keeps is listed " +
					"with it.",
				Answers: []apidoc.Answer{{Status: "200", Description: "The periods.", Body: apiRetention{}}},
			},
			Handle: s.apiGetRetention,
		},
		{
			Method: http.MethodPut, Path: "/api/v1/retention", Action: access.ManageTenant,
			Doc: &apidoc.Doc{
				ID: "setRetention", Tag: "retention", Summary: "Set the retention periods",
				Description: "In days since something was stored, 0 for no period. Kinds that are not named keep " +
					"theirs. What is due is erased by the next hourly pass, without a second person. With dry_run " +
					"nothing is stored: due lists what these periods would end for. Where a second administrator is " +
					"required, a new or shorter period needs a reason and waits for that one: 202.",
				Reads:   periodsInput{},
				Example: map[string]any{"periods": []any{map[string]any{"kind": "upload", "days": 30}}},
				Answers: []apidoc.Answer{{Status: "200", Description: "The periods.", Body: apiRetention{}}, web.WaitsAnswer},
			},
			Idempotent: web.WithBody(s.apiSetRetention),
		},
	}
}
