package ledger

import (
	"net/http"

	"sanad/internal/domain/access"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/apidoc"
	"sanad/internal/handlers/web/limits"
)

// exportEndpoints are the endpoints by which a ledger is exported and downloaded.
func (s *server) exportEndpoints() []web.Endpoint {
	return []web.Endpoint{
		{
			Method: http.MethodGet, Path: "/sessions/:id/export/:format", Work: limits.ExportWork, Action: access.ExportLedger,
			Object: "session", Handle: s.downloadSession,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/sessions/:id/ledger/export", Action: access.ExportLedger,
			Object: "session",
			Doc: &apidoc.Doc{
				ID: "exportLedger", Tag: "sessions", Summary: "Export a ledger",
				Description: "The formats are markdown, json, pdf, csv and xlsx. A PDF has an English and an Arabic part; " +
					"`language` asks for one of them. CSV has a row for each claim, XLSX a sheet each of the claims, the evidence, " +
					"the reviews and the risk flags; both are in English unless `language` asks for Arabic.", Reads: ledgerExportInput{},
				Example: map[string]any{"format": "pdf"},
				Answers: []apidoc.Answer{{Status: "200", Description: "A personal link.", Body: apiLedgerLink{}}},
			},
			Idempotent: web.WithBody(s.apiExportLedger),
		},
		{
			Method: http.MethodGet, Path: "/downloads/:token", Work: limits.ExportWork, Action: access.ExportLedger,
			Object: "session", Names: web.OfLink, Handle: s.download,
		},
	}
}
