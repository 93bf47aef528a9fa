package importers

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"sanad/internal/domain/text"
)

// unit is the unit of a provider's offsets.
type unit int

const (
	codePoints unit = iota
	utf16Units
	utf8Bytes
)

// finder finds quoted words in one text. Given offsets are tried first, in each unit and with an inclusive or exclusive
// end, but count only if the words are there; otherwise the words are searched for.
type finder struct {
	text    string
	ruler   text.Ruler
	placer  *text.Placer
	astral  []int // positions of code points that are two UTF-16 units
	counted bool
	spend   *spend // shared by all texts of an import
}

// spend limits what an import may search, in bytes.
type spend struct{ exact, tolerant int }

func newSpend() *spend { return &spend{exact: 4 << 30, tolerant: 256 << 20} }

func newFinder(s string, sp *spend) *finder {
	return &finder{text: s, ruler: text.NewRuler(s), placer: text.NewPlacer(s), spend: sp}
}

// place returns the place of a quote.
func (w *finder) place(q quoted) text.Placement {
	if blank(q.words) {
		return text.Placement{Kind: text.NotPlaced}
	}
	if p := w.atNumbers(q); p.Kind != text.NotPlaced {
		return p
	}
	return w.search(q)
}

// atNumbers compares the quote with the text at the given offsets.
func (w *finder) atNumbers(q quoted) text.Placement {
	want, best := strings.TrimSpace(q.words), text.Placement{Kind: text.NotPlaced}
	if q.from == nil || q.to == nil {
		return best
	}
	folded := ""
	for _, in := range []unit{q.in, codePoints, utf16Units, utf8Bytes} {
		for _, more := range []int{0, 1} { // some providers give an inclusive end
			sp, ok := w.span(*q.from, *q.to+more, in)
			if !ok || sp.Len() > 4*len(q.words)+8 {
				continue
			}
			there := w.ruler.Slice(sp)
			if there == q.words || strings.TrimSpace(there) == want {
				return text.Placement{Kind: text.Exact, Span: w.trimmed(sp)}
			}
			if best.Kind == text.NotPlaced {
				if folded == "" {
					folded = text.Fold(want)
				}
				if folded != "" && text.Fold(there) == folded {
					best = text.Placement{Kind: text.Normalised, Span: w.trimmed(sp)}
				}
			}
		}
	}
	return best
}

// search looks for the words as they are, preferring the occurrence nearest to the given offset, and then tolerantly.
func (w *finder) search(q quoted) text.Placement {
	want := strings.TrimSpace(q.words)
	if w.spend.exact -= len(w.text); w.spend.exact < 0 {
		return text.Placement{Kind: text.NotPlaced}
	}
	if at := w.nearest(want, q.from); at >= 0 {
		return text.Placement{Kind: text.Exact,
			Span: text.Span{Start: w.ruler.Offset(at), End: w.ruler.Offset(at + len(want))}}
	}
	if w.spend.tolerant -= len(w.text) + len(want); w.spend.tolerant < 0 {
		return text.Placement{Kind: text.NotPlaced}
	}
	return w.placer.Place(want)
}

// nearest returns the byte offset of the occurrence of want nearest to a given code point, or the first one if near is
// nil; -1 if none.
func (w *finder) nearest(want string, near *int) int {
	best, from := -1, 0
	for n := 0; n < 1000; n++ {
		i := strings.Index(w.text[from:], want)
		if i < 0 || near == nil && best >= 0 {
			break
		}
		i += from
		if best < 0 || abs(w.ruler.Offset(i)-*near) < abs(w.ruler.Offset(best)-*near) {
			best = i
		}
		from = i + max(1, len(want))
	}
	return best
}

// span returns the code points that two offsets mean in a unit; false if they are out of range or inside a character.
func (w *finder) span(from, to int, in unit) (text.Span, bool) {
	start, ok1 := w.offset(from, in)
	end, ok2 := w.offset(to, in)
	return text.Span{Start: start, End: end}, ok1 && ok2 && start < end
}

func (w *finder) offset(n int, in unit) (int, bool) {
	if n < 0 {
		return 0, false
	}
	switch in {
	case utf8Bytes:
		return w.ruler.Offset(n), n == len(w.text) || n < len(w.text) && utf8.RuneStart(w.text[n])
	case utf16Units:
		w.count()
		before := sort.Search(len(w.astral), func(k int) bool { return w.astral[k]+k >= n })
		return n - before, n-before <= w.ruler.Len()
	}
	return n, n <= w.ruler.Len()
}

// count finds the code points that are two UTF-16 units, once.
func (w *finder) count() {
	if w.counted {
		return
	}
	w.counted = true
	if w.ruler.Len() == len(w.text) {
		return
	}
	n := 0
	for _, r := range w.text {
		if r > 0xFFFF {
			w.astral = append(w.astral, n)
		}
		n++
	}
}

// trimmed returns sp without white space at its ends.
func (w *finder) trimmed(sp text.Span) text.Span {
	s := w.ruler.Slice(sp)
	left := text.Len(s) - text.Len(strings.TrimLeftFunc(s, unicode.IsSpace))
	return text.Span{Start: sp.Start + left, End: sp.Start + left + text.Len(strings.TrimSpace(s))}
}

func blank(s string) bool { return strings.TrimSpace(s) == "" }

func abs(n int) int { return max(n, -n) }

// quoted is words with the offsets that the file states for them.
type quoted struct {
	words    string
	from, to *int
	in       unit
}
