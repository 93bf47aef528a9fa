package db

import (
	"strings"

	"sanad/internal/domain/text"
)

// Full text search lives in this file only (and in the two virtual tables of the schema), so that another engine has
// one place to replace. Texts are indexed as the stems that text.Tokens gives, so English and Arabic match across
// inflection, diacritics and digits; what a reader types is cut into the same stems, so nothing of it reaches FTS5 as
// syntax.

// maxSearchTerms is how many words of a query count, and maxTermBytes how much of one word.
const (
	maxSearchTerms = 32
	maxTermBytes   = 120
)

// words lists the distinct stems of s as words of the index. Stop words are left out of a query only (see matchAll).
func words(s string, seen map[string]bool, keep func(text.Token) bool) []string {
	var out []string
	for _, t := range text.Tokens(s) {
		if w := word(t.Stem); w != "" && !seen[w] && (keep == nil || keep(t)) {
			seen[w] = true
			out = append(out, w)
		}
	}
	return out
}

// word makes a stem one word for the tokenizer "ascii": that splits at ASCII characters other than letters and digits
// and keeps everything else, so the former are replaced by a middle dot.
func word(stem string) string {
	if len(stem) > maxTermBytes {
		stem = strings.ToValidUTF8(stem[:maxTermBytes], "")
	}
	return strings.Map(func(r rune) rune {
		if r < 0x80 && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') {
			return '·'
		}
		return r
	}, stem)
}

// wordsOf returns the words of s with a space between two.
func wordsOf(s string) string { return strings.Join(words(s, map[string]bool{}, nil), " ") }

// queryWords lists the words that a query looks for.
func queryWords(s string) []string {
	terms := words(s, map[string]bool{}, func(t text.Token) bool { return !t.Stop })
	if len(terms) == 0 {
		terms = words(s, map[string]bool{}, nil)
	}
	return terms[:min(len(terms), maxSearchTerms)]
}

// matchAll makes the MATCH expression for rows that hold every word of the query s, and scope where it is given; ""
// where s has no word to look for. Stop words count only where there is nothing else.
func matchAll(s, scope string) string {
	terms := queryWords(s)
	if len(terms) == 0 {
		return ""
	}
	if scope != "" {
		terms = append(terms, scope)
	}
	return `"` + strings.Join(terms, `" AND "`) + `"`
}

// tenantWord is the word that every session of a tenant holds: no stem begins with two middle dots.
func tenantWord(tenant string) string { return word("··" + strings.ReplaceAll(tenant, "-", "")) }

// sessionIndex collects the words of a session and its claims while the claims are indexed.
type sessionIndex struct {
	seen map[string]bool
	all  []string
	rows *wordRows
}

func newSessionIndex(t *tx, tenant string) *sessionIndex {
	return &sessionIndex{seen: map[string]bool{}, all: []string{tenantWord(tenant)},
		rows: newWordRows(t, "claim_search")}
}

// addClaim indexes one claim by its words, for its session too.
func (x *sessionIndex) addClaim(no int, words string) {
	x.rows.add(no, words)
	for w := range strings.FieldsSeq(words) {
		if !x.seen[w] {
			x.seen[w] = true
			x.all = append(x.all, w)
		}
	}
}

// save indexes the session itself by the given texts and its claims' words.
func (x *sessionIndex) save(t *tx, sessionNo int, texts ...string) error {
	if err := x.rows.flush(); err != nil {
		return err
	}
	for _, s := range texts {
		x.all = append(x.all, words(s, x.seen, nil)...)
	}
	_, err := t.exec("INSERT INTO session_search (rowid, words) VALUES (?, ?)", sessionNo, strings.Join(x.all, " "))
	return err
}

// wordRows inserts rows of words into a table of full text. FTS5 writes what it has gathered to the file before each
// statement of several rows, and merges what many of those wrote; so these carry as much as it would gather by
// itself.
type wordRows struct {
	rows *bulk
	held int // bytes
}

const (
	mostWordRows  = 15_000  // two values each, of the 32,766 that a statement may carry
	mostWordBytes = 1 << 20 // FTS5's own "hashsize"
)

func newWordRows(t *tx, table string) *wordRows {
	return &wordRows{rows: &bulk{t: t, table: table, columns: "rowid, words", width: 2, rows: mostWordRows}}
}

// add takes one row.
func (w *wordRows) add(no int, words string) {
	w.rows.add(no, words)
	if w.held += len(words); w.held >= mostWordBytes {
		w.rows.early()
		w.held = 0
	}
}

// flush inserts what is left.
func (w *wordRows) flush() error { return w.rows.flush() }

// A search leads its query: the tables are joined in this order, so that only what was found is looked up. Claims are
// searched with a range of rows besides (claimQuery.order), so that a common word costs what stands in that range.
const (
	sessionsByWords = "session_search CROSS JOIN sessions s ON s.no = session_search.rowid"
	sessionsFound   = "session_search MATCH ?"
	claimsByWords   = "claim_search CROSS JOIN claims c ON c.no = claim_search.rowid"
	claimsFound     = "claim_search MATCH ?"
)
