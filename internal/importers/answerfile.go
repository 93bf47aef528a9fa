package importers

import (
	"strings"

	"sanad/internal/domain/ledger"
)

// asMarkdown returns the blocks of an uploaded answer as Markdown, so that its headings don't become claims. Its tables
// are Markdown already, and are read row by row (rule J-5).
func asMarkdown(blocks []ledger.Block) string {
	parts := make([]string, len(blocks))
	for i := range blocks {
		parts[i] = blocks[i].Text
		if blocks[i].Level > 0 {
			parts[i] = strings.Repeat("#", min(blocks[i].Level, 6)) + " " + blocks[i].Text
		}
	}
	return strings.Join(parts, "\n\n")
}
