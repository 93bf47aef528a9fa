package sessions

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text/find"
)

// kindNo is the number that a kind is stored as.
func kindNo(kind ledger.FindKind) int { return slices.Index(ledger.FindKinds, kind) }

// excerptLength is how much of a result is shown, in code points.
const excerptLength = 280

// foundRow is one result, with its place in the index.
type foundRow struct {
	ledger.Found

	session int // its number
	run     findRun
	place   findPlace
}

// foundOf drops the places in the index.
func foundOf(rows []foundRow) []ledger.Found {
	var out []ledger.Found
	for i := range rows {
		out = append(out, rows[i].Found)
	}
	return out
}

// Find lists up to q.Limit results in the reader's tenant that contain the words of q.Text, kind by kind, newest first.
// next is the After of the following page, "" after the last one. Notes by the other reviewer of a blind double review
// are never searched, even when they are no longer sealed.
func (store *Store) Find(ctx context.Context, who access.Actor,
	q ledger.FindQuery) (found []ledger.Found, next string, err error) {
	f, ok := newFinding(who, &q)
	if !ok {
		return nil, "", nil
	}
	var rows []foundRow
	limit := max(1, q.Limit)
	err = store.Read(ctx, "Find", func(t *sqldb.Tx) error {
		kinds, before := q.Kinds(), 0
		rows = nil
		if q.After != "" {
			kind, no, err := findRow(t, who.Tenant, q.After)
			if err != nil {
				return err
			}
			i := slices.Index(kinds, kind)
			if i < 0 {
				return errNoNext()
			}
			kinds, before = kinds[i:], no
		}
		if err := t.Engine.GenericPlan(t); err != nil {
			return err
		}
		for _, kind := range kinds {
			more, err := f.find(t, kind, before, limit+1-len(rows))
			if err != nil {
				return err
			}
			if rows, before = append(rows, more...), 0; len(rows) > limit {
				break
			}
		}
		return f.besides(t, rows)
	})
	if err != nil || len(rows) <= limit {
		return foundOf(rows), "", err
	}
	rows = rows[:limit]
	next, err = rows[limit-1].after()
	return foundOf(rows), next, sqldb.Fail("Find", err)
}

// FindGroups returns the first results of each kind that Find would list, up to q.Limit per kind, and whether
// there are more.
func (store *Store) FindGroups(ctx context.Context, who access.Actor,
	q ledger.FindQuery) (groups map[ledger.FindKind][]ledger.Found, more map[ledger.FindKind]bool, err error) {
	groups, more = map[ledger.FindKind][]ledger.Found{}, map[ledger.FindKind]bool{}
	f, ok := newFinding(who, &q)
	if !ok {
		return groups, more, nil
	}
	limit := max(1, q.Limit)
	err = store.Read(ctx, "FindGroups", func(t *sqldb.Tx) error {
		if err := t.Engine.GenericPlan(t); err != nil {
			return err
		}
		for _, kind := range q.Kinds() {
			found, err := f.find(t, kind, 0, limit+1)
			if err != nil {
				return err
			}
			if more[kind] = len(found) > limit; more[kind] {
				found = found[:limit]
			}
			if err := f.besides(t, found); err != nil {
				return err
			}
			groups[kind] = foundOf(found)
		}
		return nil
	})
	return groups, more, err
}

// finding is a search in progress.
type finding struct {
	who   access.Actor
	q     *ledger.FindQuery
	terms []sqldb.Term
	words *find.Finder
}

// newFinding parses the query; ok is false if it can't find anything.
func newFinding(who access.Actor, q *ledger.FindQuery) (f *finding, ok bool) {
	terms := sqldb.QueryTerms(q.Text)
	return &finding{who: who, q: q, terms: terms, words: find.NewFinder(q.Text, q.Near)}, len(terms) > 0
}

// findScope is the prefix of every word in the index, so that a search reads only entries of the tenant and the kind. A
// part of the tenant's id is enough, since results of another tenant are skipped.
func findScope(kind ledger.FindKind, tenant string) string {
	return string(kind[0]) + sqldb.Word(tenant[:min(len(tenant), 8)]) + "·"
}

// match returns the MATCH expression for rows of a kind that contain every word, or a word as near to it.
func (f *finding) match(t *sqldb.Tx, kind ledger.FindKind) (string, error) {
	x := sqldb.WordIndex{Table: "find_search", Owner: f.who.Tenant, Scope: findScope(kind, f.who.Tenant)}
	return x.Match(t, f.terms, f.q.Near)
}

