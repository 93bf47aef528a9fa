package sessions

import (
	"encoding/json"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/ledger"
)

// upstream stores what a provider's file said, for pages; the session's extra fields contain it too.
func (in *inserter) upstream(l *ledger.Ledger) error {
	s := l.Session
	if s.UpstreamWhole() == nil {
		return in.explanations(s)
	}
	rows := sqldb.NewBulk(in.t, "upstream", "tenant_id, session_no, claim, said")
	rows.Add(in.tenant, in.no, wholeClaim, string(s.Extra[ledger.UpstreamWholePath]))
	for i := range s.Claims {
		if position := s.Claims[i].Position; s.Upstream(position) != nil {
			rows.Add(in.tenant, in.no, position, string(s.Extra[ledger.UpstreamPath(position)]))
		}
	}
	return rows.Flush()
}

// explanations stores what the caller's judge said in a file of our own format, for pages.
func (in *inserter) explanations(s *ledger.Session) error {
	if ledger.ProviderName(s.Format) != "" || len(s.Extra) == 0 {
		return nil
	}
	rows := sqldb.NewBulk(in.t, "upstream", "tenant_id, session_no, claim, said")
	for i := range s.Claims {
		position := s.Claims[i].Position
		said := s.Upstream(position)
		if said == nil {
			continue
		}
		words, err := json.Marshal(said.Reason)
		if err != nil {
			return err
		}
		rows.Add(in.tenant, in.no, position, string(words))
	}
	return rows.Flush()
}

// Columns that pages read together with a session s.
const (
	saidOfWhole = "(SELECT json_object('" + ledger.UpstreamWholePath +
		"', json(u.said)) FROM upstream u WHERE u.tenant_id = s.tenant_id AND u.session_no = s.no AND u.claim = -1)"
	saidOfClaims = "EXISTS (SELECT 1 FROM upstream u WHERE u.tenant_id = s.tenant_id AND u.session_no = s.no)"
)

// upstream reads what the file said about the page's claims into the session's extra fields; more restricts the claims.
func (b *pageBuilder) upstream(more string, args ...any) error {
	s, path := b.page.Session, ledger.UpstreamPath
	if ledger.ProviderName(s.Format) == "" {
		path = ledger.ExplanationPath
	}
	return b.t.Each("SELECT claim, said FROM upstream WHERE tenant_id = ? AND session_no = ? "+more+" ORDER BY claim",
		append([]any{b.tenant, b.head.no}, args...), func(r sqldb.Scanner) error {
			var at int
			var record string
			err := r.Scan(&at, &record)
			if s.Extra == nil {
				s.Extra = map[string]json.RawMessage{}
			}
			s.Extra[path(at)] = json.RawMessage(record)
			return err
		})
}
