package db

import (
	"strings"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/text"
)

// Full text search is in this file and the find files only (and in the virtual tables of the schema), so that
// another engine could replace it. Texts are indexed as the stems from text.Tokens, so that English and Arabic
// match across inflection, diacritics and digits. Queries are split into the same stems, so that user input never
// reaches FTS5 as syntax.

// maxSearchTerms is the maximum number of words of a query, and maxTermBytes the maximum length of a word.
const (
	maxSearchTerms = 32
	maxTermBytes   = 120
)

// stemsOf returns the distinct stems of s as words of the index. Stop words are omitted only from queries (see matchAll).
func stemsOf(s string, seen map[string]bool) []string {
	tokens := text.Tokens(s)
	return appendWords(make([]string, 0, len(tokens)), tokens, seen)
}

func appendWords(list []string, tokens []text.Token, seen map[string]bool) []string {
	for _, t := range tokens {
		if w := word(t.Stem); w != "" && !seen[w] {
			seen[w] = true
			list = append(list, w)
		}
	}
	return list
}

// wordReader reads the words of many texts in memory that it uses again.
type wordReader struct {
	tokens []text.Token
	words  []string
	seen   map[string]bool
}

// read returns the words of s. The next call overwrites them.
func (r *wordReader) read(s string) []string {
	if r.seen == nil || len(r.words) > mostSeen {
		r.seen = map[string]bool{}
	} else {
		clear(r.seen)
	}
	r.tokens = text.AppendTokens(r.tokens[:0], s)
	r.words = appendWords(r.words[:0], r.tokens, r.seen)
	return r.words
}

// mostSeen is how many words a text may have for its map to be used again: to clear a larger one takes longer than to
// read a short text.
const mostSeen = 1000

// word turns a stem into one word for the tokenizer "ascii", which splits at ASCII characters other than letters and
// digits; these are replaced by a middle dot.
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

// term is a word that a query searches for: as the index has it, and folded as it was typed.
type term struct{ word, norm string }

// queryTerms returns the words that a query searches for.
func queryTerms(s string) []term {
	var out, stops []term
	seen := map[string]bool{}
	for _, t := range text.Tokens(s) {
		switch w := word(t.Stem); {
		case w == "" || seen[w]:
			continue
		case t.Stop:
			stops = append(stops, term{w, t.Norm})
		default:
			out = append(out, term{w, t.Norm})
		}
		seen[word(t.Stem)] = true
	}
	if len(out) == 0 {
		out = stops
	}
	return out[:min(len(out), maxSearchTerms)]
}

// matchAll returns the MATCH expression for rows that contain every word of the query s, and scope unless that is
// empty; "" if s has no words. Stop words count only if there are no others.
func matchAll(s, scope string) string {
	terms := queryTerms(s)
	if len(terms) == 0 {
		return ""
	}
	x := wordIndex{tenant: scope}
	return x.all(x.exact(terms))
}

// tenantWord returns the word that every session of a tenant contains; no stem begins with two middle dots.
func tenantWord(tenant string) string { return word("··" + strings.ReplaceAll(tenant, "-", "")) }

// sessionIndex collects the words of a session and its claims while the claims are indexed.
type sessionIndex struct {
	seen map[string]bool
	all  strings.Builder // the different words, separated by spaces
	rows *sqldb.WordRows
}

func newSessionIndex(t *sqldb.Tx, tenant string) *sessionIndex {
	x := &sessionIndex{seen: map[string]bool{}, rows: sqldb.NewWordRows(t, "claim_search", tenant)}
	x.all.WriteString(tenantWord(tenant))
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
		for _, w := range stemsOf(s, x.seen) {
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
