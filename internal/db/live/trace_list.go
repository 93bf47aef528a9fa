package live

import (
	"context"
	"time"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/live"
)

// traceNotes are the columns of what is told of a trace.
const traceNotes = "note, said, lost, warnings"

// notesOf scans traceNotes.
func notesOf(x *live.Trace) []any {
	return []any{&x.Note, sqldb.JSONInto(&x.Said), sqldb.JSONInto(&x.Lost),
		sqldb.JSONInto((*domain.StoredWarnings)(&x.Warnings))}
}

// Traces lists up to limit traces of a tenant, those that a span came in for last first.
func (store *Store) Traces(ctx context.Context, tenant string, limit int) (out []live.Trace, err error) {
	err = store.Read(ctx, "Traces", func(t *sqldb.Tx) error {
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
func (store *Store) SessionTrace(ctx context.Context, tenant, session, trace string) (out live.Trace, err error) {
	if trace == "" {
		return out, nil
	}
	err = store.Read(ctx, "SessionTrace", func(t *sqldb.Tx) error {
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
func (store *Store) LiveCounts(ctx context.Context, tenant string, since time.Time) (out map[string]int, err error) {
	out = map[string]int{}
	err = store.Read(ctx, "LiveCounts", func(t *sqldb.Tx) error {
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
