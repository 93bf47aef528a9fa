package live

import (
	"context"
	"maps"
	"slices"
	"time"

	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
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
func (store *Store) AddSpans(ctx context.Context, a access.Actor, spans []live.Span, before *live.Refused,
	lost map[string]live.Losses,
) (k KeptSpans, err error) {
	err = store.Write(ctx, sqldb.OfTenant(a.Tenant), "AddSpans", func(t *sqldb.Tx) error {
		k = KeptSpans{}
		if err := reads.TenantExists(t, a.Tenant); err != nil {
			return err
		}
		if store.Freezes.Of(a.Tenant) != "" {
			return store.FrozenError(a.Tenant)
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
			if err := store.addToTrace(t, a, id, newSpans{byTrace[id], lost[id]}, in, &k); err != nil {
				return err
			}
		}
		if err := in.Flush(); err != nil {
			return err
		}
		return store.countLive(t, a.Tenant, k.counts(before))
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
func (store *Store) countLive(t *sqldb.Tx, tenant string, more map[string]int) error {
	day := store.Now().UTC().Format(time.DateOnly)
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

func (store *Store) addToTrace(t *sqldb.Tx, a access.Actor, id string, more newSpans, in *sqldb.Bulk,
	k *KeptSpans) error {
	spans := more.taken
	x, known, err := store.liveTrace(t, a.Tenant, id)
	if err != nil {
		return err
	}
	there := map[string]bool{}
	if known {
		if there, err = spansThere(t, a.Tenant, id, spans); err != nil {
			return err
		}
	}
	now := store.Now().UTC()
	done := known && x.State != live.Gathering
	if done && live.Reopens(x.State, x.Cause) {
		done, x.State, x.FirstAt, x.EndedAt, x.Cause = false, live.Gathering, now, time.Time{}, ""
		x.Note, x.Said = "", domain.Message{}
	}
	if !known {
		x.State, x.FirstAt = live.Gathering, now
	}
	if len(spans) > 0 && !done && x.Service == "" && x.Name == "" { // it may have begun with refused ones
		x.Service, x.Name = spans[0].Service, spans[0].Name
	}
	if !known {
		if err := store.beginTrace(t, a, id, &x); err != nil { // its spans refer to it
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
	return store.saveTrace(t, a.Tenant, id, &x)
}

func (store *Store) liveTrace(t *sqldb.Tx, tenant, id string) (x liveTrace, known bool, err error) {
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

func (store *Store) beginTrace(t *sqldb.Tx, a access.Actor, id string, x *liveTrace) error {
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

func (store *Store) saveTrace(t *sqldb.Tx, tenant, id string, x *liveTrace) error {
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
