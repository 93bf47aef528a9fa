package sessions

import (
	"context"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
)

// Titles lists up to limit sessions, packs and documents of the reader's tenant, each the newest first. Documents that
// were withdrawn are for reviewers only (rule ER-3).
func (s *Store) Titles(ctx context.Context, who domain.Actor, limit int) (out ledger.Titles, err error) {
	err = s.Read(ctx, "Titles", func(t *sqldb.Tx) (err error) {
		out.Sessions, err = titled(t, `SELECT id, title, id, '', total, updated_at FROM sessions
			WHERE tenant_id = ? ORDER BY created_at DESC, no DESC LIMIT ?`, who.Tenant, limit)
		if err != nil {
			return err
		}
		out.Packs, err = titled(t, `SELECT pack_id, title, session_id, '', 0, updated_at FROM evidence_packs
			WHERE tenant_id = ? ORDER BY created_at DESC, no DESC LIMIT ?`, who.Tenant, limit)
		if err != nil {
			return err
		}
		out.Documents, err = titled(t, `SELECT d.id, CASE d.title WHEN '' THEN d.filename ELSE d.title END, s.id, s.title, 0,
			s.created_at FROM sessions s CROSS JOIN documents d ON d.tenant_id = s.tenant_id AND d.session_no = s.no
			WHERE s.tenant_id = ? AND (d.withdrawn = '' OR ? = 1) ORDER BY s.created_at DESC, s.no DESC, d.position LIMIT ?`,
			who.Tenant, who.Role.AtLeast(domain.Reviewer), limit)
		return err
	})
	return out, err
}

func titled(t *sqldb.Tx, query string, args ...any) ([]ledger.Titled, error) {
	return sqldb.Collect(t, query, args, func(r sqldb.Scanner, x *ledger.Titled) error {
		return r.Scan(&x.ID, &x.Title, &x.SessionID, &x.Session, &x.Claims, sqldb.TimeInto(&x.At))
	})
}
