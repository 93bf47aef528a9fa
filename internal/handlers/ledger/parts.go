package ledger

import (
	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain/ledger"
	ledgerviews "sanad/internal/views/ledger"
)

// ledgerPart is a page of the store for its reader.
func (s *server) ledgerPart(c echo.Context, p *ledger.Page) ledgerviews.LedgerPart {
	return ledgerviews.LedgerPart{Page: *p, More: p.Matching == db.MaxMatching, Reader: s.Who(c).ID}
}

// sessionSources returns the input of the list of sources.
func sessionSources(p *ledger.Page) ledgerviews.SourcesInput {
	return ledgerviews.SourcesInput{Documents: p.Documents, Matched: p.Passages.Matched, Openings: p.Passages.Openings}
}
