package sqldb

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"sanad/internal/domain/text"
)

// Bounds of a forgiving search: how many words may have a wrong letter, and how many spellings are looked up. A word of
// 20 letters has about 1,100 spellings with one wrong letter.
const (
	maxLooseTerms = 4
	maxSpellings  = 1500
)

// The letters that a wrong one may stand for, folded as the index has them.
var (
	latinLetters  = []rune("abcdefghijklmnopqrstuvwxyz")
	arabicLetters = []rune("ابتثجحخدذرزسشصضطظعغفقكلمنهويء")
)

// WordIndex is a full-text table as one search of the tenant owner sees it: each word has scope before it, and rows
// contain the word tenant too unless that is "".
type WordIndex struct{ Table, Owner, Scope, tenant string }

// Match returns the MATCH expression for rows that contain every term, or a word as near to it; "" if there are none.
// The engine looks up spellings one by one, so that the cost is bounded, and reads no word of another scope. Words that
// occur are taken as they are; if all of them do, though not together, each may be wrong.
func (wordIndex WordIndex) Match(t *Tx, terms []Term, near text.Nearness) (string, error) {
	each := wordIndex.exact(terms)
	last := len(terms) - 1
	if near == text.BegunWord && text.MayBegin(terms[last].norm) {
		each[last] = wordIndex.oneOf(terms[last], "*")
	}
	if near != text.NearWords {
		return wordIndex.all(each), nil
	}
	wrong, err := wordIndex.absent(t, each)
	if err != nil {
		return "", err
	}
	left := maxSpellings
	for n, i := range wrong[:min(len(wrong), maxLooseTerms)] {
		if each[i], err = wordIndex.like(t, terms[i], &left); err != nil {
			return "", err
		}
		if n+1 == len(wrong) {
			break
		}
		if found, err := wordIndex.has(t, each[i]); err != nil || !found {
			return "", err // the other words need not be looked up
		}
	}
	return wordIndex.all(each), nil
}

// exact returns an expression for each term.
func (wordIndex WordIndex) exact(terms []Term) []string {
	each := make([]string, len(terms))
	for i := range terms {
		each[i] = wordIndex.oneOf(terms[i], "")
	}
	return each
}

// oneOf returns the expression for a term's word, with a star if it may be the beginning of one, or one that stands for
// it.
func (wordIndex WordIndex) oneOf(t Term, star string) string {
	out := wordIndex.quoted(t.word) + star
	if len(t.also) == 0 {
		return out
	}
	for _, w := range t.also {
		out += " OR " + wordIndex.quoted(w)
	}
	return "(" + out + ")"
}

func (wordIndex WordIndex) quoted(word string) string { return `"` + wordIndex.Scope + word + `"` }

// all returns the expression for rows of the tenant that have each of some expressions.
func (wordIndex WordIndex) all(each []string) string {
	if wordIndex.tenant != "" {
		each = append(slices.Clip(each), `"`+wordIndex.tenant+`"`)
	}
	return strings.Join(each, " AND ")
}

// has reports whether a row of the tenant has an expression.
func (wordIndex WordIndex) has(t *Tx, expression string) (found bool, err error) {
	query, args := wordIndex.rows("?"), []any{wordIndex.all([]string{expression})}
	if t.Engine.searchNamesTenant() {
		query, args = wordIndex.anyRow(t, "?"), append(args, wordIndex.Owner)
	}
	err = t.Each(query+" LIMIT 1", args, func(Scanner) error {
		found = true
		return nil
	})
	return found, err
}

// rows returns a query for the rows that have an expression.
func (wordIndex WordIndex) rows(expression string) string {
	return "SELECT 1 FROM " + wordIndex.Table + " WHERE " + wordIndex.Table + " MATCH " + expression
}

// anyRow is rows for the tenant wordIndex.Owner, of which only one row is read. OFFSET 0 beside another table makes the
// planner plan for all rows: if it knew that one is enough, it would scan the table for an expression that it takes to
// be common.
func (wordIndex WordIndex) anyRow(t *Tx, expression string) string {
	return "SELECT 1 FROM generate_series(1, 1) AS once JOIN LATERAL (" + wordIndex.rows(expression) + " AND " +
		t.Engine.SearchTenant() + " OFFSET 0) found ON true"
}

