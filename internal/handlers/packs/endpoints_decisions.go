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

// decisionEndpoints are the endpoints of decisions and their tool calls, and of the policy that says which
// decisions must have a pack.
func (s *server) decisionEndpoints() []web.Endpoint {
	return []web.Endpoint{
		{Method: http.MethodGet, Path: "/packs/new", Action: access.DraftPack, Handle: s.newPack},
		{Method: http.MethodPost, Path: "/packs/new", Action: access.ImportDecision,
			Handle: web.Form(maxMendForm, s.importDecision)},
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
			Method: http.MethodPost, Path: "/api/v1/decisions/:id/tool-calls", Action: access.ImportDecision,
			Doc: &apidoc.Doc{
				ID: "addToolCall", Tag: "decisions", Summary: "Add a tool call to a decision",
				Description: "Any time before its pack is submitted; an open draft gets it too. Idempotent by the caller's id: " +
					"the same content again answers 200, other content 409.",
				Path:  map[string]*openapi.Schema{"id": openapi.String("The caller's id of the decision.")},
				Reads: pack.ToolCallRecord{}, Conflicts: true,
				Example: map[string]any{"id": "call_7", "tool_name": "crm.get", "intended_action": "retrieve company 45611",
					"actual_action": "retrieved company 45611"},
				Answers: []apidoc.Answer{
					{Status: "201", Description: "It is stored.", Body: apiCall{}, Headers: []string{"Location"}},
					{Status: "200", Description: "The same was stored before.", Body: apiCall{}, Headers: []string{"Location"}},
				},
			},
			Idempotent: web.WithBody(s.apiAddToolCall),
		},
		{Method: http.MethodGet, Path: "/admin/policy", Action: access.ManageTenant, Handle: s.showPolicy},
		{Method: http.MethodPost, Path: "/admin/policy", Action: access.ManageTenant,
			Handle: web.SmallForm(s.savePolicy)},
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
	}
}
