package ledger

import (
	"net/http"

	"sanad/internal/domain/access"
	"sanad/internal/domain/sources"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/apidoc"
	"sanad/internal/handlers/web/limits"
	"sanad/internal/importers"
	"sanad/internal/openapi"
)

// sourceCalls are the operations of the API on documents, citations, evidence maps and the sources packer.
func (s *server) sourceCalls() []web.Endpoint {
	return []web.Endpoint{
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
			Method: http.MethodGet, Path: "/api/v1/citations/:hash", Action: access.ReadLedger,
			Doc: &apidoc.Doc{
				ID: "showCitation", Tag: "sessions", Summary: "Resolve a citation",
				Description: "Finds the passages that `[cite:…]` refers to, anywhere in the tenant.",
				Path:        map[string]*openapi.Schema{"hash": openapi.String("8 or more hex digits of a chunk's hash.")},
				Answers:     []apidoc.Answer{{Status: "200", Description: "Resolved or not.", Body: apidoc.CitationAnswer}},
			},
			Handle: s.apiShowCitation,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/evidence-maps", Work: limits.JudgeWork, Action: access.ReadLedger,
			Doc: &apidoc.Doc{
				ID: "makeEvidenceMap", Tag: "evidence", Summary: "Compute an evidence map", Reads: evidenceMapInput{},
				Description: "prove names evidence ids; each gets an inclusion proof (RFC 6962), which shows that the " +
					"passage is in the map with this root, without the rest of the map.",
				Answers: []apidoc.Answer{{Status: "200", Description: "The map.", Body: apiEvidenceMap{}}},
			},
			Handle: s.apiCreateEvidenceMap,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/evidence-maps/answers", Action: access.ImportLedger,
			Doc: &apidoc.Doc{
				ID: "checkPointers", Tag: "evidence", Summary: "Check an answer that points to evidence",
				Description: "Makes a session of the answer. evidence_ids are pointers of the map of these chunks (E1 " +
					"is the first chunk). Unknown ones are violations, never errors; a claim with a violation or " +
					"without evidence is ungrounded. Claims are given by number, from 1.",
				Reads: importers.PointerAnswer{}, Example: map[string]any{
					"query": "How long is the leave?", "chunks": []any{map[string]any{
						"source_root": "a1", "document_uri": "hr.pdf", "chunk_idx": 0, "chunk_root": "b2",
						"span": "Leave is 15 days.",
					}},
					"claims": []any{map[string]any{"text": "Leave is 15 days", "evidence_ids": []string{"E1"}}},
				},
				Answers: []apidoc.Answer{
					{
						Status: "201", Description: "The session, and what is wrong with the pointers.",
						Body: apiPointerAnswer{}, Headers: []string{"Location"},
					},
					{
						Status: "200", Description: "The same answer was stored before.", Body: apiPointerAnswer{},
						Headers: []string{"Location"},
					},
				},
			},
			Idempotent: s.apiCheckPointers,
		},
		// the colon is part of the address
		{
			Method: http.MethodPost, Path: `/api/v1/sources\:pack`, Action: access.ReadLedger,
			Doc: &apidoc.Doc{
				ID: "packSources", Tag: "evidence", Summary: "Choose sources to show beside an answer",
				Description: "Unknown fields of candidates and chunks are ignored. For JSON that is not retrieval " +
					"output the list is empty, and with options.debug it has the reason. At most 100,000 candidates and 200,000 " +
					"chunks are taken.",
				Reads:   sourcesInput{},
				Answers: []apidoc.Answer{{Status: "200", Description: "The event rag.sources.", Body: sources.Event{}}},
			},
			Handle: s.apiPackSources,
		},
	}
}
