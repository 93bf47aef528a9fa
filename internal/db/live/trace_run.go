package live

import (
	"cmp"
	"context"
	"time"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/job"
	"sanad/internal/domain/live"
)

// ClaimedTrace is a complete trace that one worker has.
type ClaimedTrace struct {
	ID      string
	Actor   access.Actor // who sent its first span
	Attempt int          // from 1
	Spans   []live.Span  // in the order of their ids
	Rules   live.Rules   // of its tenant
	Lost    live.Losses  // spans that were refused
	owner   string
}

// ClaimTrace returns the next complete trace for owner to make something of, or nil. It is owner's for a time, after
// which another worker may have it. Use a different owner for each call.
func (store *Store) ClaimTrace(ctx context.Context, owner string, hold time.Duration) (*ClaimedTrace, error) {
	at := store.Now()
	some := 0
	err := store.Read(ctx, "ClaimTrace", func(t *sqldb.Tx) error { // idle workers take no write lock
		return t.Row("SELECT count(*) FROM (SELECT 1 FROM live_traces WHERE "+claimableTrace+auditlog.GoingOn+" LIMIT 1) AS x",
			[]any{sqldb.Stamp(at), sqldb.Stamp(at), store.FrozenList()}, &some)
	})
	if err != nil || some == 0 {
		return nil, err
	}
	var found []*ClaimedTrace
	err = store.Write(ctx, traceQueue, "ClaimTrace", func(t *sqldb.Tx) error {
		found, err = sqldb.Collect(t, `UPDATE live_traces SET owner = ?, held_until = ?, attempts = attempts + 1
			WHERE (tenant_id, trace_id) = (SELECT j.tenant_id, j.trace_id FROM live_traces AS j WHERE `+claimableTrace+auditlog.GoingOn+`
				ORDER BY j.due_at, j.tenant_id, j.trace_id LIMIT 1`+t.Engine.SkipLocked()+`)
			RETURNING tenant_id, trace_id, actor, actor_more, attempts`,
			[]any{owner, sqldb.Stamp(at.Add(hold)), sqldb.Stamp(at), sqldb.Stamp(at), store.FrozenList()},
			func(r sqldb.Scanner, c **ClaimedTrace) error {
				var more reads.StoredActor
				tenant, actor := "", ""
				x := &ClaimedTrace{owner: owner}
				err := r.Scan(&tenant, &x.ID, &actor, sqldb.JSONInto(&more), &x.Attempt)
				x.Actor, *c = more.Actor(tenant, actor), x
				return err
			})
		return err
	})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	c := found[0]
	err = store.Read(ctx, "ClaimTrace", func(t *sqldb.Tx) error {
		if c.Rules, err = liveRules(t, c.Actor.Tenant); err != nil {
			return err
		}
		if err := t.Row("SELECT lost FROM live_traces WHERE tenant_id = ? AND trace_id = ?",
			[]any{c.Actor.Tenant, c.ID}, sqldb.JSONInto(&c.Lost)); err != nil {
			return err
		}
		c.Spans, err = sqldb.Collect(t, `SELECT span_id, service, body FROM live_spans
			WHERE tenant_id = ? AND trace_id = ? ORDER BY span_id`, []any{c.Actor.Tenant, c.ID}, func(r sqldb.Scanner, p *live.Span) error {
			p.TraceID = c.ID
			return r.Scan(&p.SpanID, &p.Service, &p.Body)
		})
		return err
	})
	return c, err
}

// claimableTrace is the condition for complete traces that no worker has; its arguments are now, twice.
const claimableTrace = "state = 'gathering' AND due_at <= ? AND held_until <= ?"

// TraceOutcome is what became of a trace.
type TraceOutcome struct {
	State    live.State
	Cause    live.Cause
	Note     domain.Message
	ObjectID string
	Warnings []domain.Warning
}

// EndTrace stores what became of a trace. The bodies of its spans go if something was made of it. Spans that came in
// since it was claimed are late. If the worker has lost the trace, it returns job.ErrLost.
func (store *Store) EndTrace(ctx context.Context, c *ClaimedTrace, o TraceOutcome) error {
	tenant := c.Actor.Tenant
	return job.Lost(store.Write(ctx, sqldb.OfTenant(tenant), "EndTrace", func(t *sqldb.Tx) error {
		said, err := sqldb.JSONText(o.Note)
		if err != nil {
			return err
		}
		warnings, err := sqldb.JSONText(domain.StoredWarnings(o.Warnings))
		if err != nil {
			return err
		}
		n, err := t.Exec(`UPDATE live_traces SET state = ?, cause = ?, note = ?, said = ?, warnings = ?, object_id = ?,
			ended_at = ?, owner = '',
			held_until = '', late = late + spans - ? WHERE tenant_id = ? AND trace_id = ? AND owner = ? AND state = 'gathering'`,
			string(o.State), string(o.Cause), o.Note.String(), said, warnings, o.ObjectID, sqldb.Stamp(store.Now()),
			len(c.Spans), tenant, c.ID, c.owner)
		if err != nil {
			return err
		}
		if n == 0 {
			return job.ErrLost
		}
		if o.State == live.Session || o.State == live.Decision {
			if _, err := t.Exec("UPDATE live_spans SET body = '' WHERE tenant_id = ? AND trace_id = ?", tenant,
				c.ID); err != nil {
				return err
			}
		}
		return store.countLive(t, tenant, map[string]int{cmp.Or(string(o.Cause), string(o.State)): 1})
	}))
}

// BeatTrace keeps a trace for its worker for a further time. If the worker has lost it, it returns job.ErrLost.
func (store *Store) BeatTrace(ctx context.Context, c *ClaimedTrace, hold time.Duration) error {
	return job.Lost(store.Write(ctx, sqldb.SingleRow, "BeatTrace", func(t *sqldb.Tx) error {
		n, err := t.Exec(`UPDATE live_traces SET held_until = ? WHERE tenant_id = ? AND trace_id = ? AND owner = ?
			AND state = 'gathering'`, sqldb.Stamp(store.Now().Add(hold)), c.Actor.Tenant, c.ID, c.owner)
		if err == nil && n == 0 {
			return job.ErrLost
		}
		return err
	}))
}

// ReleaseTrace gives back a trace of which nothing was made, because its server stops or for a passing fault, to be
// begun again after a pause. Without a fault the attempt does not count.
func (store *Store) ReleaseTrace(ctx context.Context, c *ClaimedTrace, pause time.Duration, fault bool) error {
	back := 1
	if fault {
		back = 0
	}
	return job.Lost(store.Write(ctx, sqldb.SingleRow, "ReleaseTrace", func(t *sqldb.Tx) error {
		_, err := t.Exec(`UPDATE live_traces SET owner = '', held_until = ?, attempts = attempts - ?
			WHERE tenant_id = ? AND trace_id = ? AND owner = ?`, sqldb.Stamp(store.Now().Add(pause)), back, c.Actor.Tenant, c.ID, c.owner)
		return err
	}))
}

// traceQueue is the lock under which one trace of any tenant is taken.
const traceQueue sqldb.Lock = "traces"
