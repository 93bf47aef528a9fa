package packs

import (
	"context"
	"slices"

	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/pack"
)

// PackQueue returns what waits for an actor, at most limit of each kind.
func (store *Store) PackQueue(ctx context.Context, a access.Actor, limit int) (*pack.Queue, error) {
	q := &pack.Queue{}
	limit = max(1, limit)
	err := store.Read(ctx, "PackQueue", func(t *sqldb.Tx) (err error) {
		if access.MayGrant(a) {
			if q.Packs, q.NPacks, err = packsFor(t, a, limit); err != nil {
				return err
			}
		}
		if q.Exports, q.NExports, err = exportsFor(t, a, "e.asked_at, e.rowid", limit); err != nil {
			return err
		}
		if q.Returned, q.NReturned, err = packsWhere(t, packsReturned, limit, a.Tenant, a.ID); err != nil {
			return err
		}
		if q.Drafts, q.NDrafts, err = packsWhere(t, packsDrafted, limit, a.Tenant, a.ID); err != nil {
			return err
		}
		q.Missing, err = sqldb.Collect(t, "SELECT "+decisionColumns+", count(*) OVER () FROM decisions d"+newestPack+
			" WHERE d.tenant_id = ? AND d.missing = 1 ORDER BY d.created_at, d.no LIMIT ?",
			[]any{a.Tenant, limit},
			func(r sqldb.Scanner, d *pack.DecisionRow) error { return scanDecision(r, d, &q.NMissing) })
		return err
	})
	return sqldb.OrZero(q, err)
}

// packsFor lists the packs in review that an approver may approve: not those that they, or somebody who counts as the
// same person (rule P-22), made or approved, nor those whose policy keeps apart whoever reviewed a claim of the ledger.
func packsFor(t *sqldb.Tx, a access.Actor, limit int) ([]pack.Row, int, error) {
	same, err := sameAs(t, a)
	if err != nil {
		return nil, 0, err
	}
	return packsWhere(t, packsToDecide+" ORDER BY p.submitted_at, p.no", limit, a.Tenant, same, same, same, same, same)
}

// sameAs returns the ids of those who count as one person with somebody, as JSON.
func sameAs(t *sqldb.Tx, a access.Actor) (any, error) {
	all, err := reads.Made(t, a.Tenant)
	if err != nil {
		return nil, err
	}
	return sqldb.JSONText(access.MakersOf(all).With(a.ID))
}

// waitsCondition restricts a list of packs to those that wait for somebody.
func (store *Store) waitsCondition(ctx context.Context, w *sqldb.Conditions, a access.Actor) error {
	if !access.MayGrant(a) {
		w.Add("FALSE")
		return nil
	}
	return store.Read(ctx, "Packs", func(t *sqldb.Tx) error {
		same, err := sameAs(t, a)
		if err == nil {
			w.Add(packsToDecide, a.Tenant, same, same, same, same, same)
		}
		return err
	})
}

// MarkWaiting marks those of some packs that wait for somebody.
func (store *Store) MarkWaiting(ctx context.Context, a access.Actor, rows []pack.Row) error {
	ids := []string{}
	for i := range rows {
		if rows[i].State == pack.InReview {
			ids = append(ids, rows[i].PackID)
		}
	}
	if len(ids) == 0 || !access.MayGrant(a) {
		return nil
	}
	return store.Read(ctx, "MarkWaiting", func(t *sqldb.Tx) error {
		same, err := sameAs(t, a)
		if err != nil {
			return err
		}
		among, err := sqldb.JSONText(ids)
		if err != nil {
			return err
		}
		waiting, err := sqldb.Collect(t, "SELECT p.pack_id FROM evidence_packs p WHERE "+packsToDecide+
			" AND p.pack_id IN (SELECT value FROM json_each(?))",
			[]any{a.Tenant, same, same, same, same, same, among}, sqldb.ScanText)
		for i := range rows {
			rows[i].WaitsForYou = slices.Contains(waiting, rows[i].PackID)
		}
		return err
	})
}

const (
	packsToDecide = `p.tenant_id = ? AND p.state = 'in_review'
		AND NOT EXISTS (SELECT 1 FROM pack_makers m LEFT JOIN api_tokens k ON k.id = m.actor AND k.user_id IS NULL
			WHERE m.tenant_id = p.tenant_id AND m.pack_id = p.pack_id
				AND (m.actor IN (SELECT value FROM json_each(?)) OR k.created_by IN (SELECT value FROM json_each(?))))
		AND NOT EXISTS (SELECT 1 FROM pack_approvals x WHERE x.tenant_id = p.tenant_id AND x.pack_id = p.pack_id
			AND (x.actor IN (SELECT value FROM json_each(?)) OR x.for_id IN (SELECT value FROM json_each(?))))
		AND CASE WHEN EXISTS (SELECT 1 FROM sessions s JOIN reviews r ON r.tenant_id = s.tenant_id AND r.session_no = s.no
		AND r.by_id <> ''
		AND r.by_id IN (SELECT value FROM json_each(?))
				WHERE s.tenant_id = p.tenant_id AND s.id = p.session_id AND r.action NOT IN ('comment', 'undo', 'resolve', 'reopen')
					AND substr(r.at, 1, 19) <= substr(p.submitted_at, 1, 19)) -- to the second
			THEN NOT EXISTS (SELECT 1 FROM json_each(p.content, '$.policy.rules') AS o
				WHERE o.value ->> 'rule' = 'approver_apart' AND o.value ->> 'level' = 'must') ELSE TRUE END`
	packsReturned = `p.tenant_id = ? AND p.state = 'returned'
		AND EXISTS (SELECT 1 FROM pack_makers m WHERE m.tenant_id = p.tenant_id AND m.pack_id = p.pack_id
		AND m.actor = ? AND m.own = 1)
		AND NOT EXISTS (SELECT 1 FROM evidence_packs x WHERE x.tenant_id = p.tenant_id AND x.supersedes = p.pack_id)
		ORDER BY p.returned_at DESC, p.no DESC`
	packsDrafted = `p.tenant_id = ? AND p.state = 'draft'
		AND EXISTS (SELECT 1 FROM pack_makers m WHERE m.tenant_id = p.tenant_id AND m.pack_id = p.pack_id
		AND m.actor = ? AND m.own = 1)
		ORDER BY p.updated_at DESC, p.no DESC`
)

// packsWhere lists packs by a condition and its order, and counts all of them.
func packsWhere(t *sqldb.Tx, condition string, limit int, args ...any) (rows []pack.Row, n int, err error) {
	rows, err = sqldb.Collect(t, "SELECT "+packColumns+", count(*) OVER () FROM evidence_packs p WHERE "+condition+
		" LIMIT ?", append(args, limit),
		func(r sqldb.Scanner, p *pack.Row) error { return scanPack(r, p, &n) })
	return rows, n, err
}
