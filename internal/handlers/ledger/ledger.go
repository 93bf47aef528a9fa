// Package ledger serves sessions: importing them, their ledgers, claims, reviews, documents, judge runs and
// exports, and what the API computes without storing it (evidence maps, packed sources).
package ledger

import (
	"context"

	"github.com/labstack/echo/v4"

	"sanad/internal/app"
	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/handlers/web"
	"sanad/internal/importers"
	ledgerviews "sanad/internal/views/ledger"
)

// server answers the requests of this capability.
type server struct {
	*web.Server

	imports  importers.Options // limits of what is read
	embedded *app.Embedded     // judge
}

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
