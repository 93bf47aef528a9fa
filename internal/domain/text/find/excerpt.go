package find

import (
	"slices"
	"strings"

	"sanad/internal/domain/text"
)

// Excerpt returns the piece of s, at most length code points long, that has the most distinct query words; among equals
// the one with the most occurrences, then the first. Without any query word it is the beginning of s. It begins and
// ends between words where it can.
func (f *Finder) Excerpt(s string, length int) text.Excerpt {
	length = max(length, 1)
	tokens := text.Tokens(s)
	found := f.hits(s, tokens)
	total := text.Len(s)
	start, end := 0, total
	if total > length {
		start, end = window(tokens, found, length, total)
	}
	r := text.NewRuler(s)
	e := text.Excerpt{Text: r.Slice(text.Span{Start: start, End: end}), Start: start, Before: start > 0,
		After: end < total}
	if left := strings.TrimLeft(e.Text, " \t\r\n"); e.Before && left != e.Text {
		e.Start += text.Len(e.Text) - text.Len(left)
		e.Text = left
	}
	if right := strings.TrimRight(e.Text, " \t\r\n"); e.After {
		e.Text = right
	}
	shown := text.Len(e.Text)
	found = slices.DeleteFunc(found, func(t hit) bool { return t.Start < e.Start || t.End > e.Start+shown })
	times := map[string]int{}
	for _, t := range found {
		e.Marks = append(e.Marks, text.Span{Start: t.Start - e.Start, End: t.End - e.Start})
		times[t.stem]++
	}
	rarest := 0
	for _, t := range found {
		if n := times[t.stem]; rarest == 0 || n < rarest {
			rarest, e.Focus = n, t.Start-e.Start
		}
	}
	return e
}

// window places the excerpt: at most a quarter of it precedes the first of the words it was chosen for.
func window(tokens []text.Token, found []hit, length, total int) (start, end int) {
	if len(found) == 0 {
		return 0, pieceEnd(tokens, 0, length)
	}
	reach := max(length*3/4, 1)
	best, bestWords, bestAll := 0, 0, 0
	in, to := map[string]int{}, 0
	for from := range found {
		for to < len(found) && (to == from || found[to].End <= found[from].Start+reach) {
			in[found[to].stem]++
			to++
		}
		if len(in) > bestWords || len(in) == bestWords && to-from > bestAll {
			best, bestWords, bestAll = from, len(in), to-from
		}
		if in[found[from].stem]--; in[found[from].stem] == 0 {
			delete(in, found[from].stem)
		}
	}
	first := found[best].Start
	start = max(0, min(first-length/4, total-length))
	if i, _ := slices.BinarySearchFunc(tokens, start, func(t text.Token, at int) int { return t.Start - at }); start > 0 &&
		i < len(tokens) && tokens[i].Start <= first {
		start = tokens[i].Start
	}
	if start+length >= total {
		return start, total
	}
	return start, pieceEnd(tokens, start, start+length)
}

// pieceEnd returns the end of the last word that ends by limit, or limit if no word after start does.
func pieceEnd(tokens []text.Token, start, limit int) int {
	i, _ := slices.BinarySearchFunc(tokens, limit, func(t text.Token, at int) int {
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
