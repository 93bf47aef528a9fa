package app

import (
	"bytes"
	"context"

	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
	"sanad/internal/exporters"
)

// ExportLedger renders the whole ledger of a loaded session and logs the export. It returns the bytes only if the log
// entry was stored, so that nobody receives a file that was not logged.
func ExportLedger(
	ctx context.Context, store *db.Store, who access.Actor, s *ledger.Session, f exporters.Format,
	language exporters.Language,
) ([]byte, error) {
	tenant, err := store.Tenant(ctx, who.Tenant)
	if err != nil {
		return nil, err
	}
	l := ledger.Assess(s, tenant.FreshnessMonths)
	render := func(l *ledger.Ledger) ([]byte, error) { return f.RenderIn(l, language) }
	if f.Name == exporters.SignedFormat {
		render = func(l *ledger.Ledger) ([]byte, error) { return signedExport(ctx, store, who, l) }
	}
	data, err := render(&l)
	if err != nil {
		return nil, err
	}
	return data, store.LogEvent(ctx, who, db.SessionExported(s, f.Name, string(f.OneLanguage(language))))
}

// signedExport returns the JSON export with the signature of the tenant's key, by which another store that trusts the
// key recognises that nobody has changed it.
func signedExport(ctx context.Context, store *db.Store, who access.Actor, l *ledger.Ledger) ([]byte, error) {
	statement, err := exporters.ExportStatement(l)
	if err != nil {
		return nil, err
	}
	signature, key, err := store.SignWith(ctx, who, pack.PAE(pack.PayloadType, statement))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = exporters.SignedJSON(&b, l, pack.NewEnvelope(statement, signature, key.ID))
	return b.Bytes(), err
}
