package live

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/job"
	"sanad/internal/domain/live"
	"sanad/internal/words"
)

// KeptSpans is what became of the spans of one request.
type KeptSpans struct {
	New, Again, Late int
	Refused          live.Refused // for reasons that only the store knows
}

// AddSpans keeps spans, all in one transaction: a span that is there already is not kept again, one of a trace that is
// done with is counted only, and one beyond the bounds of its trace is refused. before is what the reader of the
// request has refused, to be counted. A tenant that has too many traces open is told to come back: Unavailable. lost
// are refused spans by their trace, which remembers them.
func (s *Store) AddSpans(ctx context.Context, a access.Actor, spans []live.Span, before *live.Refused,
	lost map[string]live.Losses,
) (k KeptSpans, err error) {
	err = s.Write(ctx, sqldb.OfTenant(a.Tenant), "AddSpans", func(t *sqldb.Tx) error {
		k = KeptSpans{}
		if err := reads.TenantExists(t, a.Tenant); err != nil {
			return err
		}
		if s.Freezes.Of(a.Tenant) != "" {
			return s.FrozenError(a.Tenant)
		}
		open, bytes := 0, int64(0)
		if err := t.Row("SELECT count(*), coalesce(sum(bytes), 0) FROM live_traces WHERE tenant_id = ? AND state = 'gathering'",
			[]any{a.Tenant}, &open, &bytes); err != nil {
			return err
		}
		if open >= live.MaxOpen || bytes >= live.MaxOpenBytes {
			return &domain.Error{Kind: domain.Unavailable, Message: words.Msg("refused_too_many_traces")}
		}
		byTrace := map[string][]live.Span{}
		for _, x := range spans {
			byTrace[x.TraceID] = append(byTrace[x.TraceID], x)
		}
		for id := range lost {
			byTrace[id] = append([]live.Span{}, byTrace[id]...) // also a trace of which nothing was taken
		}
		in := sqldb.NewBulk(t, "live_spans", "tenant_id, trace_id, span_id, service, body")
		for _, id := range slices.Sorted(maps.Keys(byTrace)) {
			if err := s.addToTrace(t, a, id, newSpans{byTrace[id], lost[id]}, in, &k); err != nil {
				return err
			}
		}
		if err := in.Flush(); err != nil {
			return err
		}
		return s.countLive(t, a.Tenant, k.counts(before))
	})
	return k, err
}

func (k *KeptSpans) counts(before *live.Refused) map[string]int {
	n := map[string]int{live.SpansKept: k.New, live.SpansAgain: k.Again, live.SpansLate: k.Late}
	for _, c := range live.Refusals {
		n[string(c)] = k.Refused.N(c) + before.N(c)
	}
	return n
}

// countLive adds to the counts of today.
func (s *Store) countLive(t *sqldb.Tx, tenant string, more map[string]int) error {
	day := s.Now().UTC().Format(time.DateOnly)
	for _, what := range slices.Sorted(maps.Keys(more)) {
		if more[what] == 0 {
			continue
		}
		if _, err := t.Exec(`INSERT INTO live_counts (tenant_id, day, what, n) VALUES (?, ?, ?, ?)
			ON CONFLICT (tenant_id, day, what) DO UPDATE SET n = live_counts.n + excluded.n`, tenant, day, what,
			more[what]); err != nil {
			return err
		}
	}
	return nil
}

// liveTrace is the row of a trace as AddSpans needs it.
type liveTrace struct {
	live.Trace
	bytes int64
	root  time.Time
}

// newSpans are the spans of one trace that a request brings.
type newSpans struct {
	taken []live.Span
	lost  live.Losses
}

