package db

import (
	"slices"

	"sanad/internal/domain"
)

// behind adds who set whose credentials lately.
func (f *packVersions) behind(t *tx, tenant, packID string) (err error) {
	f.lives[packID].Behind, err = behind(t, tenant)
	return err
}

// behind reads who set whose credentials lately, from the events of the tenant's log, which cannot be changed unseen,
// and from the tokens that stand in another's name. The operator and people themselves don't count, and what was set
// before the operator vouched for a person doesn't either.
func behind(t *tx, tenant string) (out []domain.Behind, err error) {
	since := stamp(t.now().Add(-domain.BehindFor))
	err = t.each(`SELECT e.object_id, coalesce((SELECT k.created_by FROM api_tokens k
		WHERE k.id = e.actor AND k.user_id IS NULL), e.actor) AS giver
		FROM events e WHERE e.tenant_id = ?1 AND e.at >= ?2
			AND e.action IN ('user.added', 'user.password_changed', 'user.role_changed', 'user.totp_changed')
			AND e.actor NOT IN (e.object_id, '`+domain.Operator+`', '`+domain.System+`', '`+domain.Anonymous+`')
			AND NOT EXISTS (SELECT 1 FROM events v WHERE v.tenant_id = e.tenant_id AND v.action = '`+vouched+`'
				AND v.object_id = e.object_id AND v.seq > e.seq)
		UNION ALL SELECT k.user_id, k.created_by FROM api_tokens k WHERE k.tenant_id = ?1 AND k.created_at >= ?2
			AND k.created_by NOT IN (k.user_id, '`+domain.Operator+`')
			AND NOT EXISTS (SELECT 1 FROM events v WHERE v.tenant_id = k.tenant_id AND v.action = '`+vouched+`'
				AND v.object_id = k.user_id AND v.at > k.created_at)`, []any{tenant, since}, func(r scanner) error {
		var x domain.Behind
		err := r.Scan(&x.Person, &x.By)
		if !slices.Contains(out, x) {
			out = append(out, x)
		}
		return err
	})
	return out, err
}

// vouched is the action of the operator's word for a person.
const vouched = "user.vouched"
