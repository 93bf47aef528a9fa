package db

import (
	"database/sql"
	"encoding/json"

	"sanad/internal/domain/ledger"
)

// wholeClaim is the value of the column claim that stands for the whole session.
const wholeClaim = -1

// upstream stores what a provider's file said, for pages; the session's extra fields contain it too.
func (in *inserter) upstream(l *ledger.Ledger) error {
	s := l.Session
	if s.UpstreamWhole() == nil {
		return nil
	}
	rows := newBulk(in.t, "upstream", "tenant_id, session_no, claim, said")
	rows.add(in.tenant, in.no, wholeClaim, string(s.Extra[ledger.UpstreamWholePath]))
	for i := range s.Claims {
		if position := s.Claims[i].Position; s.Upstream(position) != nil {
			rows.add(in.tenant, in.no, position, string(s.Extra[ledger.UpstreamPath(position)]))
		}
	}
	return rows.flush()
}

// Columns and tables that pages read together with a session s and its claims c, to save a separate query.
const (
	saidOfWhole = "(SELECT json_object('" + ledger.UpstreamWholePath +
		"', json(u.said)) FROM upstream u WHERE u.session_no = s.no AND u.claim = -1)"
	saidOfClaim = "(SELECT u.said FROM upstream u WHERE u.session_no = c.session_no AND u.claim = c.position)"
)

// said returns a function that stores what the file said about the page's claims in the session's extra fields; nil if
// the session is not from a provider's file.
func (b *pageBuilder) said() func(int, sql.NullString) {
	s := b.page.Session
	if s.UpstreamWhole() == nil {
		return nil
	}
	return func(position int, record sql.NullString) {
		if record.Valid {
			s.Extra[ledger.UpstreamPath(position)] = json.RawMessage(record.String)
		}
	}
}
