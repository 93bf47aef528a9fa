package packs

import (
	"net/http"

	"sanad/internal/domain/access"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/apidoc"
	"sanad/internal/handlers/web/limits"
	"sanad/internal/openapi"
)

// exportEndpoints are the endpoints of a pack's exports: who asks, who grants, the download.
func (s *server) exportEndpoints() []web.Endpoint {
	return []web.Endpoint{
		{
			Method: http.MethodPost, Path: "/packs/:id/exports", Action: access.ExportPack, Object: web.EvidencePack,
			Handle: s.makeExport,
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
			Method: http.MethodPost, Path: "/packs/:id/exports/ask", Action: access.AskPackExport,
			Object: web.EvidencePack, Handle: s.askExport,
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
		{
			Method: http.MethodPost, Path: "/packs/:id/exports/:export/grant", Action: access.ExportPack,
			Object: web.EvidencePack, Reauth: true, Handle: s.grantExport,
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
			Method: http.MethodPost, Path: "/packs/:id/exports/:export/refuse", Action: access.ExportPack,
			Object: web.EvidencePack, Handle: web.Form(web.MaxForm, s.denyExport),
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
			Method: http.MethodPost, Path: "/packs/:id/exports/:export/link", Action: access.AskPackExport,
			Object: web.EvidencePack, Handle: s.linkExport,
		},
		{
			Method: http.MethodGet, Path: "/packs/:id/exports/:export", Action: access.AskPackExport,
			Object: web.EvidencePack, Handle: s.showCopy,
		},
		{
			Method: http.MethodGet, Path: "/packs/:id/exports/:export/file", Work: limits.ExportWork,
			Action: access.AskPackExport, Object: web.EvidencePack, Handle: s.downloadCopy,
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
			Method: http.MethodGet, Path: "/downloads/packs/:token", Work: limits.ExportWork, Action: access.AskPackExport,
			Object: web.EvidencePack, Names: web.OfPackLink,
			Handle: s.downloadPack,
		},
		{
			Method: http.MethodGet, Path: "/packs/:id/reading.pdf", Work: limits.ExportWork, Action: access.ExportPack, Object: web.EvidencePack,
			Handle: s.languagePDF,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/packs/:id/reading.pdf", Work: limits.ExportWork, Action: access.ExportPack,
			Object: web.EvidencePack,
			Doc: &apidoc.Doc{
				ID: "readingPDF", Tag: "packs", Summary: "Read a signed pack as a PDF in one language",
				Description: "A rendering beside the signed file, which stays as it is; its cover says so.",
				Query:       []*openapi.Parameter{apidoc.ChoiceOf("language", "Needed.", web.PDFLanguages...)}, Conflicts: true,
				Answers: []apidoc.Answer{{Status: "200", Description: "The PDF.", Body: apidoc.PDFBytes{},
					Headers: []string{"Content-Disposition"}}},
			},
			Handle: s.languagePDF,
		},
	}
}
