package text

import (
	"slices"
	"strings"
)

// Finder finds the words of a query in texts, in any form: words with the same stem are the same word.
type Finder struct {
	stems map[string]bool
	begun []string // stems that may be the beginning of a word's
	near  []Token  // words that may have a wrong letter
}

// NewFinder returns a Finder for a query. Stop words count only if the query has no other words.
func NewFinder(query string, near Nearness) *Finder {
	f := &Finder{stems: map[string]bool{}}
	tokens := Tokens(query)
	content := slices.ContainsFunc(tokens, func(t Token) bool { return !t.Stop })
	last := ""
	for _, t := range tokens {
		if t.Stop && content || f.stems[t.Stem] {
			continue
		}
		f.stems[t.Stem] = true
		if last = t.Stem; near == NearWords && MayBegin(last) {
			f.begun = append(f.begun, last)
		}
		if near == NearWords && MayBeWrong(t.Norm) {
			f.near = append(f.near, t)
		}
	}
	if near == BegunWord && MayBegin(last) {
		f.begun = []string{last}
	}
	return f
}

// finds reports whether a word is one of the query's, or as near to it as was asked for.
func (f *Finder) finds(t Token) bool {
	return f.stems[t.Stem] ||
		slices.ContainsFunc(f.begun, func(q string) bool { return strings.HasPrefix(t.Stem, q) }) ||
		slices.ContainsFunc(f.near, func(q Token) bool { return OneLetter(t.Norm, q.Norm) || OneLetter(t.Stem, q.Stem) })
}

// Words returns the distinct words that are found in a text, as they stand there.
func (f *Finder) Words(s string) []string {
	var out []string
	r := NewRuler(s)
	for _, t := range Tokens(s) {
		if w := r.Slice(Span{t.Start, t.End}); f.finds(t) && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// Excerpt is a piece of a text.
type Excerpt struct {
	Text   string
	Start  int    // offset of the excerpt in the text, in code points
	Marks  []Span // the words found, as spans of Text
	Focus  int    // offset in Text of the first mark whose word is rarest in the text; 0 if none
	Before bool   // the text goes on before it
	After  bool   // the text continues after it
}

// Excerpt returns the piece of s, at most length code points long, that has the most distinct query words; among equals
// the one with the most occurrences, then the first. Without any query word it is the beginning of s. It begins and
// ends between words where it can.
func (f *Finder) Excerpt(s string, length int) Excerpt {
	length = max(length, 1)
	tokens := Tokens(s)
	var found []Token
	for _, t := range tokens {
		if f.finds(t) {
			found = append(found, t)
		}
	}
	total := Len(s)
	start, end := 0, total
	if total > length {
		start, end = window(tokens, found, length, total)
	}
	r := NewRuler(s)
	e := Excerpt{Text: r.Slice(Span{start, end}), Start: start, Before: start > 0, After: end < total}
	if left := strings.TrimLeft(e.Text, " \t\r\n"); e.Before && left != e.Text {
		e.Start += Len(e.Text) - Len(left)
		e.Text = left
	}
	if right := strings.TrimRight(e.Text, " \t\r\n"); e.After {
		e.Text = right
	}
	shown := Len(e.Text)
	found = slices.DeleteFunc(found, func(t Token) bool { return t.Start < e.Start || t.End > e.Start+shown })
	times := map[string]int{}
	for _, t := range found {
		e.Marks = append(e.Marks, Span{t.Start - e.Start, t.End - e.Start})
		times[t.Stem]++
	}
	rarest := 0
	for _, t := range found {
		if n := times[t.Stem]; rarest == 0 || n < rarest {
			rarest, e.Focus = n, t.Start-e.Start
		}
	}
	return e
}

// window places the excerpt: at most a quarter of it precedes the first of the words it was chosen for.
func window(tokens, found []Token, length, total int) (start, end int) {
	if len(found) == 0 {
		return 0, pieceEnd(tokens, 0, length)
	}
	reach := max(length*3/4, 1)
	best, bestWords, bestAll := 0, 0, 0
	in, to := map[string]int{}, 0
	for from := range found {
		for to < len(found) && (to == from || found[to].End <= found[from].Start+reach) {
			in[found[to].Stem]++
			to++
		}
		if len(in) > bestWords || len(in) == bestWords && to-from > bestAll {
			best, bestWords, bestAll = from, len(in), to-from
		}
		if in[found[from].Stem]--; in[found[from].Stem] == 0 {
			delete(in, found[from].Stem)
		}
	}
	first := found[best].Start
	start = max(0, min(first-length/4, total-length))
	if i, _ := slices.BinarySearchFunc(tokens, start, func(t Token, at int) int { return t.Start - at }); start > 0 &&
		i < len(tokens) && tokens[i].Start <= first {
		start = tokens[i].Start
	}
	if start+length >= total {
		return start, total
	}
	return start, pieceEnd(tokens, start, start+length)
}

// pieceEnd returns the end of the last word that ends by limit, or limit if no word after start does.
func pieceEnd(tokens []Token, start, limit int) int {
	i, _ := slices.BinarySearchFunc(tokens, limit, func(t Token, at int) int {
		if t.End <= at {
			return -1
		}
		return 1
	})
	if i > 0 && tokens[i-1].End > start {
		return tokens[i-1].End
	}
	return limit
}
