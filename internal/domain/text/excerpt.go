package text

import (
	"slices"
	"strings"
)

// Finder looks for the words of a query in texts, in any of their forms: what has the same stem is the same word.
type Finder struct{ stems map[string]bool }

// NewFinder reads a query. Stop words count only where it has no other words.
func NewFinder(query string) *Finder {
	f := &Finder{map[string]bool{}}
	tokens := Tokens(query)
	content := slices.ContainsFunc(tokens, func(t Token) bool { return !t.Stop })
	for _, t := range tokens {
		if !t.Stop || !content {
			f.stems[t.Stem] = true
		}
	}
	return f
}

// Excerpt is a piece of a text.
type Excerpt struct {
	Text   string
	Start  int    // where it begins in the text, in code points
	Marks  []Span // the words that were looked for, in Text
	Focus  int    // where in Text, in code points, that word of them stands first that is the rarest there; 0 without any
	Before bool   // the text goes on before it
	After  bool   // the text goes on behind it
}

// Excerpt cuts from s a piece of at most length code points that has most of the different words looked for, of those
// the most of any, and of those the first one; a text without any of them from its beginning. It begins and ends
// between words where it can.
func (f *Finder) Excerpt(s string, length int) Excerpt {
	length = max(length, 1)
	tokens := Tokens(s)
	var found []Token
	for _, t := range tokens {
		if f.stems[t.Stem] {
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

// window places the piece: a quarter of it, at most, stands before the first of the words that it is chosen for.
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
	if i, _ := slices.BinarySearchFunc(tokens, start, func(t Token, at int) int { return t.Start - at }); start > 0 && i < len(tokens) && tokens[i].Start <= first {
		start = tokens[i].Start
	}
	if start+length >= total {
		return start, total
	}
	return start, pieceEnd(tokens, start, start+length)
}

// pieceEnd returns where the last word ends that ends by limit; limit where none does behind start.
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
