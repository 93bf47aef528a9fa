package text

// Kind tells words from numbers.
type Kind int

// The two kinds of token.
const (
	Word Kind = iota
	Number
)

// Token is a word or a number of a text, with the forms under which it is compared.
type Token struct {
	Span
	Text string // as it stands in the text
	Norm string // folded; a number in ASCII without grouping: "1250.50", "15%"
	Stem string // English Snowball or Arabic light stem by script; Norm for anything else
	Kind Kind
	Stop bool // a function word that says nothing alone; negations, modals, quantifiers and limits are none
}

// Tokens splits s into words and numbers. Words keep inner apostrophes ("don't") and split at hyphens, so that
// "part-time" meets "part time"; a number keeps its grouping, decimals and a percent sign that touches it; an ordinal
// is its number ("14th" is 14), as is a decade ("1940s" is 1940); in a date in digits the month is compared by its
// name; a number and the letters that touch it are two tokens ("15kg"), a code is one ("A4", "7f2d"). Citation anchors
// ("[cite:a1b2c3d4]") are no content and give no tokens.
func Tokens(s string) []Token {
	d := newDigitDates(s)
	scan(s, func(p piece) {
		if t := p.token(s); t.Norm != "" {
			d.add(p, t.whole())
		}
	})
	d.close()
	return d.out
}

// Read returns what Tokens and Quantities give of s, in one go.
func Read(s string) ([]Token, []Quantity) {
	d, q := newDigitDates(s), newQuantifier(s)
	scan(s, func(p piece) {
		if t := p.token(s); t.Norm != "" {
			q.add(p, t.Norm)
			d.add(p, t.whole())
		}
	})
	d.close()
	return d.out, q.all()
}

// whole returns a token's stem and stop mark, which piece.token leaves out.
func (t Token) whole() Token {
	if t.Kind == Word {
		t.Stop = isStop(t.Norm)
		t.Stem = Stem(t.Norm)
	}
	return t
}

// token returns the piece its comparable forms, but the stem and stop mark of a word.
func (p piece) token(s string) Token {
	t := Token{Span: Span{p.startCP, p.endCP}, Text: s[p.start:p.end], Kind: p.kind}
	if p.kind == Number {
		t.Norm = p.normNumber(s)
		t.Stem = t.Norm
		return t
	}
	t.Norm = Fold(t.Text)
	return t
}
