package db

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// FindKind is a kind of search result.
type FindKind string

// The kinds, in the order of listing.
const (
	FindClaims   FindKind = "claim"
	FindAnswers  FindKind = "answer"  // a part of 4,000 code points of an answer
	FindPassages FindKind = "passage" // a chunk of a document
	FindNotes    FindKind = "note"    // the reason or comment of a review
)

// FindKinds lists the kinds in that order. A kind is stored as its index, so append only (pinned by stored_test.go).
var FindKinds = []FindKind{FindClaims, FindAnswers, FindPassages, FindNotes}

// Valid reports whether k is one of the four.
func (k FindKind) Valid() bool { return slices.Contains(FindKinds, k) }

// HasVerdict reports whether results of this kind belong to a claim.
func (k FindKind) HasVerdict() bool { return k == FindClaims || k == FindNotes }

func (k FindKind) no() int { return slices.Index(FindKinds, k) }

// excerptLength is how much of a result is shown, in code points.
const excerptLength = 280

// FindQuery says what to search for, and where.
type FindQuery struct {
	Text     string   // words that must all occur, in any inflection
	Kind     FindKind // "" for all kinds, one after another
	Verdict  ledger.Verdict
	Unjudged bool         // instead of Verdict; either excludes answers and passages
	State    ledger.State // of the session, "" for all
	// when the session was imported or the note written: at or after From and before To; zero for no limit
	From, To time.Time
	After    string // the next of the previous page
	Limit    int
}

// Found is one search result.
type Found struct {
	Kind         FindKind
	SessionID    string
	SessionTitle string
	State        ledger.State // of the session
	At           time.Time    // when the session was imported, or the note written
	Excerpt      text.Excerpt
	Claim        int            // position of the claim, or of the claim nearest to an answer's result; -1 if none
	Verdict      ledger.Verdict // effective, of the claim or of the note's claim
	Confidence   float64        // the machine's
	Overridden   bool           // a person changed the verdict
	Actor        string         // author of a note
	DocumentID   string         // of a passage, like all fields below
	Document     string         // its title, else its file name
	Chunk        int            // position
	Page         int            // 0 if there are no pages
	Withdrawn    bool

	session int // row number
	run     findRun
	place   findPlace
}

// Find lists up to q.Limit results in the reader's tenant that contain the words of q.Text, kind by kind, newest first.
// next is the After of the following page, "" after the last one. Notes by the other reviewer of a blind double review
// are never searched, even when they are no longer sealed.
func (s *Store) Find(ctx context.Context, who domain.Actor, q FindQuery) (found []Found, next string, err error) {
	f, ok := newFinding(who, &q)
	if !ok {
		return nil, "", nil
	}
	kinds, limit := q.kinds(), max(1, q.Limit)
	err = s.read(ctx, "Find", func(t *tx) error {
		before := 0
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
		for _, kind := range kinds {
			more, err := f.find(t, kind, before, limit+1-len(found))
			if err != nil {
				return err
			}
			if found, before = append(found, more...), 0; len(found) > limit {
				break
			}
		}
		return f.besides(t, found)
	})
	if err != nil || len(found) <= limit {
		return found, "", err
	}
	found = found[:limit]
	next, err = found[limit-1].after()
	return found, next, fail("Find", err)
}

// FindGroups returns the first results of each kind that Find would list, up to q.Limit per kind, and whether
// there are more.
func (s *Store) FindGroups(ctx context.Context, who domain.Actor,
	q FindQuery) (groups map[FindKind][]Found, more map[FindKind]bool, err error) {
	groups, more = map[FindKind][]Found{}, map[FindKind]bool{}
	f, ok := newFinding(who, &q)
	if !ok {
		return groups, more, nil
	}
	limit := max(1, q.Limit)
	err = s.read(ctx, "FindGroups", func(t *tx) error {
		for _, kind := range q.kinds() {
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
			groups[kind] = found
		}
		return nil
	})
	return groups, more, err
}

// kinds returns the kinds that can pass the filters.
func (q *FindQuery) kinds() []FindKind {
	var out []FindKind
	for _, k := range FindKinds {
		if (q.Kind == "" || q.Kind == k) && (k.HasVerdict() || q.Verdict == "" && !q.Unjudged) {
			out = append(out, k)
		}
	}
	return out
}

