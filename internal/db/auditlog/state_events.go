package auditlog

import (
	"maps"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/audit"
)

// ReviewDigest returns the digest of one review's row.
func (store *Store) ReviewDigest(t *sqldb.Tx, tenant, sessionID string, at RowOf) (out audit.Hash, err error) {
	x := store.Contents.section("reviews")
	no := 0
	if err := t.Row("SELECT no FROM sessions WHERE tenant_id = ? AND id = ?", []any{tenant, sessionID},
		&no); err != nil {
		return out, err
	}
	err = x.rows(t, x.query+" = ? AND r.claim = ? AND r.n = ?", []any{tenant, no, at.Claim, at.N},
		func(_, _ int, digest audit.Hash) error {
			out = digest
			return nil
		})
	return out, err
}

// details returns an event's details with what it says of the rows that changed with it, content of those of its
// session; nil if none changed.
func (store *Store) details(t *sqldb.Tx, tenant string, ev *Event, content *audit.Content) (map[string]any, error) {
	if err := ev.commit(t, tenant); err != nil {
		return nil, err
	}
	out, err := store.withContent(t, tenant, ev, content)
	if err != nil {
		return nil, err
	}
	records, err := store.recorded(t, tenant)
	if err != nil || len(records) == 0 && LogOf.Of(t).Request == "" {
		return out, err
	}
	if out = maps.Clone(out); out == nil {
		out = map[string]any{}
	}
	if LogOf.Of(t).Request != "" {
		out["request"] = LogOf.Of(t).Request
	}
	if len(records) > 0 {
		out[audit.RecordsKey] = records
	}
	return out, nil
}

// withContent returns an event's details with what it says of the rows of its session.
func (store *Store) withContent(t *sqldb.Tx, tenant string, ev *Event, content *audit.Content) (map[string]any, error) {
	if content == nil {
		return ev.Details, nil
	}
	says := *content
	if ev.Review != nil {
		digest, err := store.ReviewDigest(t, tenant, ev.Session, *ev.Review)
		if err != nil {
			return nil, err
		}
		says.Rows = audit.Hex(digest)
	}
	out := maps.Clone(ev.Details)
	if out == nil {
		out = map[string]any{}
	}
	out[audit.ContentKey] = says
	return out, nil
}
