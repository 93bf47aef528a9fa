package sessions

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/ledger"
)

// sessionIndex collects the words of a session and its claims while the claims are indexed.
type sessionIndex struct {
	seen map[string]bool
	all  strings.Builder // the different words, separated by spaces
	rows *sqldb.WordRows
}

func newSessionIndex(t *sqldb.Tx, tenant string) *sessionIndex {
	x := &sessionIndex{seen: map[string]bool{}, rows: sqldb.NewWordRows(t, "claim_search", tenant)}
	x.all.WriteString(sqldb.TenantWord(tenant))
	return x
}

// addClaim adds a claim's words to the index of claims and to its session's words.
func (index *sessionIndex) addClaim(no int, words string) {
	index.rows.Add(no, words)
	index.note(words)
}

// note adds a claim's words to its session's.
func (index *sessionIndex) note(words string) {
	for w := range strings.FieldsSeq(words) {
		if !index.seen[w] {
			index.seen[w] = true
			index.add(w)
		}
	}
}

// save indexes the session by the given texts and its claims' words.
func (index *sessionIndex) save(t *sqldb.Tx, sessionNo int, texts ...string) error {
	if err := index.rows.Flush(); err != nil {
		return err
	}
	for _, s := range texts {
		for _, w := range sqldb.StemsOf(s, index.seen) {
			index.add(w)
		}
	}
	return sqldb.PutWords(t, "session_search", index.rows.Tenant, sessionNo, index.all.String())
}

// add adds a word to the session's.
func (index *sessionIndex) add(word string) {
	index.all.WriteByte(' ')
	index.all.WriteString(word)
}

// The search comes first in its query: the tables are joined in this order, so that only matches are looked up. Claims
// are searched within a range of rows (claimQuery.order), so that a common word costs only what is in that range.
const (
	sessionsByWords = "session_search CROSS JOIN sessions s ON s.no = session_search.rowid"
	sessionsFound   = "session_search MATCH ?"
	claimsByWords   = "claim_search CROSS JOIN claims c ON c.no = claim_search.rowid"
	claimsFound     = "claim_search MATCH ?"
)

// findIndex writes the search index of one session.
type findIndex struct {
	t       *sqldb.Tx
	tenant  string
	session int
	next    int             // next row, if not after last
	last    int             // of the rows that are reserved
	block   int             // rows to reserve next
	kind    ledger.FindKind // kind of the current run, "" before the first
	follows findPlace       // position of the run's next row
	runs    *sqldb.Bulk
	reader  sqldb.WordReader
	words   *sqldb.WordRows
	err     error
}

// newFindIndex expects about so many texts.
func newFindIndex(t *sqldb.Tx, tenant string, session, texts int) *findIndex {
	return &findIndex{t: t, tenant: tenant, session: session, last: -1, block: max(1, texts),
		runs:  sqldb.NewBulk(t, "find_runs", "first, tenant_id, session_no, kind, a, b"),
		words: sqldb.NewWordRows(t, "find_search", tenant)}
}

// moreFind is how many rows of the index are reserved when there are more texts than were expected.
const moreFind = 100

// add indexes a text.
func (x *findIndex) add(kind ledger.FindKind, a, b int, s string) {
	x.addWords(kind, a, b, strings.Join(x.reader.Read(s), " "))
}

// addWords indexes a text whose words are known, separated by spaces.
func (x *findIndex) addWords(kind ledger.FindKind, a, b int, words string) {
	at := findPlace{a, b}
	if x.next > x.last {
		if x.err == nil {
			x.next, x.last, x.err = x.t.Engine.Reserve(x.t, findNumbers, x.block)
			x.block, x.kind = moreFind, "" // they need not follow the last ones
		}
		if x.err != nil {
			return
		}
	}
	if kind != x.kind || at != x.follows {
		x.runs.Add(x.next, x.tenant, x.session, kindNo(kind), a, b)
	}
	x.kind, x.follows = kind, placeAt(kind, at, 1)
	scope := findScope(kind, x.tenant)
	x.words.Add(x.next, scope+strings.ReplaceAll(words, " ", " "+scope))
	x.next++
}