// finding is a search in progress.
type finding struct {
	who   domain.Actor
	q     *FindQuery
	terms []string
	words *text.Finder
}

// newFinding parses the query; ok is false if it can't find anything.
func newFinding(who domain.Actor, q *FindQuery) (f *finding, ok bool) {
	terms := queryWords(q.Text)
	return &finding{who: who, q: q, terms: terms, words: text.NewFinder(q.Text)}, len(terms) > 0
}

// findScope is the prefix of every word in the index, so that a search reads only entries of the tenant and the kind. A
// part of the tenant's id is enough, since results of another tenant are skipped.
func findScope(kind FindKind, tenant string) string {
	return string(kind[0]) + word(tenant[:min(len(tenant), 8)]) + "·"
}

// match returns the MATCH expression for rows of a kind that contain every word.
func (f *finding) match(kind FindKind) string {
	scope := findScope(kind, f.who.Tenant)
	return `"` + scope + strings.Join(f.terms, `" AND "`+scope) + `"`
}

// findPlace is a position in a session: a claim's position, the start of an answer's part, the positions of document
// and chunk, or a claim's position and its review's number.
type findPlace struct{ a, b int }

// findSteps is the distance between rows of a run, by kind: all kinds but notes are indexed from last to first.
var findSteps = map[FindKind]findPlace{
	FindClaims: {a: -1}, FindAnswers: {a: -answerPart}, FindPassages: {b: -1}, FindNotes: {b: 1},
}

// at returns the position of the n-th row of a run.
func (k FindKind) at(first findPlace, n int) findPlace {
	step := findSteps[k]
	return findPlace{first.a + n*step.a, first.b + n*step.b}
}

// places returns a row's position as SQL, for the run i.
func (k FindKind) places() (a, b string) {
	step := findSteps[k]
	return fmt.Sprintf("(i.a + (find_search.rowid - i.first) * %d)",
		step.a), fmt.Sprintf("(i.b + (find_search.rowid - i.first) * %d)", step.b)
}

// findSources has, by kind, the SQL for a row of a session s at the position @a, @b: its text, time, the claim's
// position, verdict, confidence and whether it was overridden, the author, and for a passage the document's id, name,
// chunk, page and whether it is withdrawn.
var findSources = map[FindKind]struct{ columns, tables string }{
	FindClaims: {"c.text, s.created_at, c.position, c.verdict, c.confidence, c.overridden, '', '', '', 0, 0, 0",
		"JOIN claims c ON c.no = s.first_claim + @a"},
	FindAnswers: {"p.text, s.created_at, -1, '', 0.0, 0, '', '', '', 0, 0, 0",
		"JOIN answer_parts p ON p.session_no = i.session_no AND p.start = @a"},
	FindPassages: {"k.text, s.created_at, -1, '', 0.0, 0, '', d.id, CASE d.title WHEN '' THEN d.filename ELSE d.title END, k.position, k.page, d.withdrawn <> ''",
		"JOIN documents d ON d.session_no = i.session_no AND d.position = @a JOIN chunks k ON k.session_no = i.session_no AND k.document = @a AND k.position = @b"},
	FindNotes: {"r.reason, r.at, c.position, c.verdict, c.confidence, c.overridden, r.actor, '', '', 0, 0, 0",
		"JOIN reviews r ON r.session_no = i.session_no AND r.claim = @a AND r.n = @b JOIN claims c ON c.no = s.first_claim + @a"},
}