func (s *Store) addToTrace(t *sqldb.Tx, a access.Actor, id string, more newSpans, in *sqldb.Bulk, k *KeptSpans) error {
	spans := more.taken
	x, known, err := s.liveTrace(t, a.Tenant, id)
	if err != nil {
		return err
	}
	there := map[string]bool{}
	if known {
		if there, err = spansThere(t, a.Tenant, id, spans); err != nil {
			return err
		}
	}
	now := s.Now().UTC()
	done := known && x.State != live.Gathering
	if done && live.Reopens(x.State, x.Cause) {
		done, x.State, x.FirstAt, x.EndedAt, x.Cause = false, live.Gathering, now, time.Time{}, ""
		x.Note, x.Said = "", domain.Message{}
	}
	if !known {
		x.State, x.FirstAt = live.Gathering, now
	}
	if len(spans) > 0 && x.Service == "" && x.Name == "" { // it may have begun with refused ones
		x.Service, x.Name = spans[0].Service, spans[0].Name
	}
	if !known {
		if err := s.beginTrace(t, a, id, &x); err != nil { // its spans refer to it
			return err
		}
	}
	added, before := 0, x.Lost.Total()
	for _, y := range more.lost {
		x.Lost = x.Lost.Join(y)
	}
	for i := range spans {
		p := &spans[i]
		switch {
		case there[p.SpanID]:
			k.Again++
			continue
		case x.Spans >= live.MaxTraceSpans || x.bytes+int64(len(p.Body)) > live.MaxTraceBytes:
			k.Refused.Add(live.TraceFull, "trace "+id+", span "+p.SpanID)
			x.Lost = x.Lost.Add(live.TraceFull, p.SpanID)
			continue
		}
		there[p.SpanID] = true
		body := p.Body
		if done {
			k.Late++
			x.Late++
			body = "" // nothing is made of it any more
		} else {
			k.New++
			x.Lost = x.Lost.Without(p.SpanID)
		}
		if p.Root && x.root.IsZero() {
			x.root, x.Service, x.Name = now, p.Service, p.Name
		}
		x.Spans, x.bytes, added = x.Spans+1, x.bytes+int64(len(body)), added+1
		in.Add(a.Tenant, id, p.SpanID, p.Service, body)
	}
	if added == 0 && known && x.Lost.Total() == before {
		return nil
	}
	if x.LastAt = now; !done {
		x.DueAt = live.Due(x.FirstAt, now, !x.root.IsZero())
	}
	return s.saveTrace(t, a.Tenant, id, &x)
}

func (s *Store) liveTrace(t *sqldb.Tx, tenant, id string) (x liveTrace, known bool, err error) {
	found, err := sqldb.Collect(t, `SELECT state, service, name, first_at, last_at, root_at, due_at, spans, bytes, late, cause,
		`+traceNotes+`, ended_at FROM live_traces WHERE tenant_id = ? AND trace_id = ?`, []any{tenant, id}, func(r sqldb.Scanner, x *liveTrace) error {
		return r.Scan(append(append([]any{&x.State, &x.Service, &x.Name, sqldb.TimeInto(&x.FirstAt),
			sqldb.TimeInto(&x.LastAt),
			sqldb.TimeOrNoneInto(&x.root), sqldb.TimeInto(&x.DueAt), &x.Spans, &x.bytes, &x.Late, &x.Cause},
			notesOf(&x.Trace)...),
			sqldb.TimeOrNoneInto(&x.EndedAt))...)
	})
	if err != nil || len(found) == 0 {
		return x, false, err
	}
	return found[0], true, nil
}

// spansThere returns which of the spans are kept already.
func spansThere(t *sqldb.Tx, tenant, id string, spans []live.Span) (map[string]bool, error) {
	there := map[string]bool{}
	for part := range slices.Chunk(spans, 500) {
		ids := make([]any, len(part))
		for i := range part {
			ids[i] = part[i].SpanID
		}
		list, args := sqldb.InList(ids)
		if err := t.Each("SELECT span_id FROM live_spans WHERE tenant_id = ? AND trace_id = ? AND span_id IN "+list,
			append([]any{tenant, id}, args...), func(r sqldb.Scanner) error {
				var one string
				err := r.Scan(&one)
				there[one] = true
				return err
			}); err != nil {
			return nil, err
		}
	}
	return there, nil
}

func (s *Store) beginTrace(t *sqldb.Tx, a access.Actor, id string, x *liveTrace) error {
	more, err := sqldb.JSONText(reads.StoredActorOf(a))
	if err != nil {
		return err
	}
	at := sqldb.Stamp(x.FirstAt)
	_, err = t.Exec(`INSERT INTO live_traces (tenant_id, trace_id, state, service, name, first_at, last_at, root_at, due_at,
		spans, bytes, late, attempts, owner, held_until, actor, actor_more, cause, note, said, object_id, ended_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, '', ?, 0, 0, 0, 0, '', '', ?, ?, '', '', '{}', '', '')`,
		a.Tenant, id, string(x.State), x.Service, x.Name, at, at, at, a.ID, more)
	return err
}

