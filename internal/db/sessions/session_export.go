package sessions

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/receipts"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
)

// Export is a personal download link: its maker may fetch the file with the token until it expires.
type Export struct {
	TokenHash string // HashToken of the token, which itself is not stored
	SessionID string
	Format    string
	Revision  int    // of the session when the link was made; set by the store
	Actor     string // id of its maker; set by the store
	CreatedAt time.Time
	ExpiresAt time.Time
}

// HashToken returns the form in which a token is stored and looked up: its SHA-256 in hex.
func HashToken(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// CreateExport stores a download link for a session and logs it.
func (store *Store) CreateExport(ctx context.Context, a access.Actor, e Export) error {
	return store.CreateExportOnce(ctx, a, e, nil)
}

// CreateExportOnce is CreateExport with the receipt of the request, nil if none, in the same transaction. It returns a
// *ReplayError if the receipt's key has been answered already.
func (store *Store) CreateExportOnce(ctx context.Context, a access.Actor, e Export, r *receipts.Receipt) error {
	return store.Write(ctx, sqldb.OfTenant(a.Tenant), "CreateExport", func(t *sqldb.Tx) error {
		if err := store.Unanswered(t, a.Tenant, r); err != nil {
			return err
		}
		var no, revision int
		err := t.Row("SELECT no, revision FROM sessions WHERE tenant_id = ? AND id = ?", []any{a.Tenant, e.SessionID},
			&no, &revision)
		if err != nil {
			return err
		}
		_, err = t.Exec(`INSERT INTO exports (tenant_id, token_hash, session_no, format, revision, actor, created_at,
			expires_at)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
			a.Tenant, e.TokenHash, no, e.Format, revision, a.ID, sqldb.Stamp(e.CreatedAt), sqldb.Stamp(e.ExpiresAt))
		if err != nil {
			return err
		}
		if err := store.KeepReceipt(t, a.Tenant, r, store.Now()); err != nil {
			return err
		}
		return store.AppendEvent(t, a,
			auditlog.SessionEvent("export.created", e.SessionID,
				map[string]any{"format": e.Format, "revision": revision}))
	})
}

// PruneExports deletes the expired links of all tenants, some at a time.
func (store *Store) PruneExports(ctx context.Context) (pruned int64, err error) {
	return store.Prune(ctx, "PruneExports", `DELETE FROM exports WHERE (tenant_id, token_hash) IN (
		SELECT tenant_id, token_hash FROM exports WHERE expires_at <= ? LIMIT ?)`, sqldb.Stamp(store.Now()), 5000)
}

// Export returns the link for a token's hash; an expired link is NotFound, like an unknown one.
func (store *Store) Export(ctx context.Context, tenant, tokenHash string, now time.Time) (Export, error) {
	e := Export{TokenHash: tokenHash}
	err := store.Read(ctx, "Export", func(t *sqldb.Tx) error {
		return t.Row(`SELECT s.id, e.format, e.revision, e.actor, e.created_at, e.expires_at
			FROM exports e JOIN sessions s ON s.no = e.session_no AND s.tenant_id = e.tenant_id
			WHERE e.tenant_id = ? AND e.token_hash = ? AND e.expires_at > ?`, []any{tenant, tokenHash, sqldb.Stamp(now)},
			&e.SessionID, &e.Format, &e.Revision, &e.Actor, sqldb.TimeInto(&e.CreatedAt), sqldb.TimeInto(&e.ExpiresAt))
	})
	return e, err
}