// find reads up to limit rows of a kind before the row before, or the newest if that is 0. The index is read from the
// newest row, only as far as the page needs.
func (f *finding) find(t *tx, kind FindKind, before, limit int) ([]Found, error) {
	source := findSources[kind]
	w := f.conditions(kind)
	if before > 0 {
		w.add("find_search.rowid < ?", before)
	}
	a, b := kind.places()
	return collect(t, "SELECT i.session_no, i.a, i.b, find_search.rowid - i.first, s.id, s.title, s.state, "+
		source.columns+
		" FROM find_search CROSS JOIN find_runs i ON i.first = (SELECT max(r.first) FROM find_runs r WHERE r.first <= find_search.rowid)"+
		" JOIN sessions s ON s.no = i.session_no "+strings.NewReplacer("@a", a, "@b", b).Replace(source.tables)+
		" WHERE "+w.String()+" ORDER BY find_search.rowid DESC LIMIT ?", append(w.args, limit),
		func(r scanner, x *Found) error {
			x.Kind = kind
			var whole string
			err := r.Scan(&x.session, &x.run.first.a, &x.run.first.b, &x.run.n, &x.SessionID, &x.SessionTitle, &x.State,
				&whole, timeColumn{&x.At}, &x.Claim, &x.Verdict, &x.Confidence, &x.Overridden, &x.Actor,
				&x.DocumentID, &x.Document, &x.Chunk, &x.Page, &x.Withdrawn)
			x.Excerpt = f.words.Excerpt(whole, excerptLength)
			x.place = kind.at(x.run.first, x.run.n)
			return err
		})
}

// conditions returns the conditions of the filters.
func (f *finding) conditions(kind FindKind) conditions {
	var w conditions
	q, at := f.q, "s.created_at"
	w.add("find_search MATCH ?", f.match(kind))
	w.add("i.tenant_id = ? AND i.kind = ? AND s.tenant_id = ?", f.who.Tenant, kind.no(), f.who.Tenant)
	if kind == FindNotes {
		at = "r.at"
		w.add("(s.second_review <> ? OR r.by_id = ? AND r.by_id <> '')", string(ledger.SecondBlind), f.who.ID)
	}
	if q.Unjudged {
		w.add("c.verdict = ''")
	} else if q.Verdict != "" {
		w.add("c.verdict = ?", string(q.Verdict))
	}
	if q.State != "" {
		w.add("s.state = ?", string(q.State))
	}
	if !q.From.IsZero() {
		w.add(at+" >= ?", stamp(q.From))
	}
	if !q.To.IsZero() {
		w.add(at+" < ?", stamp(q.To))
	}
	return w
}

