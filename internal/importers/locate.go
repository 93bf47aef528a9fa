package importers

import (
	"strings"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// locator finds claims in an answer. Claims mostly stand in the answer's order and in its words, so the plain search
// goes on from the last find; the tolerant one has a budget, since it reads the whole answer each time.
type locator struct {
	answer string
	ruler  text.Ruler
	placer *text.Placer
	n      int // code points of the answer
	from   int // byte behind the last find
	budget int // bytes the tolerant search may still read
}

const locateBudget = 64 << 20

func newLocator(answer string) *locator {
	r := text.NewRuler(answer)
	return &locator{answer: answer, ruler: r, placer: text.NewPlacer(unmarked(answer)), n: r.Len(), budget: locateBudget}
}

// unmarked is a Markdown answer with its citation anchors and the marks of emphasis and code turned to spaces, code
// point for code point, so that claims in plain words are found in it.
func unmarked(answer string) string {
	out := []byte(answer)
	for _, m := range anchor.FindAllStringIndex(answer, -1) {
		for i := m[0]; i < m[1]; i++ {
			out[i] = ' '
		}
	}
	for i, c := range out {
		if c == '*' || c == '`' {
			out[i] = ' '
		}
	}
	return string(out)
}

// exact finds words as they are, behind the last find first.
func (l *locator) exact(words string) *text.Span {
	at := strings.Index(l.answer[l.from:], words)
	if at >= 0 {
		at += l.from
	} else if at = strings.Index(l.answer, words); at < 0 {
		return nil
	}
	l.from = at + len(words)
	return &text.Span{Start: l.ruler.Offset(at), End: l.ruler.Offset(l.from)}
}

// tolerant finds words that differ in case, signs or spacing; near also allows a few other words.
func (l *locator) tolerant(words string, near bool) *text.Span {
	if l.budget -= len(l.answer) + len(words); l.budget < 0 {
		return nil
	}
	p := l.placer.Place(words)
	if p.Kind == text.NotPlaced || p.Kind == text.Fuzzy && !near {
		return nil
	}
	return &p.Span
}

// locate settles where a claim stands in the answer. Given offsets are trusted where they hold the claim's words or
// where these stand nowhere (a claim may be put in other words); otherwise the words decide.
func (b *builder) locate(path string, c *ledger.Claim, l *locator) {
	words := strings.TrimSpace(c.Text)
	if c.Span == nil {
		if c.Span = l.exact(words); c.Span == nil {
			c.Span = l.tolerant(words, true)
		}
		if c.Span == nil {
			b.warn(path, "This claim's words were not found in the answer; it is shown without its place.")
		}
		return
	}
	if there := l.ruler.Slice(*c.Span); strings.TrimSpace(there) == words || text.Fold(there) == text.Fold(words) {
		l.from = l.ruler.Byte(c.Span.End)
		return
	}
	found := l.exact(words)
	if found == nil {
		found = l.tolerant(words, false)
	}
	if found != nil {
		b.warn(path+".start_offset", "The offsets point to other words; those of the claim were found elsewhere in the answer and used. Offsets count code points from 0, the end exclusive.")
		c.Span = found
	}
}
