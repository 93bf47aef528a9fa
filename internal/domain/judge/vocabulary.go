package judge

import (
	"slices"
	"strings"
	"unicode/utf8"

	"sanad/internal/domain/text"
)

// vocabulary numbers the stems of a session's texts, and finds those that may stand for a word of a claim. Whether one
// word stands for another depends on these two words alone.
type vocabulary struct {
	ids      map[string]int   // stem → word id
	words    []string         // word id → stem
	letters  []int            // word id → letters of its stem
	heads    map[string][]int // first letters → words that begin with them
	roots    map[string][]int // arabicRoot → words of it
	forms    map[int][]int    // group of lexicon/forms.txt → words of it
	synonyms map[int][]int    // group of lexicon/synonyms.txt → words of it

	firstWords firsts[int] // where the lists above begin that one word is in
}

func newVocabulary() vocabulary {
	return vocabulary{ids: map[string]int{}, heads: map[string][]int{}, roots: map[string][]int{}, forms: map[int][]int{},
		synonyms: map[int][]int{}, words: make([]string, 0, roomForWords), letters: make([]int, 0, roomForWords)}
}

// firsts gives lists their first element. Most words are in one chunk and in lists of their own, so that their lists
// share memory until they grow.
type firsts[T any] struct{ free []T }

// append is the built-in append of one element.
func (f *firsts[T]) append(list []T, v T) []T {
	if len(list) > 0 {
		return append(list, v)
	}
	if len(f.free) == 0 {
		f.free = make([]T, roomForWords)
	}
	list, f.free = f.free[:1:1], f.free[1:]
	list[0] = v
	return list
}

// roomForWords is the number of words that an index has room for at first, as many as a passage has.
const roomForWords = 64

// intern returns a stem's id, and whether it is a new one.
func (v *vocabulary) intern(stem string) (id int, fresh bool) {
	if id, ok := v.ids[stem]; ok {
		return id, false
	}
	id = len(v.words)
	v.ids[stem] = id
	v.words, v.letters = append(v.words, stem), append(v.letters, utf8.RuneCountInString(stem))
	head := headOf(stem)
	v.heads[head] = v.firstWords.append(v.heads[head], id)
	for _, g := range forms().of[stem] {
		v.forms[g] = v.firstWords.append(v.forms[g], id)
	}
	for _, g := range synonyms().of[stem] {
		v.synonyms[g] = v.firstWords.append(v.synonyms[g], id)
	}
	if root := arabicRoot(stem); root != "" {
		v.roots[root] = v.firstWords.append(v.roots[root], id)
	}
	return id, true
}

// headOf is the first two letters of a word: what a misspelt or related form has in common with it.
func headOf(s string) string {
	n := 0
	for i := range s {
		if n == 2 {
			return s[:i]
		}
		n++
	}
	return s
}

// near is a word of the texts that stands for one of a claim, and how well.
type near struct {
	word  int
	value float64
}

// near lists the words that stand for a token, each with its best value. word is the id of its stem, -1 if none.
func (v *vocabulary) near(t *text.Token, word int) []near {
	out := make([]near, 0, 4)
	add := func(id int, value float64) {
		if !slices.ContainsFunc(out, func(n near) bool { return n.word == id }) {
			out = append(out, near{id, value})
		}
	}
	if word >= 0 {
		add(word, sameWord)
	}
	for _, g := range forms().of[t.Stem] {
		for _, id := range v.forms[g] {
			add(id, sameRoot)
		}
	}
	if n := utf8.RuneCountInString(t.Stem); t.Kind != text.Number && n >= relatedLetters {
		for _, id := range v.heads[headOf(t.Stem)] {
			if m := v.letters[id]; m >= relatedLetters && m <= n+relatedApart && n <= m+relatedApart && related(t.Stem,
				v.words[id], n, m) {
				add(id, nearWord)
			}
		}
	}
	if root := arabicRoot(t.Stem); root != "" {
		for _, id := range v.roots[root] {
			add(id, nearWord)
		}
	}
	for _, g := range synonyms().of[t.Stem] {
		for _, id := range v.synonyms[g] {
			add(id, synonym)
		}
	}
	return out
}

const (
	relatedLetters = 4 // letters of related words at least
	relatedApart   = 4 // by how many letters they may differ
)

// related reports whether two words are forms of one another or differ by a typing error: most of the longer is a
// common prefix ("inform", "informat"), or one letter is changed, missing or too much in a long word ("mohammed",
// "mohamed"). The words have la and lb letters, relatedLetters at least and no more than relatedApart apart.
func related(a, b string, la, lb int) bool {
	common := commonPrefix(a, b)
	if common >= 4 && common*10 >= max(la, lb)*6 && common*10 >= min(la, lb)*9 {
		return true
	}
	return min(la, lb) >= 6 && common >= 3 && oneApart([]rune(a), []rune(b))
}

// commonPrefix counts the letters that both words begin with.
func commonPrefix(a, b string) int {
	n, i := 0, 0
	for i < len(a) && i < len(b) {
		r, w := utf8.DecodeRuneInString(a[i:])
		s, _ := utf8.DecodeRuneInString(b[i:])
		if r != s {
			break
		}
		n, i = n+1, i+w
	}
	return n
}

// oneApart reports whether one letter changed, added or taken away makes a of b.
func oneApart(a, b []rune) bool {
	if len(a) < len(b) {
		a, b = b, a
	}
	if len(a)-len(b) > 1 {
		return false
	}
	i := 0
	for i < len(b) && a[i] == b[i] {
		i++
	}
	rest := b[i:]
	if len(a) == len(b) && i < len(b) {
		rest = b[i+1:]
	}
	return i == len(a) || string(a[i+1:]) == string(rest)
}

// rootLetters is the fewest letters left of an Arabic root by which two words count as having one root.
const rootLetters = 3

// arabicRoot returns the letters of an Arabic stem that its patterns leave alone: without weak letters and hamza, and
// without a first letter that conjugates or derives (ارتفع, يرتفع and مرتفع are رتفع). "" for other words and where too
// little is left.
func arabicRoot(stem string) string {
	if len(stem) < 2*rootLetters || stem[0] < 0xd8 || stem[0] > 0xd9 {
		return ""
	}
	if rest, ok := strings.CutPrefix(stem, "س"); ok && utf8.RuneCountInString(rest) > rootLetters && (strings.HasPrefix(rest,
		"ي") || strings.HasPrefix(rest, "ت") || strings.HasPrefix(rest, "ن")) {
		stem = rest // of the future: سيمدد
	}
	for _, prep := range [...]string{"ب", "ل", "ك"} { // attached: بتقديم
		if rest, ok := strings.CutPrefix(stem, prep); ok && utf8.RuneCountInString(rest) > rootLetters {
			stem = rest
			break
		}
	}
	out := make([]rune, 0, len(stem)/2)
	for i, r := range stem {
		switch {
		case r == 'ا' || r == 'و' || r == 'ي' || r == 'ى' || r == 'ء':
		case i == 0 && (r == 'ت' || r == 'ن' || r == 'م'):
		default:
			out = append(out, r)
		}
	}
	if n := len(out); n > rootLetters && out[n-1] == 'ت' {
		out = out[:n-1] // "she did": ارتفعت
	}
	if len(out) < rootLetters {
		return ""
	}
	return string(out)
}
