package sessions

import (
	"context"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
)

// Reviewed says which kinds of review a person has made in a session, including those taken back later.
type Reviewed struct {
	Confirmed  bool // a verdict
	Overridden bool // a verdict, with a reason
}

// ReviewedBy returns what a person has reviewed in a session of their tenant; NotFound if there is no such session.
func (s *Store) ReviewedBy(ctx context.Context, who access.Actor, session string) (r Reviewed, err error) {
	err = s.Read(ctx, "ReviewedBy", func(t *sqldb.Tx) error {
		return t.Row(`SELECT count(r.n) FILTER (WHERE r.action = 'confirm') > 0,
			count(r.n) FILTER (WHERE r.action = 'override' AND r.reason <> '') > 0
			FROM sessions s LEFT JOIN reviews r ON r.session_no = s.no AND r.by_id = ? AND r.by_id <> ''
			AND r.tenant_id = s.tenant_id
			WHERE s.tenant_id = ? AND s.id = ? GROUP BY s.no`, []any{who.ID, who.Tenant, session}, &r.Confirmed,
			&r.Overridden)
	})
	return r, err
}
