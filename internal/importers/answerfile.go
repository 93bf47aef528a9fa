package importers

import (
	"strings"

	"sanad/internal/domain/ledger"
)

// asMarkdown returns the blocks of an uploaded answer as Markdown, so that its headings don't become claims. Its tables
// are Markdown already, and are read row by row (rule J-5).
func asMarkdown(blocks []ledger.Block) string {
	parts := make([]string, 0, len(blocks))
	for i := range blocks {
		b := &blocks[i]
		switch {
		case b.Kind == ledger.PageHeader || b.Kind == ledger.PageFooter || b.Kind == ledger.FileComment: // no answer
		case b.Level > 0:
			parts = append(parts, strings.Repeat("#", min(b.Level, 6))+" "+b.Text)
		default:
			parts = append(parts, b.Text)
		}
	}
	return strings.Join(parts, "\n\n")
}
