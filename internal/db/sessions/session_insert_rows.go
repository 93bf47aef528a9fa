package sessions

import (
	"strings"
	"sync"
	"unicode/utf8"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/ledger"
)

// firstRun is the number of a session's first judge run.
const firstRun = 0

// answerPart is the length of a stored part of an answer, in code points; the last part has the rest.
const answerPart = 4000

// inserter writes the rows below a new session.
type inserter struct {
	t          *sqldb.Tx
	tenant     string
	no         int // row number of the session
	firstClaim int
	before     int               // how many claims the session has already; 0 of a new one
	words      func() claimWords // for both indexes
	makeRoom   func()            // Options.MakeRoom; may be nil

	compared      tally // of the claims with people's verdicts
	claimSalts    [][]byte
	documentSalts map[int][]byte // by position
}

// claimWords are the words of a session's claims. They stand in one text, since a session can have 100,000 claims.
type claimWords struct {
	text string // each word with a space after it
	ends []int  // in text, of the claims
}

// Of returns the words of the i-th claim.
func (w *claimWords) Of(i int) string {
	start := 0
	if i > 0 {
		start = w.ends[i-1]
	}
	return strings.TrimSuffix(w.text[start:w.ends[i]], " ")
}

// WordsBeside computes the words of each claim concurrently; the function it returns waits for them.
func WordsBeside(claims []ledger.Claim) func() claimWords {
	out, panicked := claimWords{ends: make([]int, len(claims))}, make(chan any, 1)
	go func() {
		defer func() { panicked <- recover() }()
		var b strings.Builder
		var reader sqldb.WordReader
		for i := range claims {
			for _, word := range reader.Read(claims[i].Text) {
				b.WriteString(word)
				b.WriteByte(' ')
			}
			out.ends[i] = b.Len()
		}
		out.text = b.String()
	}()
	return sync.OnceValue(func() claimWords {
		if p := <-panicked; p != nil {
			panic(p) // as if the caller had panicked
		}
		return out
	})
}

func (in *inserter) answer(l *ledger.Ledger) error {
	rows := sqldb.NewBulk(in.t, "answer_parts", "tenant_id, session_no, start, text")
	start, rest := 0, l.Session.Answer
	for rest != "" {
		end := cut(rest, answerPart)
		rows.Add(in.tenant, in.no, start, rest[:end])
		start, rest = start+answerPart, rest[end:]
	}
	return rows.Flush()
}

// bulk inserts into a table and computes the digests of its rows; salt is nil for those that have their own.
func (in *inserter) bulk(table string, salt func(int, []any) []byte, columns string) *sqldb.Bulk {
	b := sqldb.NewBulk(in.t, table, columns)
	auditlog.FillWith(b, auditlog.Filling(in.t, in.no, table, columns, salt))
	return b
}

func (in *inserter) claimSalt(claim int, _ []any) []byte { return in.claimSalts[claim] }

func (in *inserter) documentSalt(document int, _ []any) []byte { return in.documentSalts[document] }

// knowSalts reads the salts of the claims unless this inserter has made them.
func (in *inserter) knowSalts() (err error) {
	if in.claimSalts != nil {
		return nil
	}
	in.claimSalts, err = sqldb.Collect(in.t,
		"SELECT salt FROM claims WHERE tenant_id = ? AND session_no = ? ORDER BY position",
		[]any{in.tenant, in.no},
		func(r sqldb.Scanner, salt *[]byte) error { return r.Scan(salt) })
	return err
}

// cut returns the byte index after the first n code points of s.
func cut(s string, n int) int {
	i := 0
	for ; n > 0 && i < len(s); n-- {
		_, w := utf8.DecodeRuneInString(s[i:])
		i += w
	}
	return i
}

// length returns the number of code points.
func length(s string) int { return utf8.RuneCountInString(s) }

// comparisons stores how many claims were imported with people's verdicts.
func (in *inserter) comparisons(l *ledger.Ledger) error {
	return in.compared.save(in.t, in.tenant, l.Session.CreatedAt)
}