// findPlace is a position in a session: a claim's position, the start of an answer's part, the positions of document
// and chunk, or a claim's position and its review's number.
type findPlace struct{ a, b int }

// findSteps is the distance between rows of a run, by kind: all kinds but notes are indexed from last to first.
var findSteps = map[ledger.FindKind]findPlace{
	ledger.FindClaims: {a: -1}, ledger.FindAnswers: {a: -answerPart}, ledger.FindPassages: {b: -1},
	ledger.FindNotes: {b: 1},
}

// placeAt returns the position of the n-th row of a run.
func placeAt(kind ledger.FindKind, first findPlace, n int) findPlace {
	step := findSteps[kind]
	return findPlace{first.a + n*step.a, first.b + n*step.b}
}

// placesOf returns the position of a row of the run i, as SQL.
func placesOf(kind ledger.FindKind, row string) (a, b string) {
	step := findSteps[kind]
	return fmt.Sprintf("(i.a + (%s - i.first) * %d)", row, step.a),
		fmt.Sprintf("(i.b + (%s - i.first) * %d)", row, step.b)
}

// findSources has, by kind, the SQL for a row of a session s at the position @a, @b: its text, time, the claim's
// position, verdict, confidence and whether it was overridden, the author, and for a passage the document's id, name,
// file name, chunk, page and whether it is withdrawn.
var findSources = map[ledger.FindKind]struct{ columns, tables string }{
	ledger.FindClaims: {"c.text, s.created_at, c.position, c.verdict, c.confidence, c.overridden, '', '', '', '', 0, 0, 0",
		"JOIN claims c ON c.tenant_id = s.tenant_id AND c.no = s.first_claim + @a"},
	ledger.FindAnswers: {"p.text, s.created_at, -1, '', 0.0, 0, '', '', '', '', 0, 0, 0",
		"JOIN answer_parts p ON p.tenant_id = i.tenant_id AND p.session_no = i.session_no AND p.start = @a"},
	ledger.FindPassages: {"k.text, s.created_at, -1, '', 0.0, 0, '', d.id, " +
		"CASE d.title WHEN '' THEN d.filename ELSE d.title END, d.filename, " +
		"k.position, k.page, d.withdrawn <> ''",
		"JOIN documents d ON d.tenant_id = i.tenant_id AND d.session_no = i.session_no AND d.position = @a " +
			"JOIN chunks k ON k.tenant_id = i.tenant_id AND k.session_no = i.session_no AND k.document = @a " +
			"AND k.position = @b"},
	ledger.FindNotes: {"r.reason, r.at, c.position, c.verdict, c.confidence, c.overridden, r.actor, '', '', '', 0, 0, 0",
		"JOIN reviews r ON r.tenant_id = i.tenant_id AND r.session_no = i.session_no AND r.claim = @a AND r.n = @b " +
			"JOIN claims c ON c.tenant_id = s.tenant_id AND c.no = s.first_claim + @a"},
}

// find reads up to limit rows of a kind before the row before, or the newest if that is 0. The index is read from the
// newest row, only as far as the page needs.
func (f *finding) find(t *sqldb.Tx, kind ledger.FindKind, before, limit int) ([]foundRow, error) {
	match, err := f.match(t, kind)
	if err != nil || match == "" {
		return nil, err
	}
	query, args := f.query(kind, match, before, limit)
	if t.Engine.Lateral() {
		query, args = f.queryNewest(t, kind, match, before, limit)
	}
	return sqldb.Collect(t, query, args, func(r sqldb.Scanner, x *foundRow) error {
		x.Kind = kind
		var whole string
		var first, row int
		err := r.Scan(&x.session, &x.run.first.a, &x.run.first.b, &first, &row, &x.SessionID, &x.SessionTitle, &x.State,
			&whole, sqldb.TimeInto(&x.At), &x.Claim, &x.Verdict, &x.Confidence, &x.Overridden, &x.Actor,
			&x.DocumentID, &x.Document, &x.Filename, &x.Chunk, &x.Page, &x.Withdrawn)
		x.Excerpt = f.words.Excerpt(whole, excerptLength)
		x.run.n = row - first
		x.place = placeAt(kind, x.run.first, x.run.n)
		return err
	})
}

