package db

import (
	"maps"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/audit"
)

// rowOf is a review that an event records.
type rowOf struct{ claim, n int }

// reviewDigest returns the digest of one review's row.
func (s *auditLog) reviewDigest(t *sqldb.Tx, tenant, sessionID string, at rowOf) (out audit.Hash, err error) {
	x := s.contents.section("reviews")
	no := 0
	if err := t.Row("SELECT no FROM sessions WHERE tenant_id = ? AND id = ?", []any{tenant, sessionID}, &no); err != nil {
		return out, err
	}
	err = x.rows(t, x.query+" AND r.claim = ? AND r.n = ?", []any{tenant, no, at.claim, at.n},
		func(_ int, digest audit.Hash) error {
			out = digest
			return nil
		})
	return out, err
}

// details returns an event's details with what it says of the rows that changed with it.
func (s *auditLog) details(t *sqldb.Tx, tenant string, ev *Event, seq int64) (map[string]any, error) {
	if err := ev.commit(t, tenant); err != nil {
		return nil, err
	}
	out, err := s.withContent(t, tenant, ev, seq)
	if err != nil {
		return nil, err
	}
	records, err := s.recorded(t, tenant)
	if err != nil || len(records) == 0 && logOf.Of(t).request == "" {
		return out, err
	}
	if out = maps.Clone(out); out == nil {
		out = map[string]any{}
	}
	if logOf.Of(t).request != "" {
		out["request"] = logOf.Of(t).request
	}
	if len(records) > 0 {
		out[audit.RecordsKey] = records
	}
	return out, nil
}

// withContent returns an event's details with what it says of the rows of its session.
func (s *auditLog) withContent(t *sqldb.Tx, tenant string, ev *Event, seq int64) (map[string]any, error) {
	if ev.session == "" {
		return ev.Details, nil
	}
	c, err := contentOf(t, tenant, ev.session, seq)
	if err != nil || c == nil {
		return ev.Details, err
	}
	says := *c
	if ev.review != nil {
		digest, err := s.reviewDigest(t, tenant, ev.session, *ev.review)
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
