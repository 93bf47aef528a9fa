package ledger

import (
	"net/http"

	"sanad/internal/domain/access"
	"sanad/internal/domain/sources"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/apidoc"
	"sanad/internal/handlers/web/limits"
	"sanad/internal/importers"
)

// evidenceEndpoints are the endpoints of what is computed for the caller: evidence maps, pointers, packed sources.
func (s *server) evidenceEndpoints() []web.Endpoint {
	return []web.Endpoint{
		{
			Method: http.MethodPost, Path: "/api/v1/evidence-maps", Work: limits.JudgeWork, Action: access.MapEvidence,
			Doc: &apidoc.Doc{
				ID: "makeEvidenceMap", Tag: "evidence", Summary: "Compute an evidence map", Reads: evidenceMapInput{},
				Description: "prove names evidence ids; each gets an inclusion proof (RFC 6962), which shows that the " +
					"passage is in the map with this root, without the rest of the map.",
				Answers: []apidoc.Answer{{Status: "200", Description: "The map.", Body: apiEvidenceMap{}}},
			},
			Handle: s.apiCreateEvidenceMap,
		},
		{
			Method: http.MethodGet, Path: "/evidence-maps/answers", Action: access.ImportLedger,
			Handle: s.newPointers,
		},
		{
			Method: http.MethodPost, Path: "/evidence-maps/answers", Action: access.ImportLedger,
			Handle: s.checkPointers,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/evidence-maps/answers", Action: access.ImportLedger,
			Doc: &apidoc.Doc{
				ID: "checkPointers", Tag: "evidence", Summary: "Check an answer that points to evidence",
				Description: "Makes a session of the answer. pointer_ids, or evidence_ids, are those of the map of these chunks " +
					"(E1 is the first chunk). Unknown ones are violations, never errors; a claim with a violation or " +
					"without evidence is ungrounded. Claims are given by number, from 1.",
				Reads: importers.PointerAnswer{}, Example: map[string]any{
					"query": "How long is the leave?", "chunks": []any{map[string]any{
						"source_root": "a1", "document_uri": "hr.pdf", "chunk_idx": 0, "chunk_root": "b2",
						"span": "Leave is 15 days.",
					}},
					"claims": []any{map[string]any{"text": "Leave is 15 days", "pointer_ids": []string{"E1"}}},
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
			Method: http.MethodPost, Path: `/api/v1/sources\:pack`, Action: access.MapEvidence,
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