// besides sets the claim at or before each result in an answer, with one query of single-row lookups.
func (f *finding) besides(t *tx, found []Found) error {
	var rows []string
	var args []any
	for i := range found {
		if x := &found[i]; x.Kind == FindAnswers {
			rows = append(rows, "(?, ?, ?)")
			args = append(args, i, x.session, x.place.a+x.Excerpt.Start+x.Excerpt.Focus)
		}
	}
	if len(rows) == 0 {
		return nil
	}
	return t.each(`WITH wanted (i, session_no, at) AS (VALUES `+strings.Join(rows, ", ")+`)
		SELECT i, coalesce((SELECT c.position FROM claims c WHERE c.tenant_id = ? AND c.session_no = wanted.session_no AND c.span_start IS NOT NULL
			AND c.span_start <= at ORDER BY c.span_start DESC, c.position DESC LIMIT 1), -1) FROM wanted`,
		append(args, f.who.Tenant),
		func(r scanner) error {
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
func (x *Found) after() (string, error) {
	data, err := json.Marshal(findCursor{
		Session: x.SessionID, Kind: x.Kind.no(), A: x.run.first.a, B: x.run.first.b, N: x.run.n,
	})
	return base64.RawURLEncoding.EncodeToString(data), err
}

// findRow reads what after returned; anything else is Invalid.
func findRow(t *tx, tenant, after string) (kind FindKind, no int, err error) {
	var c findCursor
	data, err := base64.RawURLEncoding.Strict().DecodeString(after)
	if err == nil {
		err = json.Unmarshal(data, &c)
	}
	if err != nil || c.Kind < 0 || c.Kind >= len(FindKinds) || c.N < 0 {
		return "", 0, errNoNext()
	}
	err = t.row(`SELECT i.first FROM sessions s JOIN find_runs i ON i.tenant_id = s.tenant_id AND i.session_no = s.no AND i.kind = ? AND i.a = ? AND i.b = ?
		WHERE s.tenant_id = ? AND s.id = ?`, []any{c.Kind, c.A, c.B, tenant, c.Session}, &no)
	if noRow(err) {
		return "", 0, errNoNext()
	}
	return FindKinds[c.Kind], no + c.N, err
}

func errNoNext() error {
	return domain.Invalidf("after", "This is not the next of a page of this search; begin at the first page.")
}

// findIndex writes the search index of one session.
type findIndex struct {
	t       *tx
	tenant  string
	session int
	next    int       // next row
	kind    FindKind  // kind of the current run, "" before the first
	follows findPlace // position of the run's next row
	runs    *bulk
	words   *wordRows
}

func newFindIndex(t *tx, tenant string, session int) (*findIndex, error) {
	x := &findIndex{t: t, tenant: tenant, session: session,
		runs: newBulk(t, "find_runs", "first, tenant_id, session_no, kind, a, b"), words: newWordRows(t, "find_search")}
	// the last row is taken from the index's table of sizes, as FTS5 can't look up its own last row
	err := t.row("SELECT coalesce(max(id), 0) + 1 FROM find_search_docsize", nil, &x.next)
	return x, err
}

// add indexes a text.
func (x *findIndex) add(kind FindKind, a, b int, s string) { x.addWords(kind, a, b, wordsOf(s)) }

// addWords indexes a text whose words are known, separated by spaces.
func (x *findIndex) addWords(kind FindKind, a, b int, words string) {
	at := findPlace{a, b}
	if kind != x.kind || at != x.follows {
		x.runs.add(x.next, x.tenant, x.session, kind.no(), a, b)
	}
	x.kind, x.follows = kind, kind.at(at, 1)
	scope := findScope(kind, x.tenant)
	x.words.add(x.next, scope+strings.ReplaceAll(words, " ", " "+scope))
	x.next++
}

// notes indexes the texts of a claim's reviews, starting with review from.
func (x *findIndex) notes(c *ledger.Claim, from int) {
	for n := from; n < len(c.Reviews); n++ {
		if c.Reviews[n].Reason != "" {
			x.add(FindNotes, c.Position, n, c.Reviews[n].Reason)
		}
	}
}

// passages indexes the passages of a document.
func (x *findIndex) passages(d *ledger.Document) {
	for i := range slices.Backward(d.Chunks) {
		x.add(FindPassages, d.Position, d.Chunks[i].Position, d.Chunks[i].Text)
	}
}

// flush writes the remaining rows, the runs first.
func (x *findIndex) flush() error {
	if err := errors.Join(x.runs.flush(), x.words.flush()); err != nil {
		return fmt.Errorf("find index: %w", err)
	}
	return nil
}

// find indexes a new session: its claims, answer, passages and notes, each from last to first, so that results of a
// session are listed from first to last.
func (in *inserter) find(l *ledger.Ledger) error {
	x, err := newFindIndex(in.t, in.tenant, in.no)
	if err != nil {
		return err
	}
	s := l.Session
	for i, words := range slices.Backward(in.words()) {
		x.addWords(FindClaims, s.Claims[i].Position, 0, words)
	}
	for i, part := range slices.Backward(answerParts(s.Answer)) {
		x.add(FindAnswers, i*answerPart, 0, part)
	}
	for i := range slices.Backward(s.Documents) {
		x.passages(&s.Documents[i])
	}
	for i := range slices.Backward(s.Claims) {
		x.notes(&s.Claims[i], 0)
	}
	return x.flush()
}

// answerParts splits an answer into the parts in which it is stored.
func answerParts(s string) (parts []string) {
	for s != "" {
		end := cut(s, answerPart)
		parts = append(parts, s[:end])
		s = s[end:]
	}
	return parts
}

// find indexes the notes of the appended reviews.
func (u *updater) find() error {
	if !slices.ContainsFunc(u.appended, func(a appended) bool { return a.review.Reason != "" }) {
		return nil
	}
	x, err := newFindIndex(u.t, u.tenant, u.no)
	if err != nil {
		return err
	}
	for i, a := range u.appended {
		if i == 0 || u.appended[i-1].claim != a.claim {
			x.notes(a.claim, slices.IndexFunc(a.claim.Reviews,
				func(r ledger.Review) bool { return r.ID == a.review.ID }))
		}
	}
	return x.flush()
}