// query returns the statement for SQLite, whose index is read in the order of its rows.
func (f *finding) query(kind ledger.FindKind, match string, before, limit int) (query string, args []any) {
	var w sqldb.Conditions
	w.Add("find_search MATCH ?", match)
	if before > 0 {
		w.Add("find_search.rowid < ?", before)
	}
	filters := f.conditions(kind)
	columns, tables := foundFrom(kind, "find_search.rowid")
	return "SELECT i.session_no, i.a, i.b, i.first, find_search.rowid, " + columns +
			" FROM find_search CROSS JOIN find_runs i ON i.first = (SELECT max(r.first) FROM find_runs r WHERE r.first <= find_search.rowid) JOIN " + tables +
			" WHERE " + w.String() + " AND " + filters.String() + " ORDER BY find_search.rowid DESC LIMIT ?",
		slices.Concat(w.Args, filters.Args, []any{limit})
}

// newestRows is how many of the newest rows of a kind, and how many runs of all kinds, are compared one by one.
const newestRows = 300

// queryNewest returns the statement for PostgreSQL, whose index first collects all rows with the words, in any order.
// The newest rows of the kind are compared without the index, so that a common word costs no more if it is in more
// rows. The index is used only if these do not fill the page, for the rows before them. OFFSET 0 and + 0 keep the
// planner from looking up what is not shown, and from walking through the rows of all tenants.
func (f *finding) queryNewest(t *sqldb.Tx, kind ledger.FindKind, match string, before,
	limit int) (query string, args []any) {
	if before == 0 {
		before = math.MaxInt64
	}
	w := f.conditions(kind)
	about := func(row string) string { // joins what a row of the run i is about
		columns, tables := foundFrom(kind, row)
		return "JOIN LATERAL (SELECT " + columns + " FROM (SELECT 1) AS one JOIN " + tables +
			" WHERE " + w.String() + " OFFSET 0) f ON true"
	}
	most := strconv.Itoa(newestRows)
	tenant := f.who.Tenant
	return `WITH newest AS MATERIALIZED (SELECT r.*, x.rowid, x MATCH ? AS found
			FROM (SELECT *, lag(first, 1, CAST(? AS BIGINT)) OVER (ORDER BY first DESC) AS next
				FROM find_runs WHERE tenant_id = ? AND first < ? ORDER BY first DESC LIMIT ` + most + `) r
			JOIN LATERAL (SELECT rowid, words FROM find_search WHERE tenant_id = ? AND rowid >= r.first AND rowid < r.next
				ORDER BY rowid DESC LIMIT ` + most + `) x ON true
			WHERE r.kind = ? ORDER BY r.first DESC, x.rowid DESC LIMIT ` + most + `),
		near AS MATERIALIZED (SELECT i.session_no, i.a, i.b, i.first, i.rowid, f.*
			FROM (SELECT * FROM newest WHERE found ORDER BY rowid DESC) i ` + about("i.rowid") + `
			ORDER BY i.rowid DESC LIMIT ?),
		far AS (SELECT i.session_no, i.a, i.b, i.first, x.rowid, f.*
			FROM (SELECT tenant_id, rowid + 0 AS rowid FROM find_search
				WHERE find_search MATCH ? AND ` + t.Engine.SearchTenant() + `
				AND rowid + 0 < (SELECT coalesce(min(rowid), ?) FROM newest) AND (SELECT count(*) FROM near) < ?
				ORDER BY rowid DESC) x
			JOIN LATERAL (SELECT * FROM find_runs r WHERE r.tenant_id = x.tenant_id AND r.first <= x.rowid
				ORDER BY r.first DESC LIMIT 1) i ON true ` + about("x.rowid") + `
			ORDER BY x.rowid DESC LIMIT ?)
		SELECT * FROM near UNION ALL SELECT * FROM far ORDER BY rowid DESC LIMIT ?`,
		slices.Concat([]any{match, before, tenant, before, tenant, kindNo(kind)}, w.Args,
			[]any{limit, match, tenant, before, limit}, w.Args, []any{limit, limit})
}

// foundFrom returns the columns that describe a row of a run i, and the tables that they are in.
func foundFrom(kind ledger.FindKind, row string) (columns, tables string) {
	source := findSources[kind]
	a, b := placesOf(kind, row)
	return "s.id, s.title, s.state, " + source.columns,
		"sessions s ON s.tenant_id = i.tenant_id AND s.no = i.session_no " +
			strings.NewReplacer("@a", a, "@b", b).Replace(source.tables)
}