func (s *Store) saveTrace(t *sqldb.Tx, tenant, id string, x *liveTrace) error {
	said, err := sqldb.JSONText(x.Said)
	if err != nil {
		return err
	}
	lost, err := sqldb.JSONText(x.Lost)
	if err != nil {
		return err
	}
	_, err = t.Exec(`UPDATE live_traces SET state = ?, service = ?, name = ?, first_at = ?, last_at = ?, root_at = ?,
		due_at = ?, spans = ?, bytes = ?, late = ?, cause = ?, note = ?, said = ?, lost = ?, ended_at = ?
		WHERE tenant_id = ? AND trace_id = ?`,
		string(x.State), x.Service, x.Name, sqldb.Stamp(x.FirstAt), sqldb.Stamp(x.LastAt), sqldb.StampOrNone(x.root),
		sqldb.Stamp(x.DueAt), x.Spans,
		x.bytes, x.Late, string(x.Cause), x.Note, said, lost, sqldb.StampOrNone(x.EndedAt), tenant, id)
	return err
}

// traceNotes are the columns of what is told of a trace.
const traceNotes = "note, said, lost, warnings"

// notesOf scans traceNotes.
func notesOf(x *live.Trace) []any {
	return []any{&x.Note, sqldb.JSONInto(&x.Said), sqldb.JSONInto(&x.Lost),
		sqldb.JSONInto((*domain.StoredWarnings)(&x.Warnings))}
}

// Traces lists up to limit traces of a tenant, those that a span came in for last first.
func (s *Store) Traces(ctx context.Context, tenant string, limit int) (out []live.Trace, err error) {
	err = s.Read(ctx, "Traces", func(t *sqldb.Tx) error {
		out, err = sqldb.Collect(t, `SELECT trace_id, state, service, name, first_at, last_at, due_at, spans, late, cause,
			`+traceNotes+`, object_id, ended_at FROM live_traces WHERE tenant_id = ? ORDER BY last_at DESC, trace_id DESC LIMIT ?`,
			[]any{tenant, limit}, func(r sqldb.Scanner, x *live.Trace) error {
				return r.Scan(append(append([]any{&x.ID, &x.State, &x.Service, &x.Name, sqldb.TimeInto(&x.FirstAt),
					sqldb.TimeInto(&x.LastAt), sqldb.TimeInto(&x.DueAt), &x.Spans, &x.Late, &x.Cause}, notesOf(x)...),
					&x.ObjectID,
					sqldb.TimeOrNoneInto(&x.EndedAt))...)
			})
		return err
	})
	return out, err
}

// SessionTrace returns the live trace that a session was made of. Only ID is set if the trace has made no session yet,
// or another one; nothing is set if it is unknown or forgotten.
func (s *Store) SessionTrace(ctx context.Context, tenant, session, trace string) (out live.Trace, err error) {
	if trace == "" {
		return out, nil
	}
	err = s.Read(ctx, "SessionTrace", func(t *sqldb.Tx) error {
		out = live.Trace{}
		err := t.Row("SELECT trace_id, state, late, object_id, "+traceNotes+" FROM live_traces WHERE tenant_id = ? AND trace_id = ?",
			[]any{tenant, trace}, append([]any{&out.ID, &out.State, &out.Late, &out.ObjectID}, notesOf(&out)...)...)
		if sqldb.NoRow(err) {
			return nil
		}
		if out.State != live.Session || out.ObjectID != session {
			out = live.Trace{ID: out.ID}
		}
		return err
	})
	return out, err
}

// LiveCounts returns what became of a tenant's spans and traces since a day, by state or cause.
func (s *Store) LiveCounts(ctx context.Context, tenant string, since time.Time) (out map[string]int, err error) {
	out = map[string]int{}
	err = s.Read(ctx, "LiveCounts", func(t *sqldb.Tx) error {
		return t.Each("SELECT what, n FROM live_counts WHERE tenant_id = ? AND day >= ?",
			[]any{tenant, since.UTC().Format(time.DateOnly)}, func(r sqldb.Scanner) error {
				what, n := "", 0
				err := r.Scan(&what, &n)
				out[what] += n
				return err
			})
	})
	return out, err
}

