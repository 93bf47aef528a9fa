package models

import (
	"net/http"

	"sanad/internal/domain/access"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/apidoc"
)

// Endpoints returns the endpoints of the administration of judging endpoints.
func Endpoints(core *web.Server, try web.ModelTest) []web.Endpoint {
	s := &server{Server: core, try: try}
	return append(s.pages(), s.api()...)
}

// pages are the pages and forms.
func (s *server) pages() []web.Endpoint {
	return []web.Endpoint{
		{Method: http.MethodGet, Path: "/admin/models", Action: access.ManageTenant, Handle: s.listModels},
		{Method: http.MethodPost, Path: "/admin/models", Action: access.ManageTenant, Reauth: true,
			Handle: web.SmallForm(s.addModel)},
		{Method: http.MethodGet, Path: "/admin/models/:id", Action: access.ManageTenant, Handle: s.showModel},
		{Method: http.MethodPost, Path: "/admin/models/:id", Action: access.ManageTenant, Reauth: true,
			Handle: web.SmallForm(s.changeModel)},
		{Method: http.MethodPost, Path: "/admin/models/:id/test", Action: access.ManageTenant, Reauth: true, Handle: s.testModel},
		{Method: http.MethodPost, Path: "/admin/models/:id/trust", Action: access.ManageTenant, Reauth: true, Handle: s.takeTrust},
		{Method: http.MethodPost, Path: "/admin/models/:id/enable", Action: access.ManageTenant, Reauth: true, Handle: s.enableModel},
		{Method: http.MethodPost, Path: "/admin/models/:id/disable", Action: access.ManageTenant, Reauth: true, Handle: s.disableModel},
		{Method: http.MethodPost, Path: "/admin/models/:id/remove", Action: access.ManageTenant, Reauth: true, Handle: s.removeModel},
	}
}

// api are the calls of the API.
func (s *server) api() []web.Endpoint {
	return []web.Endpoint{
		{
			Method: http.MethodGet, Path: "/api/v1/models", Action: access.ManageTenant,
			Doc: &apidoc.Doc{
				ID: "listModelEndpoints", Tag: "models", Summary: "List the endpoints that judge sessions",
				Description: "By name; there are at most 50. Keys are never shown. The models whose answers are reviewed are under " +
					"/stats/models.",
				Answers: []apidoc.Answer{{
					Status: "200", Description: "All of them.", Body: apidoc.RowsOf("models", apiModelEndpoint{}),
				}},
			},
			Handle: s.apiListModels,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/models", Action: access.ManageTenant,
			Doc: &apidoc.Doc{
				ID: "createModelEndpoint", Tag: "models", Summary: "Add an endpoint that judges sessions",
				Description: "The key is stored sealed and never shown again. An address is shown, so one with a user, a password or a " +
					"query that looks like a secret is refused with 422; a part of its path that looks like one is shown as ***. " +
					"422 also for one that this server would send nothing to: without TLS or not public, unless the operator " +
					"allows its network. 409 if there are 50 already.",
				Reads: modelEndpointInput{}, Example: modelExample, Conflicts: true,
				Answers: []apidoc.Answer{{
					Status: "201", Description: "The endpoint, enabled.", Body: apiModelEndpoint{},
					Headers: []string{"ETag", "Location"},
				}},
			},
			Idempotent: web.WithBody(s.apiCreateModel),
		},
		{
			Method: http.MethodGet, Path: "/api/v1/models/:id", Action: access.ManageTenant,
			Doc: &apidoc.Doc{
				ID: "showModelEndpoint", Tag: "models", Summary: "Read an endpoint that judges sessions",
				Description: "With what was spent on it today, in UTC, and what people made of its words: `measured` counts each " +
					"claim that people settled once. `lower_bound` is the lower bound of the share that was right, with 95 % " +
					"confidence, null below 10 reviews.", Answers: []apidoc.Answer{aModel},
			},
			Handle: s.apiShowModel,
		},
		{
			Method: http.MethodPatch, Path: "/api/v1/models/:id", Action: access.ManageTenant,
			IfMatch: web.RequiredMatch("model"),
			Doc: &apidoc.Doc{
				ID: "editModelEndpoint", Tag: "models", Summary: "Change an endpoint that judges sessions",
				Description: "Fields that are left out stay unchanged. A key of \"\" removes the stored one; an address at " +
					"another host needs the key again. An address is held to the rules of a new one; a secret in a stored one is " +
					"shown as ***, and stays where that is sent back.",
				Reads: modelEndpointChange{}, Example: map[string]any{"enabled": false}, Answers: []apidoc.Answer{aModel},
			},
			Idempotent: web.WithBody(s.apiChangeModel),
		},
		{
			Method: http.MethodDelete, Path: "/api/v1/models/:id", Action: access.ManageTenant,
			IfMatch: web.OptionalMatch("model"),
			Doc: &apidoc.Doc{
				ID: "removeModelEndpoint", Tag: "models", Summary: "Remove an endpoint that judges sessions",
				Answers: []apidoc.Answer{{Status: "204", Description: "It is gone, with its key. What it judged stays."}},
			},
			Idempotent: s.apiRemoveModel,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/models/:id/trust", Action: access.ManageTenant,
			IfMatch: web.OptionalMatch("model"),
			Doc: &apidoc.Doc{
				ID: "takeMeasuredTrust", Tag: "models", Summary: "Take over the trust that reviews measured",
				Description: "Sets `trust_supported` and `trust_contradicted` to the lower bounds in `measured`; a word with fewer " +
					"than 10 reviews stays as it is. 409 if neither has enough. The log says on how many reviews they stand.",
				Reads: apidoc.NoFields, BodyOptional: true, Conflicts: true, Answers: []apidoc.Answer{aModel},
			},
			Idempotent: web.WithoutBody(s.apiTakeTrust),
		},
		{
			Method: http.MethodPost, Path: "/api/v1/models/:id/test", Action: access.ManageTenant,
			Doc: &apidoc.Doc{
				ID: "testModelEndpoint", Tag: "models", Summary: "Ask an endpoint one small question",
				Description: "A fixed question that has no word of the organisation. What came is in the answer, also if the " +
					"endpoint failed: fault is then its code, and text what it means and what mends it. A disabled endpoint can be " +
					"tested too. An endpoint for embeddings is asked for the vectors of three fixed sentences. Where tests are not " +
					"set up, the fault is untried. After more than three tests in a short time 429, with Retry-After.",
				Reads: apidoc.NoFields, BodyOptional: true,
				Answers: []apidoc.Answer{{Status: "200", Description: "What came.", Body: apiModelTried{}}},
			},
			Idempotent: web.WithoutBody(s.apiTestModel),
		},
	}
}

// aModel describes an answer that is an endpoint.
var aModel = apidoc.Answer{
	Status: "200", Description: "The endpoint as it is now.", Body: apiModelEndpoint{}, Headers: []string{"ETag"},
}

var modelExample = map[string]any{
	"name": "Qwen on our gateway", "kind": "openai", "url": "https://models.example/v1", "model": "qwen3-32b", "key": "secret",
	"run_tokens": 1_000_000, "day_tokens": 5_000_000, "redact": true,
}
