package handlers

import (
	"sanad/internal/db"
	"sanad/internal/domain/ledger"
)

// findOperations are those of the search.
var findOperations = map[string]*operation{
	"GET /api/v1/search": {
		id: "search", tag: "search", summary: "Search claims, answers, documents and notes",
		about: "What holds all words of q, in any form, in English and Arabic: kind by kind, what was written last first. Answers are found in parts of 4,000 code points, documents by chunk. What others wrote in a session that two review blind is left out. Offsets count code points.",
		query: listQuery(
			textOf("q", "The words to look for."), choiceOf("kind", "", db.FindKinds...),
			choiceOf("verdict", "Claims of this verdict, and notes on them.", findVerdicts...),
			choiceOf("state", "In sessions of this state.", ledger.States...),
			textOf("from", "Sessions that came in, or notes written, on this day (UTC) or later."), textOf("to", "On this day or earlier."),
		),
		sends: []answers{pageOf("results", apiFound{})},
	},
}
