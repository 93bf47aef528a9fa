package search

import (
	"net/http"

	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/apidoc"
	"sanad/internal/openapi"
)

// Endpoints returns the endpoints of home, dashboard, search and saved views: what finds sessions and sums them up.
func Endpoints(core *web.Server) []web.Endpoint {
	s := &server{Server: core}
	return append(s.pages(), s.api()...)
}

// pages are the pages and forms.
func (s *server) pages() []web.Endpoint {
	return []web.Endpoint{
		{Method: http.MethodGet, Path: "/", Action: access.ReadLedger, Handle: s.showHome},
		{Method: http.MethodGet, Path: "/dashboard", Action: access.ReadLedger, Handle: s.showDashboard},
		{Method: http.MethodGet, Path: "/dashboard/models", Action: access.ReadLedger, Handle: s.showModels},
		{Method: http.MethodGet, Path: "/search", Action: access.ReadLedger, Handle: s.showFind},
		{Method: http.MethodGet, Path: "/palette", Action: access.ReadLedger, Handle: s.showPalette},
		{Method: http.MethodGet, Path: "/views", Action: access.ReadLedger, Handle: s.listViews},
		// one's own; to share it: ReviewClaim
		{Method: http.MethodPost, Path: "/views", Action: access.SaveView, Handle: s.saveView},
		{Method: http.MethodPost, Path: "/views/:id", Action: access.SaveView, Handle: s.changeView},
		// of others: ManageTenant
		{Method: http.MethodPost, Path: "/views/:id/delete", Action: access.SaveView, Handle: s.deleteView},
	}
}

// api are the calls of the API.
func (s *server) api() []web.Endpoint {
	return []web.Endpoint{
		{
			Method: http.MethodGet, Path: "/api/v1/search", Action: access.ReadLedger,
			Doc: &apidoc.Doc{
				ID: "search", Tag: "search", Summary: "Search claims, answers, documents and notes",
				Description: "Finds texts that contain all words of q in any form, in English and Arabic. Results " +
					"are ordered by kind, newest first. Answers are searched in parts of 4,000 code points, " +
					"documents by chunk. Others' notes in sessions with a blind second review are left out. Offsets " +
					"count code points.",
				Query:   apidoc.ListQuery(apidoc.Parameters(ledger.FindFilters)...),
				Answers: []apidoc.Answer{apidoc.PageOf("results", apiFound{})},
			},
			Handle: s.apiFind,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/stats", Action: access.ReadLedger,
			Doc: &apidoc.Doc{
				ID: "showStats", Tag: "sessions", Summary: "Show the figures of the dashboard",
				Description: "Open sessions by age, the last twelve weeks, and how far people agree with the " +
					"machine. A week, like the period, counts the sessions that were imported in it. The comparison " +
					"covers claims that have a verdict by the machine and now one by a person: stale and sealed " +
					"reviews and unsettled differences do not count.",
				Query: []*openapi.Parameter{{
					Name: "days", In: "query",
					Description: "The period of all_judges and judges in days, including today; 90 by default.",
					Schema:      &openapi.Schema{Type: openapi.Types{"integer"}, Enum: []any{30, 90, 365}},
				}},
				Answers: []apidoc.Answer{{Status: "200", Description: "The figures.", Body: apiStats{}}},
			},
			Handle: s.apiShowStats,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/stats/models", Action: access.ReadLedger,
			Doc: &apidoc.Doc{
				ID: "listReviewedModels", Tag: "sessions", Summary: "See which model is wrong how often, and on what",
				Description: "The models whose answers are reviewed (the endpoints that judge are under /models), by provider, name and version, those with most claims " +
					"first. Wrong are claims whose verdict now is contradicted or not found: of all that are judged, and " +
					"of those that people settled. low and high are the 95 % score interval (Wilson) of the share. " +
					"The sessions of the period are counted; of very many, the newest 2,000 and 100,000 claims, and then " +
					"counted.more is true.",
				Query: apidoc.ListQuery(&openapi.Parameter{
					Name: "days", In: "query", Description: "The period in days, including today; 90 by default.",
					Schema: &openapi.Schema{Type: openapi.Types{"integer"}, Enum: []any{30, 90, 365}},
				}),
				Answers: []apidoc.Answer{apidoc.PageOf("models", apiReviewedModel{})},
			},
			Handle: s.apiListModels,
		},
	}
}
