package handlers

import "sanad/internal/openapi"

// statsOperations are those of figures over all sessions.
var statsOperations = map[string]*operation{
	"GET /api/v1/stats": {
		id: "showStats", tag: "sessions", summary: "See how the work stands",
		about: "Open sessions by age, the last twelve weeks, and how far people agree with the machine. A week, and the period, have the sessions that came in within it. Compared are claims that the machine gave a verdict and for which a person's stands now: stale and sealed reviews and open differences count for nothing.",
		query: []*openapi.Parameter{{Name: "days", In: "query", Description: "The period of all_judges and judges, today's day among them; 90 unless told.",
			Schema: &openapi.Schema{Type: openapi.Types{"integer"}, Enum: []any{30, 90, 365}}}},
		sends: []answers{{status: "200", words: "The figures.", sent: apiStats{}}},
	},
}
