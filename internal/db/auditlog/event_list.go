package auditlog

import (
	"context"

	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/audit"
)

const eventColumns = "seq, id, at, actor, role, action, object_kind, object_id, bytes"

func scanEvent(r sqldb.Scanner, e *audit.StoredEvent) error {
	return r.Scan(&e.Seq, &e.ID, &e.At, &e.Actor, &e.Role, &e.Action, &e.Kind, &e.ObjectID, &e.Bytes)
}

// Events lists up to limit events of a tenant after the sequence number after, oldest first.
func (store *Store) Events(ctx context.Context, tenant string,
	after int64, limit int) (out []audit.StoredEvent, err error) {
	err = store.Read(ctx, "Events", func(t *sqldb.Tx) error {
		out, err = sqldb.Collect(t, "SELECT "+eventColumns+
			" FROM events WHERE tenant_id = ? AND seq > ? ORDER BY seq LIMIT ?",
			[]any{tenant, after, limit}, scanEvent)
		return err
	})
	return out, err
}

// Log lists events newest first; next is the Before of the next page, 0 if none.
func (store *Store) Log(ctx context.Context, tenant string,
	q audit.Query) (events []audit.StoredEvent, next int64, err error) {
	limit := max(q.Limit, 1)
	err = store.Read(ctx, "Log", func(t *sqldb.Tx) error {
		ids, err := objectIDs(t, tenant, q.Kind, q.ObjectID)
		if err != nil {
			return err
		}
		where, args := logCondition(tenant, &q, ids)
		events, err = sqldb.Collect(t, "SELECT "+NamedColumns+" FROM events WHERE "+where+" ORDER BY seq DESC LIMIT ?",
			append(args, limit+1), ScanNamed)
		return err
	})
	if len(events) > limit {
		events = events[:limit]
		next = events[limit-1].Seq
	}
	return events, next, err
}

// logCondition returns the condition of a query, with its arguments; ids are those by which its object may be named.
func logCondition(tenant string, q *audit.Query, ids []any) (condition string, args []any) {
	condition, args = "tenant_id = ?", []any{tenant}
	add := func(wanted bool, text string, values ...any) {
		if wanted {
			condition += " AND " + text
			args = append(args, values...)
		}
	}
	family := len(q.Action) > 0 && q.Action[len(q.Action)-1] == '.'
	add(q.Action != "" && !family, "action = ?", q.Action)
	if family { // the character after the dot ends the range
		add(true, "action >= ? AND action < ?", q.Action, q.Action[:len(q.Action)-1]+"/")
	}
	add(q.Actor != "", "actor = ?", q.Actor)
	add(q.Kind != "", "object_kind = ?", q.Kind)
	add(q.ObjectID != "", "object_id IN ("+sqldb.Placeholders(len(ids))+")", ids...)
	add(q.Claim > 0 && q.ObjectID != "", "CAST(CAST(bytes AS TEXT) ->> '$.details.claim' AS BIGINT) = ?", q.Claim)
	add(!q.From.IsZero(), "at >= ?", sqldb.Stamp(q.From))
	add(!q.To.IsZero(), "at < ?", sqldb.Stamp(q.To))
	add(q.Before > 0, "seq < ?", q.Before)
	return condition, args
}

// Checkpoint returns a tenant's newest signed note (C2SP tlog-checkpoint), "" while its log is empty.
func (store *Store) Checkpoint(ctx context.Context, tenant string) (string, error) {
	var head audit.TreeHead
	err := store.Read(ctx, "Checkpoint", func(t *sqldb.Tx) (err error) {
		if err := reads.TenantExists(t, tenant); err != nil {
			return err
		}
		head, _, err = LogHead(t, tenant)
		return err
	})
	return head.Checkpoint, err
}

// LogProof proves that an event is in the tree of the newest checkpoint (C2SP tlog-proof).
func (store *Store) LogProof(ctx context.Context, tenant string, seq int64) (audit.Proof, error) {
	var p audit.Proof
	err := store.Read(ctx, "LogProof", func(t *sqldb.Tx) error {
		head, _, err := LogHead(t, tenant)
		if err != nil {
			return err
		}
		p, err = provenEvent(t, tenant, head, seq)
		return err
	})
	return p, err
}

// provenEvent returns the proof of an event after checking it.
func provenEvent(t *sqldb.Tx, tenant string, head audit.TreeHead, seq int64) (audit.Proof, error) {
	var bytes []byte
	if err := t.Row("SELECT bytes FROM events WHERE tenant_id = ? AND seq = ?", []any{tenant, seq},
		&bytes); err != nil {
		return audit.Proof{}, err
	}
	p, err := audit.Prove(seq-1, head.Checkpoint, StoredHashes(t, tenant))
	if err != nil {
		return audit.Proof{}, err
	}
	return p, p.Check(audit.LeafHash(bytes), head)
}
