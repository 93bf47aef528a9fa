package text

import "strings"

// Kind distinguishes words from numbers.
type Kind int

// The two kinds of token.
const (
	Word Kind = iota
	Number
)

// Token is a word or a number in a text, with the forms that are compared.
type Token struct {
	Span
	Text string // as written in the text
	// Norm is the folded word. Of a number it is the spelling in ASCII without grouping: "1250.50", "15%". It tells
	// whether two are written alike; what a number says is read by package quantity alone.
	Norm string
	Stem string // English Snowball or Arabic light stem by script; Norm for any other script
	Kind Kind
	Stop bool // a function word without meaning of its own; negations, modals, quantifiers and limits are not
}

// Tokens splits s into words and numbers. Words keep inner apostrophes ("don't") and split at hyphens, so that
// "part-time" equals "part time". A number keeps its grouping, decimals and a percent sign that touches it. An ordinal
// is its number ("14th" is 14), as is a decade ("1940s" is 1940). A number and the letters that touch it are two tokens
// ("15kg"), a code is one ("A4", "7f2d"). Citation anchors ("[cite:a1b2c3d4]") are skipped.
func Tokens(s string) []Token { return AppendTokens(make([]Token, 0, roomFor(s)), s) }

// AppendTokens appends the Tokens of s to a list, whose room can so be used for many texts, one after another.
func AppendTokens(list []Token, s string) []Token {
	scan(s, func(p piece) {
		if t := p.token(s); t.Norm != "" {
			list = append(list, t.whole())
		}
	})
	return list
}

// roomFor returns how many tokens s most likely has: one for each space, and some more.
func roomFor(s string) int {
	spaces := strings.Count(s, " ")
	return spaces + spaces/8 + 2
}

// whole fills in a token's stem and stop mark, which piece.token leaves out.
func (t Token) whole() Token {
	if t.Kind == Word {
		t.Stop = isStop(t.Norm)
		t.Stem = Stem(t.Norm)
	}
	return t
}

// token returns the piece in its comparable forms, without the stem and stop mark of a word.
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