// PruneTraces deletes what is kept no longer, of all tenants, some at a time: spans, then traces and counts.
func (s *Store) PruneTraces(ctx context.Context) (pruned int64, err error) {
	now := s.Now()
	for _, q := range []struct {
		statement string
		before    string
	}{
		{`DELETE FROM live_spans WHERE (tenant_id, trace_id) IN (SELECT x.tenant_id, x.trace_id FROM live_traces x
			WHERE x.ended_at <> '' AND x.ended_at < ?
			AND EXISTS (SELECT 1 FROM live_spans p WHERE p.tenant_id = x.tenant_id AND p.trace_id = x.trace_id)
			ORDER BY x.ended_at, x.tenant_id, x.trace_id LIMIT ?)`, sqldb.Stamp(now.Add(-live.KeepSpans))},
		{`DELETE FROM live_traces WHERE (tenant_id, trace_id) IN (SELECT x.tenant_id, x.trace_id FROM live_traces x
			WHERE x.ended_at <> '' AND x.ended_at < ?
			AND NOT EXISTS (SELECT 1 FROM live_spans p WHERE p.tenant_id = x.tenant_id AND p.trace_id = x.trace_id)
			ORDER BY x.ended_at, x.tenant_id, x.trace_id LIMIT ?)`, sqldb.Stamp(now.Add(-live.KeepTraces))},
		{`DELETE FROM live_counts WHERE (tenant_id, day, what) IN (SELECT tenant_id, day, what FROM live_counts WHERE day < ?
			ORDER BY day, tenant_id, what LIMIT ?)`, now.UTC().Add(-live.KeepCounts).Format(time.DateOnly)},
	} {
		n, err := s.Prune(ctx, "PruneTraces", q.statement, q.before, 500)
		if pruned += n; err != nil {
			return pruned, err
		}
	}
	return pruned, nil
}

// LiveRules returns a tenant's rules of traces, the default if it has set none.
func (s *Store) LiveRules(ctx context.Context, tenant string) (r live.Rules, err error) {
	err = s.Read(ctx, "LiveRules", func(t *sqldb.Tx) error {
		r, err = liveRules(t, tenant)
		return err
	})
	return r, err
}

func liveRules(t *sqldb.Tx, tenant string) (live.Rules, error) {
	found, err := sqldb.Collect(t, "SELECT revision, rules FROM live_rules WHERE tenant_id = ?", []any{tenant},
		func(r sqldb.Scanner, x *live.Rules) error { return r.Scan(&x.Revision, sqldb.JSONInto(&x.List)) })
	if err != nil || len(found) == 0 {
		return live.DefaultRules(), err
	}
	return found[0], nil
}

