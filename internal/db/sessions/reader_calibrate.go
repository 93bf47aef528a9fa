package sessions

import (
	"context"
	"time"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
)

// ReaderCalibration is what the word of a reader of the operator's choice counts in a tenant.
type ReaderCalibration struct {
	Reader   string // digest
	Balances string // JSON, as the judge reads it
	Rows     int    // that it was found on
	At       time.Time
}

// ReaderCalibration returns how a tenant calibrated a reader, or NotFound.
func (store *Store) ReaderCalibration(ctx context.Context, tenant, reader string) (c ReaderCalibration, err error) {
	err = store.Read(ctx, "ReaderCalibration", func(t *sqldb.Tx) error {
		c.Reader = reader
		return t.Row(`SELECT balances, calibrated_on, calibrated_at FROM reader_calibrations
			WHERE tenant_id = ? AND reader = ?`, []any{tenant, reader}, &c.Balances, &c.Rows, sqldb.TimeInto(&c.At))
	})
	return sqldb.OrZero(c, err)
}

// SetReaderCalibration stores a tenant's calibration of a reader in the place of an earlier one.
func (store *Store) SetReaderCalibration(ctx context.Context, by access.Actor, c ReaderCalibration) error {
	return store.Write(ctx, sqldb.OfTenant(by.Tenant), "SetReaderCalibration", func(t *sqldb.Tx) error {
		if err := reads.TenantExists(t, by.Tenant); err != nil {
			return err
		}
		if _, err := t.Exec(`INSERT INTO reader_calibrations (tenant_id, reader, balances, calibrated_on, calibrated_at)
			VALUES (?, ?, ?, ?, ?) ON CONFLICT (tenant_id, reader) DO UPDATE SET balances = excluded.balances,
			calibrated_on = excluded.calibrated_on, calibrated_at = excluded.calibrated_at`,
			by.Tenant, c.Reader, c.Balances, c.Rows, sqldb.Stamp(store.Now())); err != nil {
			return err
		}
		auditlog.Record(t, by.Tenant, auditlog.Wrote("reader_calibrations", []any{c.Reader}))
		return store.AppendEvent(t, by, auditlog.Event{Action: "tenant.reader_calibrated", Kind: "tenant",
			ObjectID: by.Tenant,
			Details:  map[string]any{"reader": c.Reader, "rows": c.Rows}})
	})
}

// SettledClaim is a claim whose verdict people settled.
type SettledClaim struct {
	Session  string // id
	Position int
	Verdict  ledger.Verdict
}

// SettledClaims lists a tenant's settled claims, those of the newest sessions first, up to a number of them.
func (store *Store) SettledClaims(ctx context.Context, tenant string, most int) (out []SettledClaim, err error) {
	err = store.Read(ctx, "SettledClaims", func(t *sqldb.Tx) error {
		out, err = sqldb.Collect(t, `SELECT s.id, c.position, c.verdict FROM sessions s
			JOIN claims c ON c.tenant_id = s.tenant_id AND c.session_no = s.no AND c.settled = 1
			WHERE s.tenant_id = ? ORDER BY s.no DESC, c.position LIMIT ?`, []any{tenant, most},
			func(r sqldb.Scanner, c *SettledClaim) error { return r.Scan(&c.Session, &c.Position, &c.Verdict) })
		return err
	})
	return out, err
}
