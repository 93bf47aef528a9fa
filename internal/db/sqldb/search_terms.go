package sqldb

import (
	"strings"

	"sanad/internal/domain/text"
	"sanad/internal/domain/text/find"
)

// Full text search is in this file and the find files only (and in the virtual tables of the schema), so that
// another engine could replace it. Texts are indexed as the stems from text.Tokens and, beside them, the decimals of
// their figures, so that English and Arabic match across inflection, diacritics, digits and numbers in words. Queries
// are read in the same way, so that user input never reaches FTS5 as syntax.

// maxSearchTerms is the maximum number of words of a query, and maxTermBytes the maximum length of a word.
const (
	maxSearchTerms = 32
	maxTermBytes   = 120
)

// StemsOf returns the distinct stems of s as words of the index. Stop words are omitted only from queries (see
// matchAll).
func StemsOf(s string, seen map[string]bool) []string {
	tokens := text.Tokens(s)
	return appendWords(make([]string, 0, len(tokens)), s, tokens, seen)
}

func appendWords(list []string, s string, tokens []text.Token, seen map[string]bool) []string {
	add := func(stem string) {
		if w := Word(stem); w != "" && !seen[w] {
			seen[w] = true
			list = append(list, w)
		}
	}
	for i := range tokens {
		add(tokens[i].Stem)
	}
	for _, decimal := range find.Figures(s, tokens) {
		add(decimal)
	}
	return list
}

// WordReader reads the words of many texts in memory that it uses again.
type WordReader struct {
	tokens []text.Token
	words  []string
	seen   map[string]bool
}

// Read returns the words of s. The next call overwrites them.
func (wordReader *WordReader) Read(s string) []string {
	if wordReader.seen == nil || len(wordReader.words) > mostSeen {
		wordReader.seen = map[string]bool{}
	} else {
		clear(wordReader.seen)
	}
	wordReader.tokens = text.AppendTokens(wordReader.tokens[:0], s)
	wordReader.words = appendWords(wordReader.words[:0], s, wordReader.tokens, wordReader.seen)
	return wordReader.words
}

// mostSeen is how many words a text may have for its map to be used again: to clear a larger one takes longer than to
// Read a short text.
const mostSeen = 1000

// Word turns a stem into one word for the tokenizer "ascii", which splits at ASCII characters other than letters and
// digits; these are replaced by a middle dot.
func Word(stem string) string {
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

// Term is a word that a query searches for: as the index has it, and folded as it was typed.
type Term struct {
	word, norm string
	also       []string // words of the index that stand for it
}

// QueryTerms returns the words that a query searches for.
func QueryTerms(s string) []Term {
	var out []Term
	for _, t := range find.Terms(s) {
		x := Term{word: Word(t.Stem), norm: t.Norm}
		if x.word == "" {
			continue
		}
		for _, stem := range t.Also {
			x.also = append(x.also, Word(stem))
		}
		out = append(out, x)
	}
	return out[:min(len(out), maxSearchTerms)]
}

// MatchAll returns the MATCH expression for rows that contain every word of the query s, and scope unless that is
// empty; "" if s has no words. Stop words count only if there are no others.
func MatchAll(s, scope string) string {
	terms := QueryTerms(s)
	if len(terms) == 0 {
		return ""
	}
	x := WordIndex{tenant: scope}
	return x.all(x.exact(terms))
}

// TenantWord returns the word that every session of a tenant contains; no stem begins with two middle dots.
func TenantWord(tenant string) string { return Word("··" + strings.ReplaceAll(tenant, "-", "")) }
