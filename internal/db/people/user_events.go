package people

import (
	"context"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/audit"
)

// AccountEvents returns the newest events of a tenant's log about a person's account and credentials, newest first, so
// that the person is told of each change (rule P-22).
func (store *Store) AccountEvents(ctx context.Context, tenant, userID string,
	limit int) (out []audit.StoredEvent, err error) {
	err = store.Read(ctx, "AccountEvents", func(t *sqldb.Tx) error {
		out, err = sqldb.Collect(t, "SELECT "+auditlog.NamedColumns+` FROM events WHERE tenant_id = ?1 AND (
				object_kind = 'user' AND object_id = ?2 AND action IN ('user.added', 'user.password_changed',
				'user.role_changed', 'user.title_changed', 'user.totp_changed', 'user.email_changed', 'user.disabled',
				'user.enabled', 'user.vouched', 'user.deputy_set', 'user.deputy_ended', 'identity.linked', 'login.recovery_used')
				OR object_kind = 'token' AND object_id IN (SELECT id FROM api_tokens
				WHERE tenant_id = ?1 AND user_id = ?2))
			ORDER BY seq DESC LIMIT ?3`, []any{tenant, userID, limit}, auditlog.ScanNamed)
		return err
	})
	return out, err
}
