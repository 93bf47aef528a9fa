package text

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// PlacementKind is how closely a quote matches its source.
type PlacementKind string

// The kinds of placement, best first.
const (
	Exact      PlacementKind = "exact"      // the same code points
	Normalised PlacementKind = "normalised" // the same after Fold
	Fuzzy      PlacementKind = "fuzzy"      // nearly the same words in order, or the parts of an elided quote
	NotPlaced  PlacementKind = "not_placed"
)

// Placement is where a quote is in its source, in code points of the source; the zero Span if it is not placed.
type Placement struct {
	Kind PlacementKind
	Span Span
}

// Place finds a quote in a source. It compares words only and does not judge what they support. For many quotes of one
// source use a Placer.
func Place(quote, source string) Placement { return NewPlacer(source).Place(quote) }

// Placer finds quotes in one source. It analyses the source once, when a quote first needs that. It is not safe for
// concurrent use.
type Placer struct {
	source string
	ruler  *Ruler
	folded string
	starts []int
	fold   *Ruler // of folded
	words  []Token
	ids    map[string]int // of the words' distinct norms
	norms  []int          // of each word
}

// NewPlacer returns a Placer for a source.
func NewPlacer(source string) *Placer { return &Placer{source: source} }

// Place finds the closest match of a quote, and of equal ones the first: exact, also without the quotation marks around
// the quote; else equal after Fold; else elided ("a … b") or fuzzy; else it is not placed. An empty quote is not
// placed.
func (p *Placer) Place(quote string) Placement {
	quote = strings.TrimFunc(quote, isTrim)
	bare := unquote(quote)
	if bare == "" {
		return Placement{Kind: NotPlaced}
	}
	for _, q := range []string{quote, bare} {
		if i := strings.Index(p.source, q); i >= 0 && onBoundary(p.source, i) && onBoundary(p.source, i+len(q)) {
			return Placement{Exact, p.sourceSpan(i, i+len(q))}
		}
	}
	folded := Fold(bare)
	if folded == "" {
		return Placement{Kind: NotPlaced}
	}
	p.needFold()
	if i := strings.Index(p.folded, folded); i >= 0 {
		return Placement{Normalised, p.foldedSpan(i, i+len(folded))}
	}
	if sp, ok := p.elided(folded); ok {
		return Placement{Fuzzy, sp}
	}
	if sp, ok := p.fuzzy(folded); ok {
		return Placement{Fuzzy, sp}
	}
	return Placement{Kind: NotPlaced}
}

func (p *Placer) sourceSpan(from, to int) Span {
	if p.ruler == nil {
		r := NewRuler(p.source)
		p.ruler = &r
	}
	return Span{p.ruler.Offset(from), p.ruler.Offset(to)}
}

func (p *Placer) needFold() {
	if p.fold == nil {
		p.folded, p.starts = FoldMap(p.source)
		r := NewRuler(p.folded)
		p.fold = &r
	}
}

// onBoundary reports whether byte i begins a code point of s or is its end; a quote of broken UTF-8 may match inside a
// code point.
func onBoundary(s string, i int) bool { return i == len(s) || utf8.RuneStart(s[i]) }

// foldedSpan maps bytes of the folded source back to code points of the source. A source code point that folds to
// several (ﷺ) is in the span as a whole.
func (p *Placer) foldedSpan(from, to int) Span {
	return p.mapBack(Span{p.fold.Offset(from), p.fold.Offset(to)})
}

func (p *Placer) mapBack(sp Span) Span {
	start, last := p.starts[sp.Start], p.starts[sp.End-1]
	end := p.starts[sp.End]
	if end <= last {
		later := p.starts[sp.End:]
		end = later[sort.SearchInts(later, last+1)%len(later)]
	}
	return Span{start, max(end, last+1)}
}

// unquote removes the quotation marks around a quote.
func unquote(s string) string {
	return strings.TrimFunc(s, func(r rune) bool { return isTrim(r) || strings.ContainsRune("\"“”„‟«»", r) })
}
