package notices

import (
	"context"
	"slices"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/due"
	"sanad/internal/domain/notify"
)

const (
	// dueSessions are the sessions that a person reviews, or that have no reviewer and whose date the person set
	dueSessions = `SELECT s.id, CASE WHEN s.title <> '' THEN s.title ELSE s.query END, d.day, d.zone, d.late_at
		FROM due_dates d CROSS JOIN sessions s ON s.tenant_id = d.tenant_id AND s.id = d.object_id
		WHERE d.tenant_id = ?1 AND d.object_kind = 'session' AND d.open = 1 AND d.day <> '' AND d.late_at <= ?3
		AND (s.first_reviewer = ?2 OR s.second_reviewer = ?2
			OR s.first_reviewer = '' AND s.second_reviewer = '' AND d.set_by = ?2)
		ORDER BY d.late_at, s.no LIMIT ?4`

	// duePacks are the packs that a person made or edited and that are not in review, and those in review that wait for
	// the person
	duePacks = `SELECT p.pack_id, p.title, d.day, d.zone, d.late_at
		FROM due_dates d CROSS JOIN evidence_packs p ON p.tenant_id = d.tenant_id AND p.pack_id = d.object_id
		WHERE d.tenant_id = ?1 AND d.object_kind = 'pack' AND d.open = 1 AND d.day <> '' AND d.late_at <= ?3
		AND CASE WHEN p.state = 'in_review' THEN ?5 = 1 AND NOT EXISTS (SELECT 1 FROM pack_approvals x
				WHERE x.tenant_id = p.tenant_id AND x.pack_id = p.pack_id AND ?2 IN (x.actor, x.for_id))
			ELSE TRUE END
		AND (p.state = 'in_review') = NOT EXISTS (SELECT 1 FROM pack_makers m
			WHERE m.tenant_id = p.tenant_id AND m.pack_id = p.pack_id AND m.actor = ?2)
		ORDER BY d.late_at, p.no LIMIT ?4`

	// dueCounts are how many are late, and due soon
	dueCounts = `SELECT (SELECT count(*) FROM (SELECT 1 FROM due_dates WHERE tenant_id = ?1 AND object_kind = ?2 AND open = 1
			AND day <> '' AND late_at > '' AND late_at <= ?3 LIMIT ?5) AS late),
		(SELECT count(*) FROM (SELECT 1 FROM due_dates WHERE tenant_id = ?1 AND object_kind = ?2 AND open = 1
			AND day <> '' AND late_at > ?3 AND late_at <= ?4 LIMIT ?5) AS soon)`
)

// DueHome returns what is late or due soon and concerns a person, at most limit, and how much of the tenant is
// late or due soon.
func (store *Store) DueHome(ctx context.Context, who access.Actor, limit int) (h due.Home, err error) {
	now := store.Now()
	until := sqldb.Stamp(now.Add(due.Near))
	err = store.Read(ctx, "DueHome", func(t *sqldb.Tx) error {
		h = due.Home{}
		for _, q := range []struct {
			object, query string
			more          []any
			late, soon    *int
		}{
			{object: notify.Session, query: dueSessions, more: nil, late: &h.LateSessions, soon: &h.SoonSessions},
			{object: notify.Pack, query: duePacks, more: []any{access.MayGrant(who)}, late: &h.LatePacks,
				soon: &h.SoonPacks},
		} {
			err := t.Row(dueCounts, []any{who.Tenant, q.object, sqldb.Stamp(now), until, due.MaxLate}, q.late, q.soon)
			if err != nil {
				return err
			}
			items, err := sqldb.Collect(t, q.query, append([]any{who.Tenant, who.ID, until, limit + 1}, q.more...),
				func(r sqldb.Scanner, i *due.Item) error {
					i.Object, i.Open = q.object, true
					return r.Scan(&i.ID, &i.Title, &i.Day, &i.Zone, sqldb.TimeInto(&i.LateAt))
				})
			if err != nil {
				return err
			}
			h.Items = append(h.Items, items...)
		}
		return nil
	})
	slices.SortStableFunc(h.Items, func(a, b due.Item) int { return a.LateAt.Compare(b.LateAt) })
	if len(h.Items) > limit {
		h.Items, h.More = h.Items[:limit], true
	}
	return h, err
}
