package app

import (
	"context"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/exporters"
)

// ExportLedger renders the whole ledger of a loaded session and logs the export. It returns the bytes only if the log
// entry was stored, so that nobody receives a file that was not logged.
func ExportLedger(
	ctx context.Context, store *db.Store, who domain.Actor, s *ledger.Session, f exporters.Format,
) ([]byte, error) {
	tenant, err := store.Tenant(ctx, who.Tenant)
	if err != nil {
		return nil, err
	}
	l := ledger.Assess(s, tenant.FreshnessMonths)
	data, err := f.Render(&l)
	if err != nil {
		return nil, err
	}
	return data, store.LogEvent(ctx, who, db.SessionExported(s, f.Name))
}
