package sessions

import (
	"database/sql"
	"encoding/json"
	"errors"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// derived has the results of ledger.Assess for a claim, stored beside it for filters, marks and lists.
type derived struct {
	verdict, machine ledger.Verdict
	tier             ledger.Tier
	confidence       float64
	state            ledger.ReviewState
	overridden       bool
	kind             ledger.ClaimType
	importance       ledger.Importance
	uncited          bool
	flags            int
	revision         int // number of reviews
	stale            bool
	settled, differs bool
	threads          int    // open ones
	citations        int    // statuses of the citation checks, as bits
	quotations       int    // of the quotation checks
	checks           string // ledger.Checks as JSON, "" for none
}

const derivedColumns = `verdict, machine_verdict, tier, confidence, state, overridden, effective_type,
	effective_importance, uncited, flags, revision, stale, settled, differs, threads,
	citation_checks, quotation_checks, checks`

// DerivedOf returns the columns of a claim that lists show, sort and filter by.
func DerivedOf(e *ledger.Entry) derived {
	c := &e.Claim.Checks
	return derived{
		verdict: e.Verdict, machine: e.Machine, tier: e.Tier, confidence: e.Confidence, state: e.State,
		overridden: e.Override, kind: e.Type, importance: e.Importance, uncited: e.Uncited,
		flags: FlagMask(e.Flags), revision: len(e.Claim.Reviews), stale: e.Stale, settled: e.Settled,
		differs: e.Differs, threads: e.Threads,
		citations: c.CitationMask(), quotations: c.QuotationMask(), checks: checksText(c),
	}
}

// checksText returns a claim's checks as they are stored.
func checksText(c *ledger.Checks) string {
	if !c.Any() {
		return ""
	}
	data, err := json.Marshal(c)
	if err != nil {
		panic("db: checks: " + err.Error()) // they contain no value that JSON lacks
	}
	return string(data)
}

// loadChecks sets a claim's checks to those that were stored.
func (d *derived) loadChecks(c *ledger.Claim) error {
	if d.checks == "" {
		return nil
	}
	return json.Unmarshal([]byte(d.checks), &c.Checks)
}

// values returns the values of derivedColumns.
func (d *derived) values() []any {
	return []any{
		string(d.verdict), string(d.machine), string(d.tier), d.confidence, string(d.state), d.overridden, string(d.kind),
		string(d.importance),
		d.uncited, d.flags, d.revision, d.stale, d.settled, d.differs, d.threads, d.citations, d.quotations, d.checks,
	}
}

// fields returns the destinations of derivedColumns.
func (d *derived) fields() []any {
	return []any{
		&d.verdict, &d.machine, &d.tier, &d.confidence, &d.state, &d.overridden, &d.kind, &d.importance, &d.uncited, &d.flags,
		&d.revision, &d.stale, &d.settled, &d.differs, &d.threads, &d.citations, &d.quotations, &d.checks,
	}
}

// spanArgs returns the two columns of an optional span.
func spanArgs(sp *text.Span) (start, end any) {
	if sp == nil {
		return nil, nil
	}
	return sp.Start, sp.End
}

// FlagMask packs risk types: bit i is ledger.RiskTypes[i].
func FlagMask(types []ledger.RiskType) int {
	mask := 0
	for _, t := range types {
		mask |= flagBit(t)
	}
	return mask
}

func flagBit(t ledger.RiskType) int {
	for i, x := range ledger.RiskTypes {
		if x == t {
			return 1 << i
		}
	}
	return 0
}

// flagTypes unpacks FlagMask.
func flagTypes(mask int) []ledger.RiskType {
	var out []ledger.RiskType
	for i, t := range ledger.RiskTypes {
		if mask&(1<<i) != 0 {
			out = append(out, t)
		}
	}
	return out
}

const claimColumns = "id, key, type, importance, requires_citation, span_start, span_end, judge, given, unjudged, " +
	"unjudged_said, text, stale_reviews, withheld_reviews, since, replaces"

func (in *inserter) claims(l *ledger.Ledger) error {
	s := l.Session
	rows := in.bulk("claims", nil, "no, tenant_id, session_no, position, "+derivedColumns+", "+claimColumns+", salt")
	var row []any
	in.compared, in.claimSalts = tally{}, make([][]byte, 0, len(s.Claims))
	err := l.Each(func(i int, e *ledger.Entry) error {
		c, d := e.Claim, DerivedOf(e)
		if c.Position != in.before+i {
			return errors.New("the claims' positions are not 0, 1, 2 …")
		}
		in.compared.add(&d, judgeOf(&s.Run, c), 1)
		salt, err := auditlog.NewSalt(in.t)
		if err != nil {
			return err
		}
		in.claimSalts = append(in.claimSalts, salt)
		said, err := sqldb.SaidText(c.UnjudgedSaid)
		if err != nil {
			return err
		}
		replaces, err := sqldb.JSONText(c.Replaces)
		if err != nil {
			return err
		}
		no := in.firstClaim + c.Position
		start, end := spanArgs(c.Span)
		row = append(append(row[:0], no, in.tenant, in.no, c.Position), d.values()...)
		row = append(row, c.ID, c.Key, string(c.Type), string(c.Importance), c.RequiresCitation, start, end,
			c.Judge, c.Given, c.Unjudged, said, c.Text, c.Stale, c.Withheld, c.Since, replaces, salt)
		rows.Add(row...)
		return nil
	})
	return errors.Join(err, rows.Flush())
}

// loadClaims reads claims without their evidence, and the derived values of each. from is the query after the columns,
// in which the table of claims is c.
func loadClaims(t *sqldb.Tx, from string, args ...any) (claims []ledger.Claim, values []derived, err error) {
	var d derived
	var c ledger.Claim
	var start, end sql.NullInt64
	fields := append(d.fields(), &c.Position, &c.ID, &c.Key, &c.Type, &c.Importance, &c.RequiresCitation, &start, &end,
		&c.Judge, &c.Given, &c.Unjudged, sqldb.JSONInto(&c.UnjudgedSaid), &c.Text, &c.Stale, &c.Withheld, &c.Since,
		sqldb.JSONInto(&c.Replaces))
	err = t.Each("SELECT "+derivedColumns+", position, "+claimColumns+" "+from, args, func(r sqldb.Scanner) error {
		c = ledger.Claim{}
		if err := r.Scan(fields...); err != nil {
			return err
		}
		c.Span = sqldb.SpanOf(start, end)
		err := d.loadChecks(&c)
		claims, values = append(claims, c), append(values, d)
		return err
	})
	return claims, values, err
}

const (
	matchColumns = `claim, document, chunk, similarity, support, contradicts, quote_kind, quote_start, quote_end,
		snippet, note, note_said, conflicts, missing, features, attached`
	citationColumns = "claim, hash, span_start, span_end, status, places"
)

// evidence inserts matches and citations.
func (in *inserter) evidence(l *ledger.Ledger) error {
	if err := in.knowSalts(); err != nil {
		return err
	}
	matches := in.bulk("matches", in.claimSalt, "tenant_id, session_no, rank, "+matchColumns)
	citations := in.bulk("citations", in.claimSalt, "tenant_id, session_no, n, "+citationColumns)
	for i := range l.Session.Claims {
		c := &l.Session.Claims[i]
		for j := range c.Matches {
			m := &c.Matches[j]
			details, err := matchDetails(m)
			if err != nil {
				return err
			}
			matches.Add(append([]any{in.tenant, in.no, j,
				c.Position, m.Chunk.Document, m.Chunk.Chunk, m.Similarity, string(m.Support), m.Contradicts,
				string(m.Quote.Kind), m.Quote.Span.Start, m.Quote.Span.End, m.Snippet, m.Note}, details[:]...)...)
		}
		for j := range c.Citations {
			x := &c.Citations[j]
			places, err := sqldb.JSONText(x.Places)
			if err != nil {
				return err
			}
			citations.Add(in.tenant, in.no, j, c.Position, x.Hash, x.Span.Start, x.Span.End, string(x.Status), places)
		}
	}
	return errors.Join(matches.Flush(), citations.Flush())
}

// matchDetails returns the JSON columns of a match: the message of its note, conflicts, missing words, features, who
// attached it.
func matchDetails(m *ledger.Match) (out [5]any, err error) {
	var errs [5]error
	out[0], errs[0] = sqldb.SaidText(m.NoteSaid)
	out[1], errs[1] = sqldb.JSONText(m.Conflicts)
	out[2], errs[2] = sqldb.JSONText(m.Missing)
	out[3], errs[3] = sqldb.JSONText(m.Features)
	if m.Attached != nil {
		out[4], errs[4] = sqldb.JSONText(m.Attached)
	}
	return out, errors.Join(errs[:]...)
}

// loadEvidence reads matches, citations, reviews and what exported ledgers said into the session's claims, with one
// query each; more restricts the claims ("" for all).
func loadEvidence(t *sqldb.Tx, s *ledger.Session, tenant string, no int, more string, args ...any) error {
	from := " WHERE tenant_id = ? AND session_no = ? " + more + " ORDER BY claim, "
	args = append([]any{tenant, no}, args...)
	if err := t.Each("SELECT "+matchColumns+" FROM matches"+from+"rank", args, scanMatches(s)); err != nil {
		return err
	}
	if err := t.Each("SELECT "+citationColumns+" FROM citations"+from+"n", args, scanCitations(s)); err != nil {
		return err
	}
	err := t.Each("SELECT "+reviewColumns+" FROM reviews"+from+"n", args, scanReviews(s))
	if err != nil || len(s.Imports) == 0 {
		return err
	}
	return t.Each("SELECT claim, said FROM imported_reviews WHERE tenant_id = ? AND session_no = ? "+more+
		" ORDER BY claim", args, scanImported(s))
}

// claimOf returns a claim of the session, or one that receives the rows of a claim that is not loaded.
func claimOf(s *ledger.Session, position int) *ledger.Claim {
	if c := s.Claim(position); c != nil {
		return c
	}
	return &ledger.Claim{}
}

func scanMatches(s *ledger.Session) func(sqldb.Scanner) error {
	var at int
	var m ledger.Match
	fields := []any{&at, &m.Chunk.Document, &m.Chunk.Chunk, &m.Similarity, &m.Support, &m.Contradicts, &m.Quote.Kind,
		&m.Quote.Span.Start, &m.Quote.Span.End, &m.Snippet, &m.Note, sqldb.JSONInto(&m.NoteSaid),
		sqldb.JSONInto(&m.Conflicts),
		sqldb.JSONInto(&m.Missing), sqldb.JSONInto(&m.Features), sqldb.JSONInto(&m.Attached)}
	return func(r sqldb.Scanner) error {
		m = ledger.Match{}
		err := r.Scan(fields...)
		c := claimOf(s, at)
		c.Matches = append(c.Matches, m)
		return err
	}
}

func scanCitations(s *ledger.Session) func(sqldb.Scanner) error {
	var at int
	var x ledger.Citation
	fields := []any{&at, &x.Hash, &x.Span.Start, &x.Span.End, &x.Status, sqldb.JSONInto(&x.Places)}
	return func(r sqldb.Scanner) error {
		x = ledger.Citation{}
		err := r.Scan(fields...)
		c := claimOf(s, at)
		c.Citations = append(c.Citations, x)
		return err
	}
}