// conditions returns the conditions of the filters.
func (f *finding) conditions(kind ledger.FindKind) sqldb.Conditions {
	var w sqldb.Conditions
	q, at := f.q, "s.created_at"
	w.Add("i.tenant_id = ? AND i.kind = ? AND s.tenant_id = ?", f.who.Tenant, kindNo(kind), f.who.Tenant)
	if kind == ledger.FindNotes {
		at = "r.at"
		w.Add("(s.second_review <> ? OR r.by_id = ? AND r.by_id <> '')", string(ledger.SecondBlind), f.who.ID)
	}
	if kind == ledger.FindClaims || q.Verdict != "" { // what no longer counts has no verdict; what was said of it is found
		w.Add(notAside)
	}
	if kind == ledger.FindPassages && !f.who.Role.ReadsWithdrawn() {
		w.Add("d.withdrawn = ''")
	}
	for name, v := range ledger.FindFilters.On(q) {
		switch name {
		case "q", "kind": // the words and the kind that are looked for
		case "verdict":
			if q.Verdict == ledger.UnjudgedOnly {
				v = string(ledger.Unjudged)
			}
			w.Add("c.verdict = ?", v)
		case "state":
			w.Add("s.state = ?", v)
		case "from":
			w.Add(at+" >= ?", sqldb.Stamp(q.From))
		case "to":
			w.Add(at+" < ?", sqldb.Stamp(q.To))
		default:
			panic(sqldb.NoCondition(name))
		}
	}
	return w
}

// besides sets the claim at or before each result in an answer, with one query of single-row lookups.
func (f *finding) besides(t *sqldb.Tx, found []foundRow) error {
	var rows []string
	var args []any
	for i := range found {
		if x := &found[i]; x.Kind == ledger.FindAnswers {
			rows = append(rows, "(CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS BIGINT))")
			args = append(args, i, x.session, x.place.a+x.Excerpt.Start+x.Excerpt.Focus)
		}
	}
	if len(rows) == 0 {
		return nil
	}
	return t.Each(`WITH wanted (i, session_no, at) AS (VALUES `+strings.Join(rows, ", ")+`)
		SELECT i, coalesce((SELECT c.position FROM claims c WHERE c.tenant_id = ? AND c.session_no = wanted.session_no
		AND c.span_start IS NOT NULL AND `+notAside+`
			AND c.span_start <= at ORDER BY c.span_start DESC, c.position DESC LIMIT 1), -1) FROM wanted`,
		append(args, f.who.Tenant),
		func(r sqldb.Scanner) error {
			var i, position int
			err := r.Scan(&i, &position)
			if err == nil && i < len(found) {
				found[i].Claim = position
			}
			return err
		})
}

// findRun is a row's place in a run: the run's first row, and the number of rows after it.
type findRun struct {
	first findPlace
	n     int
}

// findCursor is the position after a search result. Row numbers are internal.
type findCursor struct {
	Session string `json:"s"`
	Kind    int    `json:"k"`
	A       int    `json:"a"` // of the run's first row, like B
	B       int    `json:"b"`
	N       int    `json:"n"`
}

// after returns the opaque text that a client sends back.
func (x *foundRow) after() (string, error) {
	data, err := json.Marshal(findCursor{
		Session: x.SessionID, Kind: kindNo(x.Kind), A: x.run.first.a, B: x.run.first.b, N: x.run.n,
	})
	return base64.RawURLEncoding.EncodeToString(data), err
}

// findRow reads what after returned; anything else is Invalid.
func findRow(t *sqldb.Tx, tenant, after string) (kind ledger.FindKind, no int, err error) {
	var c findCursor
	data, err := base64.RawURLEncoding.Strict().DecodeString(after)
	if err == nil {
		err = json.Unmarshal(data, &c)
	}
	if err != nil || c.Kind < 0 || c.Kind >= len(ledger.FindKinds) || c.N < 0 {
		return "", 0, errNoNext()
	}
	err = t.Row(`SELECT i.first FROM sessions s JOIN find_runs i ON i.tenant_id = s.tenant_id AND i.session_no = s.no
		AND i.kind = ? AND i.a = ? AND i.b = ?
		WHERE s.tenant_id = ? AND s.id = ?`, []any{c.Kind, c.A, c.B, tenant, c.Session}, &no)
	if sqldb.NoRow(err) {
		return "", 0, errNoNext()
	}
	return ledger.FindKinds[c.Kind], no + c.N, err
}

func errNoNext() error {
	return domain.Refuse(domain.Invalid, "after", "refused_next_page_search")
}