// notes indexes the texts of a claim's reviews, starting with review from.
func (x *findIndex) notes(c *ledger.Claim, from int) {
	for n := from; n < len(c.Reviews); n++ {
		if c.Reviews[n].Reason != "" {
			x.add(ledger.FindNotes, c.Position, n, c.Reviews[n].Reason)
		}
	}
}

// passages indexes the passages of a document.
func (x *findIndex) passages(d *ledger.Document) {
	for i := range slices.Backward(d.Chunks) {
		x.add(ledger.FindPassages, d.Position, d.Chunks[i].Position, d.Chunks[i].Words())
	}
}

// flush writes the remaining rows, the runs first.
func (x *findIndex) flush() error {
	if err := errors.Join(x.err, x.runs.Flush(), x.words.Flush()); err != nil {
		return fmt.Errorf("find index: %w", err)
	}
	return nil
}

// find indexes a new session: its claims, answer, passages and notes, each from last to first, so that results of a
// session are listed from first to last.
func (in *inserter) find(l *ledger.Ledger) error {
	s := l.Session
	x := newFindIndex(in.t, in.tenant, in.no, findTexts(s))
	words := in.words()
	for i := range slices.Backward(s.Claims) {
		x.addWords(ledger.FindClaims, s.Claims[i].Position, 0, words.Of(i))
	}
	for i, part := range slices.Backward(answerParts(s.Answer)) {
		x.add(ledger.FindAnswers, i*answerPart, 0, part)
	}
	for i := range slices.Backward(s.Documents) {
		x.passages(&s.Documents[i])
	}
	for i := range slices.Backward(s.Claims) {
		x.notes(&s.Claims[i], 0)
	}
	return x.flush()
}

// findTexts counts the texts of a session in the index.
func findTexts(s *ledger.Session) int {
	n := len(s.Claims) + len(answerParts(s.Answer))
	for i := range s.Documents {
		n += len(s.Documents[i].Chunks)
	}
	for i := range s.Claims {
		n += len(s.Claims[i].Reviews)
	}
	return n
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
	x := newFindIndex(u.t, u.tenant, u.no, len(u.appended))
	for i, a := range u.appended {
		if i == 0 || u.appended[i-1].claim != a.claim {
			x.notes(a.claim, slices.IndexFunc(a.claim.Reviews,
				func(r ledger.Review) bool { return r.ID == a.review.ID }))
		}
	}
	return x.flush()
}

// findNumbers are rows of the index's table of sizes: FTS5 can't look up its own last row.
var findNumbers = sqldb.NumberSpace{Table: "find_search_docsize", Column: "id", Counter: "find_runs", Number: "first"}

// search indexes the session and its claims.
func (in *inserter) search(l *ledger.Ledger) error {
	s, words := l.Session, in.words()
	index := newSessionIndex(in.t, in.tenant)
	for i := range s.Claims {
		index.addClaim(in.firstClaim+i, words.Of(i))
	}
	if in.makeRoom != nil && len(index.seen) > manyWords {
		in.makeRoom()
	}
	return index.save(in.t, in.no, s.Title, s.Query, s.ExternalID)
}

// manyWords is the number of different words from which on a session's row of the index takes tens of megabytes: SQLite
// holds a quarter of a kilobyte for each of them until the row is written.
const manyWords = 50_000

// indexClaims indexes the claims from before on for searches, and the session by their words too.
func (writer *runWriter) indexClaims(s *ledger.Session, before int) error {
	words := WordsBeside(s.Claims)()
	found := newFindIndex(writer.t, writer.tenant, writer.no, len(s.Claims)-before)
	rows := sqldb.NewWordRows(writer.t, "claim_search", writer.tenant)
	for i := len(s.Claims) - 1; i >= before; i-- {
		found.addWords(ledger.FindClaims, i, 0, words.Of(i))
	}
	whole := newSessionIndex(writer.t, writer.tenant)
	for i := range s.Claims {
		if i >= before {
			rows.Add(writer.firstClaim+i, words.Of(i))
		}
		whole.note(words.Of(i))
	}
	err := errors.Join(found.flush(), rows.Flush(),
		sqldb.DropWords(writer.t, "session_search", writer.tenant, writer.no, writer.no+1))
	if err != nil {
		return err
	}
	return whole.save(writer.t, writer.no, s.Title, s.Query, s.ExternalID)
}
