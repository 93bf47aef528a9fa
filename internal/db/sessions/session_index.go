package sessions

import (
	"strings"

	"sanad/internal/db/sqldb"
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
func (x *sessionIndex) addClaim(no int, words string) {
	x.rows.Add(no, words)
	for w := range strings.FieldsSeq(words) {
		if !x.seen[w] {
			x.seen[w] = true
			x.add(w)
		}
	}
}

// save indexes the session by the given texts and its claims' words.
func (x *sessionIndex) save(t *sqldb.Tx, sessionNo int, texts ...string) error {
	if err := x.rows.Flush(); err != nil {
		return err
	}
	for _, s := range texts {
		for _, w := range sqldb.StemsOf(s, x.seen) {
			x.add(w)
		}
	}
	return sqldb.PutWords(t, "session_search", x.rows.Tenant, sessionNo, x.all.String())
}

// add adds a word to the session's.
func (x *sessionIndex) add(word string) {
	x.all.WriteByte(' ')
	x.all.WriteString(word)
}

// The search comes first in its query: the tables are joined in this order, so that only matches are looked up. Claims
// are searched within a range of rows (claimQuery.order), so that a common word costs only what is in that range.
const (
	sessionsByWords = "session_search CROSS JOIN sessions s ON s.no = session_search.rowid"
	sessionsFound   = "session_search MATCH ?"
	claimsByWords   = "claim_search CROSS JOIN claims c ON c.no = claim_search.rowid"
	claimsFound     = "claim_search MATCH ?"
)
