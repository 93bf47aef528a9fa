// Package traces receives traces as they happen, and serves the administration of what becomes of them.
package traces

import (
	"net/http"

	"sanad/internal/domain/access"
	"sanad/internal/domain/live"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/apidoc"
	"sanad/internal/handlers/web/limits"
)

// server answers the requests of this capability.
type server struct{ *web.Server }

// Endpoints returns the endpoints of traces.
func Endpoints(core *web.Server) []web.Endpoint {
	s := &server{core}
	return append([]web.Endpoint{
		{
			Method: http.MethodPost, Path: web.TracesPath, Action: access.ImportLedger, Work: limits.TracesBody,
			Handle: s.receive,
		},
		{Method: http.MethodGet, Path: "/admin/traces", Action: access.ManageTenant, Handle: s.show},
		{Method: http.MethodPost, Path: "/admin/traces", Action: access.ManageTenant, Handle: web.SmallForm(s.save)},
	}, s.api()...)
}

// api are the calls of the API.
func (s *server) api() []web.Endpoint {
	return []web.Endpoint{
		{
			Method: http.MethodGet, Path: "/api/v1/traces", Action: access.ReadLedger,
			Doc: &apidoc.Doc{
				ID: "listTraces", Tag: "sessions", Summary: "List live traces",
				Description: "The 100 traces that a span came in for last, newest first. state is gathering, session, decision, " +
					"nothing or failed; cause says why nothing was made. Spans are sent to POST /v1/traces by OTLP.",
				Answers: []apidoc.Answer{{Status: "200", Description: "The traces.", Body: apidoc.RowsOf("traces", apiTrace{})}},
			},
			Handle: s.apiListTraces,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/trace-rules", Action: access.ManageTenant,
			Doc: &apidoc.Doc{
				ID: "showTraceRules", Tag: "sessions", Summary: "Read the rules of live traces",
				Description: "The first rule that fits a trace decides what becomes of it. default says that nobody has set any.",
				Answers:     []apidoc.Answer{{Status: "200", Description: "The rules.", Body: apiRules{}, Headers: []string{"ETag"}}},
			},
			Handle: s.apiShowRules,
		},
		{
			Method: http.MethodPut, Path: "/api/v1/trace-rules", Action: access.ManageTenant,
			IfMatch: web.RequiredMatch("list of rules"),
			Doc: &apidoc.Doc{
				ID: "putTraceRules", Tag: "sessions", Summary: "Replace the rules of live traces",
				Description: "They hold for traces that are complete from then on. service is a name, in which * stands for any " +
					"letters; share_percent (100 if left out) of the traces that a rule fits become what it says, the others nothing. An empty list " +
					"makes nothing of any trace.",
				Reads: rulesInput{}, Example: map[string]any{"rules": live.DefaultRules().List}, Conflicts: true,
				Answers: []apidoc.Answer{{Status: "200", Description: "The rules in force.", Body: apiRules{}, Headers: []string{"ETag"}}},
			},
			Handle: s.apiPutRules,
		},
	}
}
