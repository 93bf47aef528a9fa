package reads

import (
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
)

// MakersOf reads who made whom in a tenant, with who made the token of the machine that asked, if one did.
func MakersOf(t *sqldb.Tx, tenant, asker string) (access.Makers, error) {
	all, err := Made(t, tenant)
	if err != nil {
		return access.Makers{}, err
	}
	maker := ""
	err = t.Row("SELECT "+IssuerOf("?2")+" FROM tenants WHERE id = ?1", []any{tenant, asker}, &maker)
	if maker != "" {
		all = append(all, access.Made{Person: asker, By: maker})
	}
	return access.MakersOf(all), err
}

// Made reads who made whom within access.MakerFor, from the events of the tenant's log, which cannot be changed unseen,
// and from the tokens. The operator and people themselves don't count, and what was set before the operator vouched for
// a person doesn't either. A machine is of whoever made its token, for as long as it could have acted.
func Made(t *sqldb.Tx, tenant string) ([]access.Made, error) {
	return sqldb.Collect(t, `SELECT e.object_id, e.actor FROM events e WHERE e.tenant_id = ?1 AND e.at >= ?2
			AND e.action IN ('user.added', 'user.password_changed', 'user.role_changed', 'user.totp_changed')
			AND e.actor NOT IN (e.object_id, '`+access.Operator+`', '`+access.System+`', '`+access.Anonymous+`')
			AND NOT EXISTS (SELECT 1 FROM events v WHERE v.tenant_id = e.tenant_id AND v.action = '`+Vouched+`'
				AND v.object_id = e.object_id AND v.seq > e.seq)
		UNION ALL SELECT k.user_id, k.created_by FROM api_tokens k WHERE k.tenant_id = ?1 AND k.created_at >= ?2
			AND k.created_by NOT IN (k.user_id, '`+access.Operator+`')
			AND NOT EXISTS (SELECT 1 FROM events v WHERE v.tenant_id = k.tenant_id AND v.action = '`+Vouched+`'
				AND v.object_id = k.user_id AND v.at > k.created_at)
		UNION ALL SELECT k.id, k.created_by FROM api_tokens k WHERE k.tenant_id = ?1 AND k.user_id IS NULL
			AND k.expires_at >= ?2 AND (k.revoked_at = '' OR k.revoked_at >= ?2) AND k.created_by <> '`+access.Operator+`'`,
		[]any{tenant, sqldb.Stamp(t.Now().Add(-access.MakerFor))},
		func(r sqldb.Scanner, m *access.Made) error { return r.Scan(&m.Person, &m.By) })
}

// Vouched is the action of the operator's word for a person.
const Vouched = "user.vouched"

// IssuerOf returns SQL for who made the token of a machine; "" for a person and for what the command line made.
func IssuerOf(actor string) string {
	return "coalesce((SELECT k.created_by FROM api_tokens k WHERE k.id = " + actor +
		" AND k.user_id IS NULL AND k.created_by <> '" + access.Operator + "'), '')"
}
