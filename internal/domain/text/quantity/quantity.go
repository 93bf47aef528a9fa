package quantity

import (
	"strings"

	"sanad/internal/domain/text"
)

// Kind is what a figure says.
type Kind int

// The kinds of figure. Mark is a clause number at the head of a paragraph or a note's mark: no figure of its sentence.
const (
	Amount Kind = iota
	Day         // a date, whole or in part
	Clock       // a time of day
	Ordinal
	Identifier // what names a thing: a section, a version, a room, a code
	Mark
)

// Nearness is how exactly a figure is meant.
type Nearness int

// How exactly a figure is meant.
const (
	Exact    Nearness = iota
	About             // "about 67 million"
	Nearly            // "almost 70 million": not quite
	JustOver          // "just over 65 million"
)

// Quantity is one figure of a text.
type Quantity struct {
	text.Span           // of the figure with its unit
	Said      text.Span // the same, with the words and signs before it that belong to it: a bound, a sign, "about"
	Behind    text.Span // words behind it that do: "or more"; empty if none
	Apart     text.Span // the verb of its bound, if other words stand between: "لا تزيد … على"; empty if none
	Numeral   text.Span // the number of an amount by itself, without sign and unit; empty if none: "يومان"
	Kind      Kind
	// Value is an amount in Unit ("15%" is 0.15), a time of day in seconds, an ordinal's number.
	Value  Decimal
	Number Decimal // an amount as it is said, before it is turned into the base of its unit
	// Other is the second value that the figure may have: "12.500" is 12.5 or 12500. It is meant only if TwoWays is set.
	Other   Decimal
	TwoWays bool
	Unit    string // of an amount, as Units names it: "second", "month", "kg", "SAR", "%"; "" for a bare number
	Sort    string // which kind of a unit, if said: "working" days
	Vague   bool   // the unit may be another of its family: dollars, dinars, degrees
	Change  bool   // of basis points, words beside them say that they are a change and no rate: "rose by"
	Implied bool   // no number is written: "within a week"
	Bound   Bound
	// Deadline: the bound is the least time that is left before something: "until 24 hours before".
	Deadline bool
	Near     Nearness
	Link     Link   // to the figure before it
	Digits   string // as written, in ASCII, without grouping; "" for words
	Name     string // of an identifier, as it is compared; of a decimal that may be one ("Python 3.9"), its digits
	Label    string // of an identifier or an ordinal, what it numbers: "section"; "" if that is not said
	Date     Date   // of a day
	Raw      string // as written, with its unit, without a minus
	Of       string // stem of what a number without a unit counts: the word right after it ("30 dogs"); "" if none
	// Doubtful: a word of it was read from a picture and may have been read wrong, so that it is not compared (Doubt).
	Doubtful bool
}

// Doubt marks the figures of which a word is doubtful.
func Doubt(figures []Quantity, doubtful func(text.Span) bool) {
	for i := range figures {
		q := &figures[i]
		q.Doubtful = doubtful(q.Said) || q.Behind.Len() > 0 && doubtful(q.Behind)
		q.Date.Doubtful = q.Doubtful
	}
}

// Bound is the comparison that a figure is the limit of; NoBound for none.
type Bound string

// The bounds.
const (
	NoBound Bound = ""
	Less    Bound = "<"
	AtMost  Bound = "≤"
	More    Bound = ">"
	AtLeast Bound = "≥"
)

// IsLower reports whether the bound is a least value.
func (b Bound) IsLower() bool { return b == More || b == AtLeast }

// IsUpper reports whether the bound is a greatest value.
func (b Bound) IsUpper() bool { return b == Less || b == AtMost }

// IsOpen reports whether the bound leaves itself out: "more than", not "at least".
func (b Bound) IsOpen() bool { return b == Less || b == More }

// Turned returns the bound that holds where this one does not.
func (b Bound) Turned() Bound {
	switch b {
	case Less:
		return AtLeast
	case AtMost:
		return More
	case More:
		return AtMost
	case AtLeast:
		return Less
	}
	return b
}

// mirrored returns the bound on the other side.
func (b Bound) mirrored() Bound {
	switch b {
	case Less:
		return More
	case AtMost:
		return AtLeast
	case More:
		return Less
	case AtLeast:
		return AtMost
	}
	return b
}

// Link joins a figure to the one before it; the two are compared in their order.
type Link string

// The links.
const (
	NoLink Link = ""
	To     Link = "to" // a range, a score, a vote: "10–15", "5 to 4", "between 2 and 8"
	Ratio  Link = ":"
	Over   Link = "/" // "120/80"
	Times  Link = "×" // "3 × 4"
	Plus   Link = "±"
)

// InTurn reports whether a link says no more than that one figure stands against the other: 15:1 is 15 to 1.
func (l Link) InTurn() bool { return l == To || l == Ratio }

// IsYear reports whether the figure is a bare number written as years are.
func (q *Quantity) IsYear() bool {
	return q.Kind == Amount && q.Unit == "" && len(q.Digits) == 4 && !strings.ContainsAny(q.Raw, ",٬،' .") &&
		text.IsYear(q.Value.Float())
}

// IsMoney reports whether the figure is an amount of money.
func (q *Quantity) IsMoney() bool { return q.Kind == Amount && isCurrency(q.Unit) }

// IsFigure reports whether the figure says something that is compared.
func (q *Quantity) IsFigure() bool { return q.Kind != Mark }

// Read finds the figures of s, in their order, apart from each other.
func Read(s string) []Quantity { return ReadTokens(s, text.Tokens(s)) }

// ReadTokens is Read for a text whose text.Tokens are known.
func ReadTokens(s string, tokens []text.Token) []Quantity {
	if !anyFigure(tokens) {
		return nil
	}
	r := newReader(s, tokens)
	for i := 0; i < len(r.tokens); {
		i = r.next(i)
	}
	r.link()
	return r.out
}

// HasNumber reports whether s says a number: an amount, the number of a thing, a date with its month in words.
func HasNumber(s string) bool {
	for _, q := range Read(s) {
		switch q.Kind {
		case Amount:
			if !q.Implied {
				return true
			}
		case Identifier:
			if q.Digits != "" {
				return true
			}
		case Day:
			if q.Date.Worded || q.Date.Month == 0 {
				return true
			}
		}
	}
	return false
}

// Dates returns the whole dates among figures.
func Dates(figures []Quantity) (out []Date) {
	for i := range figures {
		if q := &figures[i]; q.Kind == Day && q.Date.IsWhole() {
			out = append(out, q.Date)
		}
	}
	return out
}

// Belongs reports whether a word says how the figure is meant and is not written in it: "at least", "أو أكثر".
func (q *Quantity) Belongs(word text.Span) bool {
	within := func(s text.Span) bool { return s.Start < word.End && word.Start < s.End }
	return !within(q.Span) && (within(q.Said) || within(q.Behind) || within(q.Apart))
}

// InText returns the span of all that belongs to the figure, if that is in one piece.
func (q *Quantity) InText() (span text.Span, whole bool) {
	if q.Behind.Len() == 0 {
		return q.Said, true
	}
	return text.Span{Start: q.Said.Start, End: q.Behind.End}, q.Behind.Start-q.Said.End <= 1
}
