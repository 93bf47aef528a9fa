package db

import (
	"database/sql"
	"encoding/json"

	"sanad/internal/domain/ledger"
)

// wholeClaim stands in the column claim for the whole session.
const wholeClaim = -1

// upstream writes what a provider's file said, for pages; the session's extra fields hold it too, with all others.
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

// What pages read with a session s and its claims c, so that it costs no query of its own.
const (
	saidOfWhole = "(SELECT json_object('" + ledger.UpstreamWholePath +
		"', json(u.said)) FROM upstream u WHERE u.session_no = s.no AND u.claim = -1)"
	saidOfClaim = "(SELECT u.said FROM upstream u WHERE u.session_no = c.session_no AND u.claim = c.position)"
)

// said takes what the file said of the page's claims into the session's extra fields; nil where no provider's file did.
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
