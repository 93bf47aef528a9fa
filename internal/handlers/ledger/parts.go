package ledger

import (
	"context"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/handlers/web"
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

// unchanged loads a session that the request is about to change, and returns it with the check of If-Match, which it
// has passed and passes again inside the transaction.
func (s *server) unchanged(c echo.Context,
	load func(ctx context.Context, who access.Actor, id string) (*ledger.Session, error),
) (*ledger.Session, func(*ledger.Session) error, error) {
	check := web.SessionMatches(c)
	loaded, err := load(c.Request().Context(), s.Who(c), c.Param("id"))
	if err != nil {
		return nil, nil, err
	}
	return loaded, check, check(loaded)
}