// occurring returns those of some words that occur in rows. It saves PostgreSQL's index from comparing each row that it
// collects with every word of the expression; on SQLite it returns all words.
func (wordIndex WordIndex) occurring(t *Tx, words []string) ([]string, error) {
	if !t.Engine.searchNamesTenant() || len(words) == 0 {
		return words, nil
	}
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = wordIndex.all([]string{wordIndex.quoted(w)})
	}
	list, err := json.Marshal(quoted)
	if err != nil {
		return nil, err
	}
	found := make([]string, 0, len(words))
	err = t.Each("SELECT w.value FROM json_each(?) w WHERE EXISTS ("+wordIndex.anyRow(t, "w.value")+")",
		[]any{string(list), wordIndex.Owner}, func(r Scanner) error {
			value := ""
			err := r.Scan(&value)
			if i := slices.Index(quoted, value); i >= 0 {
				found = append(found, words[i])
			}
			return err
		})
	return found, err
}

// absent returns the places of the expressions that no row has; all places if each is there.
func (wordIndex WordIndex) absent(t *Tx, each []string) (absent []int, err error) {
	all := make([]int, len(each))
	for i := range each {
		all[i] = i
		found, err := wordIndex.has(t, each[i])
		if err != nil {
			return nil, err
		}
		if !found {
			absent = append(absent, i)
		}
	}
	if len(absent) == 0 {
		return all, nil
	}
	return absent, nil
}

// like returns the expression for a term, words that it begins and, while any are left, words that differ from it in
// one letter.
func (wordIndex WordIndex) like(t *Tx, q Term, left *int) (string, error) {
	if !text.MayBegin(q.norm) {
		return wordIndex.oneOf(q, ""), nil
	}
	out := []string{wordIndex.quoted(q.word) + "*"}
	for _, w := range q.also {
		out = append(out, wordIndex.quoted(w))
	}
	if text.MayBeWrong(q.norm) {
		upTo, err := wordIndex.wrongUpTo(t, []rune(q.norm))
		if err != nil {
			return "", err
		}
		more := spellings([]rune(q.norm), upTo)
		more = more[:min(len(more), *left)]
		*left -= len(more)
		if more, err = wordIndex.occurring(t, more); err != nil {
			return "", err
		}
		for _, w := range more {
			out = append(out, wordIndex.quoted(w))
		}
	}
	return "(" + strings.Join(out, " OR ") + ")", nil
}

// wrongUpTo returns how many letters of a word have the wrong one among them: no word begins with so many, nor is one a
// stem of theirs. Arabic stems lose their beginnings too, so there it may be any letter.
func (wordIndex WordIndex) wrongUpTo(t *Tx, r []rune) (int, error) {
	upTo := len(r)
	if isArabic(r) {
		return upTo, nil
	}
	for _, n := range []int{len(r) * 3 / 4, len(r) / 2, len(r) / 4} {
		n = max(n, 2)
		begun := []string{wordIndex.quoted(Word(string(r[:n]))) + "*"}
		for end := 2; end < n; end++ {
			begun = append(begun, wordIndex.quoted(Word(string(r[:end]))))
		}
		found, err := wordIndex.has(t, "("+strings.Join(begun, " OR ")+")")
		if err != nil || found {
			return upTo, err
		}
		upTo = min(n+1, len(r)) // a stem may end in another letter: polici for policy
	}
	return upTo, nil
}

func isArabic(r []rune) bool {
	return slices.ContainsFunc(r, func(x rune) bool { return unicode.Is(unicode.Arabic, x) })
}

// spellings returns the words of the index for those that differ from a word in one of its first letters: one is
// missing, too many or wrong, or two next to each other are swapped. upTo is how many letters have the wrong one among
// them.
func spellings(r []rune, upTo int) []string {
	letters := latinLetters
	if isArabic(r) {
		letters = arabicLetters
	}
	var out []string
	add := func(parts ...[]rune) { out = append(out, Word(text.Stem(string(slices.Concat(parts...))))) }
	for i := range r[:upTo] {
		add(r[:i], r[i+1:])
		if i+1 < len(r) && r[i] != r[i+1] {
			add(r[:i], []rune{r[i+1], r[i]}, r[i+2:])
		}
		for _, x := range letters {
			if x != r[i] {
				add(r[:i], []rune{x}, r[i+1:])
			}
			add(r[:i], []rune{x}, r[i:])
		}
	}
	if upTo == len(r) {
		for _, x := range letters {
			add(r, []rune{x})
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// MatchLike returns the MATCH expression for the rows of a tenant in a table that contain every word of the query, or a
// word as near to it, each after scope; "" if there are none.
func MatchLike(ctx context.Context, s *DB, table, scope, tenant, query string,
	near text.Nearness) (match string, err error) {
	terms := QueryTerms(query)
	if len(terms) == 0 {
		return "", nil
	}
	x := WordIndex{Table: table, Owner: tenant, Scope: scope, tenant: TenantWord(tenant)}
	err = s.Read(ctx, "matchLike", func(t *Tx) error {
		match, err = x.Match(t, terms, near)
		return err
	})
	return match, err
}
