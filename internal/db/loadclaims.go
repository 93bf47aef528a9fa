package db

import (
	"database/sql"

	"sanad/internal/domain/ledger"
)

// loadClaims reads claims without their evidence, and the derived values of each. from is the query after the columns,
// in which the table of claims is c. said, unless nil, is called with what a provider's file said about each claim.
func loadClaims(t *tx, said func(position int, record sql.NullString), from string,
	args ...any) ([]ledger.Claim, []derived, error) {
	var claims []ledger.Claim
	var values []derived
	column := "NULL"
	if said != nil {
		column = saidOfClaim
	}
	err := t.each("SELECT c.position, "+derivedColumns+", "+claimColumns+", "+column+", "+importedOfClaim+" "+from, args,
		func(r scanner) error {
			var c ledger.Claim
			var d derived
			var record sql.NullString
			var start, end sql.NullInt64
			fields := append(append([]any{&c.Position}, d.fields()...), &c.ID, &c.Key, &c.Type, &c.Importance,
				&c.RequiresCitation, &start, &end,
				&c.Judge, &c.Given, &c.Unjudged, &c.Text, &c.Stale, &c.Withheld, &c.Since,
				&record, jsonColumn{&c.Imported})
			err := r.Scan(fields...)
			if said != nil {
				said(c.Position, record)
			}
			c.Span = spanColumns(start, end)
			if err == nil {
				c.Checks, err = d.loadedChecks()
			}
			claims, values = append(claims, c), append(values, d)
			return err
		})
	return claims, values, err
}

// loadEvidence reads matches, citations and reviews into the session's claims, with one query each; more restricts the
// claims ("" for all).
func loadEvidence(t *tx, s *ledger.Session, tenant string, no int, more string, args ...any) error {
	from := " WHERE tenant_id = ? AND session_no = ? " + more + " ORDER BY claim, "
	args = append([]any{tenant, no}, args...)
	var none ledger.Claim // receives rows of claims that are not loaded
	claim := func(position int) *ledger.Claim {
		if c := s.Claim(position); c != nil {
			return c
		}
		return &none
	}
	return t.together(func(t *tx) error {
		var at int
		return t.each(`SELECT claim, document, chunk, similarity, support, contradicts, quote_kind, quote_start, quote_end,
		snippet, note,
		conflicts, missing, features, attached FROM matches`+from+"rank", args, func(r scanner) error {
			var m ledger.Match
			err := r.Scan(&at, &m.Chunk.Document, &m.Chunk.Chunk, &m.Similarity, &m.Support, &m.Contradicts, &m.Quote.Kind,
				&m.Quote.Span.Start, &m.Quote.Span.End,
				&m.Snippet, &m.Note, jsonColumn{&m.Conflicts}, jsonColumn{&m.Missing}, jsonColumn{&m.Features},
				jsonColumn{&m.Attached})
			c := claim(at)
			c.Matches = append(c.Matches, m)
			return err
		})
	}, func(t *tx) error {
		var at int
		return t.each("SELECT claim, hash, span_start, span_end, status, places FROM citations"+from+"n", args,
			func(r scanner) error {
				var x ledger.Citation
				err := r.Scan(&at, &x.Hash, &x.Span.Start, &x.Span.End, &x.Status, jsonColumn{&x.Places})
				c := claim(at)
				c.Citations = append(c.Citations, x)
				return err
			})
	}, func(t *tx) error {
		var at int
		return t.each(`SELECT claim, id, actor, role, at, action, verdict, type, importance, reason, by_id, undoes,
		adjudicates, batch FROM reviews`+from+"n", args, func(row scanner) error {
			var r ledger.Review
			err := row.Scan(&at, &r.ID, &r.Actor, &r.Role, timeColumn{&r.At}, &r.Action, &r.Verdict, &r.Type,
				&r.Importance, &r.Reason,
				&r.By, &r.Undoes, &r.Adjudicates, &r.Batch)
			c := claim(at)
			c.Reviews = append(c.Reviews, r)
			return err
		})
	})
}
