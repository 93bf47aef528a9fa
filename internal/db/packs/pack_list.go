package packs

import (
	"context"
	"strings"

	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/notify"
	"sanad/internal/domain/pack"
)

var packColumns = `p.pack_id, p.decision_id, p.version, p.supersedes, p.superseded_by, p.state, p.revision, p.title,
	p.agent_name,
	p.approval_class, p.level, p.session_id, p.digest, p.alarms, p.need, p.approvals, p.on_hold, p.made_by, p.created_at,
	p.updated_at, p.submitted_at,
	p.signed_at, p.retain_until, ` + reads.DueOf(notify.Pack, "p", "pack_id")

// scanPack reads packColumns and any columns after them.
func scanPack(r sqldb.Scanner, p *pack.Row, more ...any) error {
	return r.Scan(append([]any{&p.PackID, &p.DecisionID, &p.Version, &p.Supersedes, &p.SupersededBy, &p.State,
		&p.Revision, &p.Title, &p.AgentName,
		&p.ApprovalClass, &p.Level, &p.SessionID, &p.Digest, &p.Alarms, &p.Need, &p.Approvals, &p.OnHold, &p.MadeBy,
		sqldb.TimeInto(&p.CreatedAt),
		sqldb.TimeInto(&p.UpdatedAt), sqldb.TimeOrNoneInto(&p.SubmittedAt), sqldb.TimeOrNoneInto(&p.SignedAt),
		sqldb.TimeInto(&p.RetainUntil),
		reads.DueColumn{Date: &p.Due}},
		more...)...)
}

// Packs lists up to q.Limit packs of a tenant; next is the After of the following page, "" after the last one.
func (store *Store) Packs(ctx context.Context, tenant string, q pack.Query) (rows []pack.Row, next string, err error) {
	from, w, err := store.packConditions(ctx, &q, tenant)
	if err != nil || from == "" {
		return nil, "", err
	}
	l := sqldb.List[pack.Row]{
		Columns: packColumns, From: from, Where: w, After: q.After, Limit: q.Limit,
		Order: sqldb.NewestFirst("packs", "evidence_packs", "p", "pack_id", "no"),
		Scan:  func(r sqldb.Scanner, p *pack.Row) error { return scanPack(r, p) },
		Place: func(p *pack.Row) (any, string) { return sqldb.Stamp(p.CreatedAt), p.PackID },
	}
	return l.Read(ctx, store.DB, "Packs", tenant)
}

// packConditions returns the tables and conditions of the packs that pass the filters; their table is p. from is "" if
// the search can't find anything.
func (store *Store) packConditions(ctx context.Context, q *pack.Query,
	tenant string) (from string, w sqldb.Conditions, err error) {
	from = "evidence_packs p"
	if strings.TrimSpace(q.Text) != "" {
		match, err := sqldb.MatchLike(ctx, store.DB, "pack_search", packScope(q.Text), tenant, q.Text, q.Near)
		if err != nil || match == "" {
			return "", w, err
		}
		from = "pack_search CROSS JOIN evidence_packs p ON p.no = pack_search.rowid"
		w.Add("pack_search MATCH ?", match)
	}
	w.Add("p.tenant_id = ?", tenant)
	for name, v := range pack.Filters.On(q) {
		switch name {
		case "q": // above
		case "state":
			w.Add("p.state = ?", v)
		case "level":
			w.Add("p.level = ?", v)
		case "decision_id":
			w.Add("p.decision_id = ?", v)
		case "ledger_session_id":
			w.Add("p.session_id = ?", v)
		case "due":
			reads.DueWithin(&w, notify.Pack, "p.pack_id", tenant, q.Due, store.Now())
		case "waits":
			if err := store.waitsCondition(ctx, &w, q.Reader); err != nil {
				return "", w, err
			}
		default:
			panic(sqldb.NoCondition(name))
		}
	}
	return from, w, nil
}

// PackCounts counts a tenant's packs by state.
func (store *Store) PackCounts(ctx context.Context, tenant string) (map[pack.State]int, error) {
	var out map[pack.State]int
	err := store.Read(ctx, "PackCounts", func(t *sqldb.Tx) error {
		out = map[pack.State]int{}
		return t.Each("SELECT state, count(*) FROM evidence_packs WHERE tenant_id = ? GROUP BY state", []any{tenant},
			func(r sqldb.Scanner) error {
				var state pack.State
				var n int
				err := r.Scan(&state, &n)
				out[state] = n
				return err
			})
	})
	return out, err
}
