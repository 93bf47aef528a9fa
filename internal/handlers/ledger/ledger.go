// Package ledger serves sessions: importing them, their ledgers, claims, reviews, documents, judge runs and
// exports, and what the API computes without storing it (evidence maps, packed sources).
package ledger

import (
	"sanad/internal/app"
	"sanad/internal/handlers/web"
	"sanad/internal/importers"
)

// server answers the requests of this capability.
type server struct {
	*web.Server

	imports  importers.Options // limits of what is read
	embedded *app.Embedded     // judge
}
