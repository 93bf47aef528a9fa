package packs

import (
	"context"
	"strings"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/pack"
)

const decisionColumns = `d.decision_id, d.title, d.agent_name, d.entity_id, d.approval_class, d.level, d.session_id,
	d.decided_at, d.created_at,
	coalesce(p.pack_id, ''), coalesce(p.state, ''), d.missing`

// newestPack joins the newest pack about a decision d.
const newestPack = ` LEFT JOIN evidence_packs p ON p.tenant_id = d.tenant_id
	AND p.no = (SELECT max(x.no) FROM evidence_packs x WHERE x.tenant_id = d.tenant_id
	AND x.decision_id = d.decision_id)`

// scanDecision reads decisionColumns and any columns after them.
func scanDecision(r sqldb.Scanner, d *pack.DecisionRow, more ...any) error {
	return r.Scan(append([]any{&d.DecisionID, &d.Title, &d.AgentName, &d.EntityID, &d.ApprovalClass, &d.Level,
		&d.SessionID, &d.DecidedAt,
		sqldb.TimeInto(&d.CreatedAt), &d.PackID, &d.PackState, &d.Missing}, more...)...)
}

// Decision returns a decision by its id, with the packs about it.
func (store *Store) Decision(ctx context.Context, tenant, decisionID string) (*StoredDecision, error) {
	var out *StoredDecision
	err := store.Read(ctx, "Decision", func(t *sqldb.Tx) (err error) {
		out, err = loadDecision(t, tenant, decisionID)
		if err != nil {
			return err
		}
		out.Packs, err = sqldb.Collect(t,
			"SELECT "+packColumns+" FROM evidence_packs p WHERE p.tenant_id = ? AND p.decision_id = ? ORDER BY p.no",
			[]any{tenant, decisionID}, func(r sqldb.Scanner, p *pack.Row) error { return scanPack(r, p) })
		return err
	})
	return out, err
}

// loadDecision reads a decision without its packs.
func loadDecision(t *sqldb.Tx, tenant, decisionID string) (*StoredDecision, error) {
	out := &StoredDecision{}
	err := t.Row("SELECT data, created_at, restricted FROM decisions WHERE tenant_id = ? AND decision_id = ?",
		[]any{tenant, decisionID},
		sqldb.JSONInto(&out.Decision), sqldb.TimeInto(&out.CreatedAt), sqldb.JSONInto(&out.Restricted))
	if err != nil {
		return nil, err
	}
	apart, err := sqldb.Collect(t, "SELECT data, restricted FROM decision_calls WHERE tenant_id = ? AND decision_id = ? ORDER BY n",
		[]any{tenant, decisionID}, func(r sqldb.Scanner,
			c *pack.ToolCallRecord) error {
			var prints pack.Prints
			err := r.Scan(sqldb.JSONInto(c), sqldb.JSONInto(&prints))
			out.Restricted = append(out.Restricted, prints...)
			return err
		})
	if err != nil {
		return nil, err
	}
	out.Decision.ToolCalls = append(out.Decision.ToolCalls, apart...)
	out.Requirement = pack.Requires(&out.Decision.Header)
	return out, nil
}

// Decisions lists up to q.Limit decisions; next is the After of the following page, "" after the last one.
func (store *Store) Decisions(ctx context.Context, tenant string,
	q pack.DecisionQuery) (rows []pack.DecisionRow, next string, err error) {
	from, w := "decisions d", sqldb.Conditions{}
	if strings.TrimSpace(q.Text) != "" {
		match, err := sqldb.MatchLike(ctx, store.DB, "decision_search", "", tenant, q.Text, q.Near)
		if err != nil || match == "" {
			return nil, "", err
		}
		from = "decision_search CROSS JOIN decisions d ON d.no = decision_search.rowid"
		w.Add("decision_search MATCH ?", match)
	}
	w.Add("d.tenant_id = ?", tenant)
	if q.Missing {
		w.Add("d.missing = 1")
	}
	if q.Level != "" {
		w.Add("d.level = ?", string(q.Level))
	}
	l := sqldb.List[pack.DecisionRow]{
		Columns: decisionColumns, From: from + newestPack, Where: w, After: q.After, Limit: q.Limit,
		Order: sqldb.NewestFirst("decisions", "decisions", "d", "decision_id", "no"),
		Scan:  func(r sqldb.Scanner, d *pack.DecisionRow) error { return scanDecision(r, d) },
		Place: func(d *pack.DecisionRow) (any, string) { return sqldb.Stamp(d.CreatedAt), d.DecisionID },
	}
	return l.Read(ctx, store.DB, "Decisions", tenant)
}

// MissingPacks counts the decisions that need a pack and have none.
func (store *Store) MissingPacks(ctx context.Context, tenant string) (n int, err error) {
	err = store.Read(ctx, "MissingPacks", func(t *sqldb.Tx) error {
		return t.Row("SELECT count(*) FROM decisions WHERE tenant_id = ? AND missing = 1", []any{tenant}, &n)
	})
	return n, err
}
