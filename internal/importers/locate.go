package importers

import (
	"index/suffixarray"
	"slices"
	"strings"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// locator finds claims in an answer. Claims are mostly in the answer's order and its own words, so the exact search
// first looks after the last match and then in an index. The index and the tolerant search have budgets: the tolerant
// search reads the whole answer each time, and words may occur in the answer a million times.
type locator struct {
	answer string
	ruler  text.Ruler
	placer *text.Placer       // of the answer without its marks; nil when the budget is used up
	n      int                // code points of the answer
	from   int                // byte offset after the last match
	budget int                // bytes that the tolerant search may still read
	room   int                // places of words that may still be stored
	index  *suffixarray.Index // of the answer; built when needed
	known  map[string][]int   // all places of words already found, in order
}

const (
	locateBudget = 64 << 20
	ahead        = 1024    // bytes after the last match that are searched without the index
	locateRoom   = 4 << 20 // places; used up by words that occur everywhere
)

func newLocator(answer string) *locator {
	r := text.NewRuler(answer)
	return &locator{
		answer: answer, ruler: r, placer: text.NewPlacer(unmarked(answer, r)), n: r.Len(), budget: locateBudget,
		room: locateRoom, known: map[string][]int{},
	}
}

// unmarked returns a Markdown answer with its citation anchors and the marks of emphasis and code replaced by spaces,
// one per code point, so that plain text of claims is found in it.
func unmarked(answer string, r text.Ruler) string {
	out := []byte(answer)
	for _, a := range ledger.Anchors(answer) {
		for i := r.Byte(a.Span.Start); i < r.Byte(a.Span.End); i++ {
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

// exact finds words as they are, first after the last match.
func (l *locator) exact(words string) *text.Span {
	at := strings.Index(l.answer[l.from:min(l.from+ahead+len(words), len(l.answer))], words)
	if at >= 0 {
		at += l.from
	} else {
		places := l.places(words)
		if len(places) == 0 {
			return nil
		}
		i, _ := slices.BinarySearch(places, l.from)
		at = places[i%len(places)] // the first one after the last match, else the first of all
	}
	l.from = at + len(words)
	return &text.Span{Start: l.ruler.Offset(at), End: l.ruler.Offset(l.from)}
}

// places returns all byte offsets of words in order, none if the budget is used up.
func (l *locator) places(words string) []int {
	if found, ok := l.known[words]; ok {
		return found
	}
	if l.index == nil {
		l.index = suffixarray.New([]byte(l.answer))
	}
	if l.room < 0 {
		return nil
	}
	found := l.index.Lookup([]byte(words), l.room+1)
	if l.room -= len(found); l.room < 0 {
		return nil
	}
	if len(found) == 0 {
		return nil // looking once more takes less than remembering, for an answer of a million letters
	}
	slices.Sort(found)
	l.known[words] = found
	return found
}

// tolerant finds words that differ in case, punctuation or spacing; near also allows a few other words.
func (l *locator) tolerant(words string, near bool) *text.Span {
	if l.budget -= len(l.answer) + len(words); l.budget < 0 {
		l.placer = nil // it takes many times the answer
		return nil
	}
	p := l.placer.Place(words)
	if p.Kind == text.NotPlaced || p.Kind == text.Fuzzy && !near {
		return nil
	}
	return &p.Span
}
