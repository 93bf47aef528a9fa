package find

import (
	"slices"
	"strings"

	"sanad/internal/domain/text"
)

// Finder finds the terms of a query in texts: words with the same stem are the same word, and figures with the same
// value the same figure.
type Finder struct {
	stems map[string]bool
	begun []string // stems that may be the beginning of a word's
	near  []Term   // words that may have a wrong letter
}

// NewFinder returns a Finder for a query.
func NewFinder(query string, near text.Nearness) *Finder {
	f := &Finder{stems: map[string]bool{}}
	last := ""
	for _, t := range Terms(query) {
		f.stems[t.Stem] = true
		for _, stem := range t.Also {
			f.stems[stem] = true
		}
		if last = t.Stem; near == text.NearWords && text.MayBegin(last) {
			f.begun = append(f.begun, last)
		}
		if near == text.NearWords && text.MayBeWrong(t.Norm) {
			f.near = append(f.near, t)
		}
	}
	if near == text.BegunWord && text.MayBegin(last) {
		f.begun = []string{last}
	}
	return f
}

// finds reports whether a word is one of the query's, or as near to it as was asked for.
func (f *Finder) finds(t text.Token) bool {
	return f.stems[t.Stem] ||
		slices.ContainsFunc(f.begun, func(q string) bool { return strings.HasPrefix(t.Stem, q) }) ||
		slices.ContainsFunc(f.near, func(q Term) bool {
			return text.OneLetter(t.Norm, q.Norm) || text.OneLetter(t.Stem, q.Stem)
		})
}

// hit is a term that was found in a text.
type hit struct {
	text.Span
	stem string
}

// hits returns what is found in a text, in its order. A figure in several words is one hit.
func (f *Finder) hits(s string, tokens []text.Token) (out []hit) {
	if len(f.stems) == 0 {
		return nil
	}
	read := figures(s, tokens)
	for i := 0; i < len(tokens); {
		t := &tokens[i]
		for len(read) > 0 && read[0].End <= t.Start {
			read = read[1:]
		}
		if len(read) > 0 && read[0].Start <= t.Start {
			if stem := f.figure(&read[0]); stem != "" {
				out = append(out, hit{read[0].Span, stem})
				for i++; i < len(tokens) && tokens[i].Start < read[0].End; {
					i++
				}
				continue
			}
		}
		if f.finds(*t) {
			out = append(out, hit{t.Span, t.Stem})
		}
		i++
	}
	return out
}

// figure returns the term that a figure is found by as a whole; "" if none.
func (f *Finder) figure(found *figure) string {
	for _, forms := range found.parts {
		if !slices.ContainsFunc(forms, func(form string) bool { return f.stems[form] }) {
			return ""
		}
	}
	if len(found.parts) == 0 {
		return ""
	}
	return found.parts[0][0]
}

// Words returns the distinct words that are found in a text, as they stand there.
func (f *Finder) Words(s string) []string {
	var out []string
	r := text.NewRuler(s)
	for _, x := range f.hits(s, text.Tokens(s)) {
		if w := r.Slice(x.Span); !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}
