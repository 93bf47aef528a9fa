package sessions

import (
	"context"
	"errors"
	"slices"
	"time"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
)

// Reassessed is the result of reassessing one session.
type Reassessed struct {
	SessionID string
	Flips     int  // claims whose machine verdict changed
	Stale     int  // reviews that became stale
	Changed   bool // a list, a filter or a flag shows something different
	Reopened  bool
}

// CountOlderRules returns how many sessions of a tenant ("" for all) were assessed by an older rule set than the
// current one.
func (store *Store) CountOlderRules(ctx context.Context, tenant string) (n int, err error) {
	err = store.Read(ctx, "CountOlderRules", func(t *sqldb.Tx) error {
		return t.Row(`SELECT count(*) FROM tenants k JOIN sessions s ON s.tenant_id = k.id AND s.rule_set < ?
			WHERE ? IN ('', k.id)`,
			[]any{ledger.CurrentRuleSet(), tenant}, &n)
	})
	return n, err
}

// Reassess assesses a tenant's oldest session of an older rule set by the current one, in one transaction with the
// stored values, the stale marks of its reviews (ledger.Session.TakeRules) and the event. check compares what its
// answer cites and quotes with its sources (checks.Run). done is false if none was left; callers repeat the
// call until then, also after an interruption. A closed session stays closed if nothing visible changes.
func (store *Store) Reassess(ctx context.Context, a access.Actor, check func(*ledger.Session),
) (out Reassessed, done bool, err error) {
	err = store.Write(ctx, sqldb.OfTenant(a.Tenant), "Reassess", func(t *sqldb.Tx) error {
		out, done = Reassessed{}, false
		err := t.Row("SELECT id FROM sessions WHERE tenant_id = ? AND rule_set < ? ORDER BY rule_set, no LIMIT 1",
			[]any{a.Tenant, ledger.CurrentRuleSet()}, &out.SessionID)
		if sqldb.NoRow(err) {
			return reads.TenantExists(t, a.Tenant)
		}
		if err != nil {
			return err
		}
		done = true
		return store.reassess(t, a, check, &out)
	})
	return out, done, err
}

func (store *Store) reassess(t *sqldb.Tx, a access.Actor, check func(*ledger.Session), out *Reassessed) error {
	var months int
	if err := t.Row("SELECT freshness_months FROM tenants WHERE id = ?", []any{a.Tenant}, &months); err != nil {
		return err
	}
	h, old, err := LoadSession(t, a.Tenant, out.SessionID)
	if err != nil {
		return err
	}
	session := &h.Session
	w := &runWriter{updater: h.updater(t, a.Tenant, old), was: slices.Clone(session.Claims)}
	from := session.RuleSet
	check(session)
	changes, _ := session.TakeRules(store.Now().UTC().Truncate(time.Microsecond))
	l := ledger.Assess(session, months)
	if err := errors.Join(w.save(&l), w.claims(&l)); err != nil {
		return err
	}
	m := marksOf(changes)
	out.Flips, out.Stale, out.Changed = m.flips, m.stale, differs(old, l.Entries)
	events := h.reopened("reassessed")
	if !out.Changed && len(events) > 0 {
		events = nil
		_, err := t.Exec("UPDATE sessions SET (state, status) = (?, ?) WHERE tenant_id = ? AND no = ?",
			string(ledger.Closed), statusOf(ledger.Closed), a.Tenant, h.no)
		if err != nil {
			return err
		}
	}
	out.Reopened = len(events) > 0
	return store.AppendEvents(t, a, append(events,
		auditlog.SessionEvent("session.reassessed", session.ID, map[string]any{
			"from_rule_set": from, "rule_set": session.RuleSet, "changed": len(changes), "flips": m.flips,
			"stale_reviews": m.stale, "revision": session.Revision,
		})))
}

// differs reports whether the stored values of any claim have changed.
func differs(old []derived, entries []ledger.Entry) bool {
	for i := range entries {
		if DerivedOf(&entries[i]) != old[i] {
			return true
		}
	}
	return false
}
