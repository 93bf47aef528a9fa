package ledger

import (
	"net/http"

	"sanad/internal/domain/access"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/apidoc"
	"sanad/internal/openapi"
)

// documentEndpoints are the endpoints of documents: adding, reading, withdrawing and replacing them, citations.
func (s *server) documentEndpoints() []web.Endpoint {
	return []web.Endpoint{
		{
			Method: http.MethodGet, Path: "/sessions/:id/documents", Action: access.ImportLedger, Object: "session",
			Handle: s.addDocuments,
		},
		{
			Method: http.MethodPost, Path: "/sessions/:id/documents", Action: access.ImportLedger, Object: "session",
			Handle: s.takeDocuments,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/sessions/:id/documents", Action: access.ImportLedger,
			Object: "session", IfMatch: web.RequiredMatch("ledger"),
			Doc: &apidoc.Doc{
				ID: "addDocuments", Tag: "sessions", Summary: "Add documents to a session",
				Description: "Documents as in sanad.session/v1, at most 16 MiB in one request, or files as a form. Claims that " +
					"are not supported, and supported ones that a new document contradicts, are judged again with all " +
					"documents; other claims keep their judgement. Reviews are kept; those of claims whose verdict " +
					"or evidence changed become stale.",
				Reads: addInput{}, Form: documentParts,
				Example: map[string]any{"documents": []any{
					map[string]any{"filename": "HR-2026.txt", "text": "Leave is 20 days."},
				}},
				Conflicts: true,
				Answers: []apidoc.Answer{
					{
						Status: "200", Description: "The documents, and the run with what it changed in figures.",
						Body: apiAdded{}, Headers: []string{"ETag"},
					},
					{
						Status: "202", Description: "20 claims or more that the embedded judge reads, more than 1,000 claims, 5 MiB, or 512 KiB of PDF, RTF and archived files: a job " +
							"that adds them.",
						Body: web.Job{}, Headers: []string{"Location"},
					},
				},
			},
			Idempotent: s.apiAddDocuments,
		},
		{
			Method: http.MethodGet, Path: "/documents/:id", Action: access.ReadLedger, Object: "document",
			Handle: s.showDocument,
		},
		{
			Method: http.MethodGet, Path: "/documents/:id/original", Action: access.CopyFile, Object: "document",
			Handle: s.downloadOriginal,
		},
		{
			Method: http.MethodGet, Path: "/documents/:id/attach", Action: access.ReviewClaim, Object: "document",
			Handle: s.showAttachTo,
		},
		{
			Method: http.MethodPost, Path: "/documents/:id/attach", Action: access.ReviewClaim, Object: "document",
			Handle: web.SmallForm(s.attachTo),
		},
		{
			Method: http.MethodPost, Path: "/documents/:id/withdraw", Action: access.ImportLedger, Object: "document",
			Handle: web.SmallForm(s.withdrawDocument),
		},
		{
			Method: http.MethodPost, Path: "/api/v1/documents/:id/withdraw", Action: access.ImportLedger,
			Object: "document", IfMatch: web.RequiredMatch("ledger"),
			Doc: &apidoc.Doc{
				ID: "withdrawDocument", Tag: "sessions", Summary: "Withdraw a document",
				Description: "id is the id of the document in session.documents of its session's ledger, and " +
					"If-Match takes the ETag of that ledger. The text stays readable. Citations of it no longer " +
					"resolve, and reviews of claims that rest on it become stale. Judge the session again for " +
					"verdicts without it.",
				Reads: withdrawInput{}, Example: map[string]any{"reason": "It was a draft."}, Conflicts: true,
				Answers: []apidoc.Answer{{
					Status: "200", Description: "How many claims rested on it.", Body: apiWithdrawn{},
					Headers: []string{"ETag"},
				}},
			},
			Idempotent: web.WithBody(s.apiWithdraw),
		},
		{
			Method: http.MethodPost, Path: "/documents/:id/replace", Action: access.ImportLedger, Object: "document",
			Handle: s.replaceDocument,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/documents/:id/replace", Action: access.ImportLedger,
			Object: "document", IfMatch: web.RequiredMatch("ledger"),
			Doc: &apidoc.Doc{
				ID: "replaceDocument", Tag: "sessions", Summary: "Replace a document with a newer version",
				Description: "The older version is withdrawn, as by withdrawDocument. The newer one, with either " +
					"text or pages, is added to the session and supersedes it. It takes over the fields that the " +
					"request leaves out, except the dates. Judge the session again for verdicts by the newer " +
					"version.",
				Reads: replaceInput{},
				Example: map[string]any{
					"reason": "The policy of 2026.", "filename": "HR-2026.txt", "text": "Leave is 20 days.",
				},
				Conflicts: true,
				Answers: []apidoc.Answer{{
					Status: "200", Description: "The newer version, and how many claims rested on the older one.",
					Body: apiReplaced{}, Headers: []string{"ETag"},
				}},
			},
			Idempotent: web.WithBody(s.apiReplace),
		},
		{
			Method: http.MethodGet, Path: "/sessions/:id/citations/:hash", Action: access.ReadLedger,
			Object: "session", Handle: s.showCitation,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/citations/:hash", Action: access.ReadLedger,
			Doc: &apidoc.Doc{
				ID: "showCitation", Tag: "sessions", Summary: "Resolve a citation",
				Description: "Finds the passages that `[cite:…]` refers to, anywhere in the tenant, and gives the words of the " +
					"one that it resolves to.",
				Path:    map[string]*openapi.Schema{"hash": openapi.String("8 or more hex digits of a chunk's hash.")},
				Answers: []apidoc.Answer{{Status: "200", Description: "Resolved or not.", Body: apidoc.CitationAnswer}},
			},
			Handle: s.apiShowCitation,
		},
	}
}