// SetLiveRules replaces the tenant's rules of traces: Conflict if revision is not that of the ones in force. Setting
// the same rules is not a change.
func (s *Store) SetLiveRules(ctx context.Context, a access.Actor, revision int,
	list []live.Rule) (out live.Rules, err error) {
	next := live.Rules{Revision: revision + 1, List: append([]live.Rule{}, list...)}
	if err := next.Check(); err != nil {
		return out, err
	}
	err = s.Write(ctx, sqldb.OfTenant(a.Tenant), "SetLiveRules", func(t *sqldb.Tx) error {
		if err := reads.TenantExists(t, a.Tenant); err != nil {
			return err
		}
		now, err := liveRules(t, a.Tenant)
		if err != nil {
			return err
		}
		if now.Revision != revision {
			return domain.Refuse(domain.Conflict, "", "refused_trace_overtaken")
		}
		if out = now; now.Revision > 0 && slices.Equal(now.List, next.List) {
			return nil
		}
		text, err := sqldb.JSONText(next.List)
		if err != nil {
			return err
		}
		if _, err := t.Exec(`INSERT INTO live_rules (tenant_id, revision, rules, actor, at) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT (tenant_id) DO UPDATE SET revision = excluded.revision, rules = excluded.rules, actor = excluded.actor,
			at = excluded.at`, a.Tenant, next.Revision, text, a.ID, sqldb.Stamp(s.Now())); err != nil {
			return err
		}
		out = next
		auditlog.Record(t, a.Tenant, auditlog.Wrote("live_rules", []any{a.Tenant}))
		return s.AppendEvent(t, a, auditlog.Event{Action: "tenant.trace_rules_changed", Kind: "tenant",
			ObjectID: a.Tenant,
			Details:  map[string]any{"revision": next.Revision, "rules": next.List}})
	})
	return out, err
}

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
func (s *Store) ClaimTrace(ctx context.Context, owner string, hold time.Duration) (*ClaimedTrace, error) {
	at := s.Now()
	some := 0
	err := s.Read(ctx, "ClaimTrace", func(t *sqldb.Tx) error { // idle workers take no write lock
		return t.Row("SELECT count(*) FROM (SELECT 1 FROM live_traces WHERE "+claimableTrace+auditlog.GoingOn+" LIMIT 1) AS x",
			[]any{sqldb.Stamp(at), sqldb.Stamp(at), s.FrozenList()}, &some)
	})
	if err != nil || some == 0 {
		return nil, err
	}
	var found []*ClaimedTrace
	err = s.Write(ctx, traceQueue, "ClaimTrace", func(t *sqldb.Tx) error {
		found, err = sqldb.Collect(t, `UPDATE live_traces SET owner = ?, held_until = ?, attempts = attempts + 1
			WHERE (tenant_id, trace_id) = (SELECT j.tenant_id, j.trace_id FROM live_traces AS j WHERE `+claimableTrace+auditlog.GoingOn+`
				ORDER BY j.due_at, j.tenant_id, j.trace_id LIMIT 1`+t.Engine.SkipLocked()+`)
			RETURNING tenant_id, trace_id, actor, actor_more, attempts`,
			[]any{owner, sqldb.Stamp(at.Add(hold)), sqldb.Stamp(at), sqldb.Stamp(at), s.FrozenList()},
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
	err = s.Read(ctx, "ClaimTrace", func(t *sqldb.Tx) error {
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
func (s *Store) EndTrace(ctx context.Context, c *ClaimedTrace, o TraceOutcome) error {
	tenant := c.Actor.Tenant
	return job.Lost(s.Write(ctx, sqldb.OfTenant(tenant), "EndTrace", func(t *sqldb.Tx) error {
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
			string(o.State), string(o.Cause), o.Note.String(), said, warnings, o.ObjectID, sqldb.Stamp(s.Now()),
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
		return s.countLive(t, tenant, map[string]int{cmp.Or(string(o.Cause), string(o.State)): 1})
	}))
}

// BeatTrace keeps a trace for its worker for a further time. If the worker has lost it, it returns job.ErrLost.
func (s *Store) BeatTrace(ctx context.Context, c *ClaimedTrace, hold time.Duration) error {
	return job.Lost(s.Write(ctx, sqldb.SingleRow, "BeatTrace", func(t *sqldb.Tx) error {
		n, err := t.Exec(`UPDATE live_traces SET held_until = ? WHERE tenant_id = ? AND trace_id = ? AND owner = ?
			AND state = 'gathering'`, sqldb.Stamp(s.Now().Add(hold)), c.Actor.Tenant, c.ID, c.owner)
		if err == nil && n == 0 {
			return job.ErrLost
		}
		return err
	}))
}

// ReleaseTrace gives back a trace of which nothing was made, because its server stops or for a passing fault, to be
// begun again after a pause. Without a fault the attempt does not count.
func (s *Store) ReleaseTrace(ctx context.Context, c *ClaimedTrace, pause time.Duration, fault bool) error {
	back := 1
	if fault {
		back = 0
	}
	return job.Lost(s.Write(ctx, sqldb.SingleRow, "ReleaseTrace", func(t *sqldb.Tx) error {
		_, err := t.Exec(`UPDATE live_traces SET owner = '', held_until = ?, attempts = attempts - ?
			WHERE tenant_id = ? AND trace_id = ? AND owner = ?`, sqldb.Stamp(s.Now().Add(pause)), back, c.Actor.Tenant, c.ID, c.owner)
		return err
	}))
}

// traceQueue is the lock under which one trace of any tenant is taken.
const traceQueue sqldb.Lock = "traces"
