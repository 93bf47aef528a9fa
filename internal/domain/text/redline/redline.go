// Package redline compares two versions of a text word by word.
package redline

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// Op says what happened to a piece of text.
type Op string

// The three operations.
const (
	Kept    Op = "kept"
	Added   Op = "added"
	Removed Op = "removed"
)

// Piece is a run of text that was kept, added or removed.
type Piece struct {
	Op   Op
	Text string
}

// Bounds of the work, in pairs of words that are compared: of one stretch between lines that both texts have, and of all
// stretches together. What is longer counts as removed and added whole.
const (
	maxStretch = 3000 * 3000
	maxAll     = 4 * maxStretch
)

// token is a word, or the punctuation before or after one, with the white space after it.
type token struct{ word, space string }

func (t token) text() string { return t.word + t.space }

// Compare compares two texts word by word: the kept and removed pieces joined are older, the kept and added ones newer.
// A word that only its punctuation or the white space after it changed is kept. coarse is true if a stretch of them was
// too long for that and stands as removed and added whole; its time is bounded whatever their length.
func Compare(older, newer string) (out []Piece, coarse bool) {
	c := comparison{left: maxAll}
	c.tokens(tokens(older), tokens(newer), c.lines)
	return c.out.close(), c.coarse
}

// comparison is one in progress.
type comparison struct {
	out    pieces
	left   int // pairs that may still be compared
	coarse bool
}

// tokens adds what two texts have in common at their beginning and end, and what middle adds between.
func (c *comparison) tokens(a, b []token, middle func(a, b []token)) {
	head := 0
	for head < min(len(a), len(b)) && a[head].word == b[head].word {
		head++
	}
	tail := 0
	for tail < min(len(a), len(b))-head && a[len(a)-1-tail].word == b[len(b)-1-tail].word {
		tail++
	}
	// a mark belongs to the word before it, which may have been kept further up
	for tail > 0 && strings.TrimFunc(b[len(b)-tail].word, isPunctuation) == "" {
		tail--
	}
	c.keep(a[:head], b[:head])
	middle(a[head:len(a)-tail], b[head:len(b)-tail])
	c.keep(a[len(a)-tail:], b[len(b)-tail:])
}

func (c *comparison) keep(a, b []token) {
	for i := range a {
		c.out.keep(a[i], b[i])
	}
}

// lines adds the differences of two stretches: those that are short by words, others between the lines that stand once
// in each of them.
func (c *comparison) lines(a, b []token) {
	if len(a)*len(b) <= maxStretch {
		c.words(a, b)
		return
	}
	i, j := 0, 0
	for _, x := range anchors(a, b) {
		c.tokens(a[i:x.a], b[j:x.b], c.words)
		c.keep(a[x.a:x.a+x.n], b[x.b:x.b+x.n])
		i, j = x.a+x.n, x.b+x.n
	}
	c.tokens(a[i:], b[j:], c.words)
}

// anchor is a line of n tokens that stands at a in the one text and at b in the other.
type anchor struct{ a, b, n int }

// anchors returns the longest series of lines, in the order of both texts, of those that stand once in each.
func anchors(a, b []token) []anchor {
	lines := map[string]*anchor{}
	for _, l := range linesOf(a) {
		if x := lines[l.text]; x != nil {
			x.n = 0 // more than once
			continue
		}
		lines[l.text] = &anchor{a: l.from, b: -1, n: l.n}
	}
	var all []*anchor
	for _, l := range linesOf(b) {
		switch x := lines[l.text]; {
		case x == nil || x.n == 0:
		case x.b >= 0:
			x.n = 0
		default:
			x.b = l.from
			all = append(all, x)
		}
	}
	return rising(slices.DeleteFunc(all, func(x *anchor) bool { return x.n == 0 }))
}

// rising returns the longest series of anchors, which are in the order of b, that is in the order of a too.
func rising(all []*anchor) []anchor {
	var tops []int // by length of a series the anchor that ends the one with the lowest end
	before := make([]int, len(all))
	for i, x := range all {
		n, _ := slices.BinarySearchFunc(tops, x.a, func(top, at int) int { return cmp.Compare(all[top].a, at) })
		if before[i] = -1; n > 0 {
			before[i] = tops[n-1]
		}
		if n == len(tops) {
			tops = append(tops, i)
		} else {
			tops[n] = i
		}
	}
	var out []anchor
	if len(tops) > 0 {
		for i := tops[len(tops)-1]; i >= 0; i = before[i] {
			out = append(out, *all[i])
		}
	}
	slices.Reverse(out)
	return out
}

// line is a sentence or a line of a text, by its first token.
type line struct {
	text    string
	from, n int
}

// linesOf splits tokens behind the marks that end a sentence, and where a line ends.
func linesOf(list []token) (out []line) {
	from := 0
	for i, t := range list {
		if i+1 < len(list) && !strings.ContainsAny(t.word, ".!?؟؛;:") && !strings.Contains(t.space, "\n") {
			continue
		}
		var s strings.Builder
		for _, t := range list[from : i+1] {
			s.WriteString(t.word)
			s.WriteByte(0)
		}
		out = append(out, line{s.String(), from, i + 1 - from})
		from = i + 1
	}
	return out
}

// tokens splits a text.
func tokens(s string) []token {
	var out []token
	for s != "" {
		end := cmp.Or(strings.IndexFunc(s, unicode.IsSpace)+1, len(s)+1) - 1
		word, rest := s[:end], s[end:]
		s = strings.TrimLeftFunc(rest, unicode.IsSpace)
		space := rest[:len(rest)-len(s)]
		core := strings.TrimLeftFunc(word, isPunctuation)
		if before := word[:len(word)-len(core)]; before != "" && core != "" {
			out = append(out, token{word: before})
			word = core
		}
		core = strings.TrimRightFunc(word, isPunctuation)
		if after := word[len(core):]; after != "" && core != "" {
			out = append(out, token{word: core})
			word = after
		}
		out = append(out, token{word, space})
	}
	return out
}

func isPunctuation(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) }

// pieces are those so far, the last one still open.
type pieces struct {
	list []Piece
	op   Op
	open strings.Builder
}

func (p *pieces) add(op Op, text string) {
	if text == "" {
		return
	}
	if op != p.op {
		p.close()
		p.op = op
	}
	p.open.WriteString(text)
}

func (p *pieces) close() []Piece {
	if p.open.Len() > 0 {
		p.list = append(p.list, Piece{p.op, p.open.String()})
		p.open.Reset()
	}
	return p.list
}

// keep adds a word that both texts have. Where the white space after it differs, that alone is a change.
func (p *pieces) keep(older, newer token) {
	p.add(Kept, older.word)
	if older.space == newer.space {
		p.add(Kept, older.space)
		return
	}
	p.add(Removed, older.space)
	p.add(Added, newer.space)
}

func (p *pieces) all(op Op, list []token) {
	for _, t := range list {
		p.add(op, t.text())
	}
}

// words adds the differences of two stretches, along a longest common subsequence.
func (c *comparison) words(a, b []token) {
	pairs := len(a) * len(b)
	if pairs > min(maxStretch, c.left) {
		c.out.all(Removed, a)
		c.out.all(Added, b)
		c.coarse = true
		return
	}
	c.left -= pairs
	lengths := common(a, b)
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i].word == b[j].word:
			c.out.keep(a[i], b[j])
			i, j = i+1, j+1
		case lengths[i+1][j] >= lengths[i][j+1]:
			c.out.add(Removed, a[i].text())
			i++
		default:
			c.out.add(Added, b[j].text())
			j++
		}
	}
	c.out.all(Removed, a[i:])
	c.out.all(Added, b[j:])
}

// common returns the length of the longest common subsequence of a[i:] and b[j:] for each i and j.
func common(a, b []token) [][]uint16 {
	rows := make([][]uint16, len(a)+1)
	for i := range rows {
		rows[i] = make([]uint16, len(b)+1)
	}
	for i, x := range slices.Backward(a) {
		for j, y := range slices.Backward(b) {
			if rows[i][j] = max(rows[i+1][j], rows[i][j+1]); x.word == y.word {
				rows[i][j] = rows[i+1][j+1] + 1
			}
		}
	}
	return rows
}

// Visible returns pieces without changes of white space alone: the newer text's is shown, as kept.
func Visible(all []Piece) []Piece {
	var out pieces
	for _, p := range all {
		if strings.TrimSpace(p.Text) == "" {
			if p.Op == Removed {
				continue
			}
			p.Op = Kept
		}
		out.add(p.Op, p.Text)
	}
	return out.close()
}

// Paragraph is the pieces of one line of the two texts.
type Paragraph []Piece

// Changed reports whether anything was added or removed.
func (p Paragraph) Changed() bool {
	return slices.ContainsFunc(p, func(x Piece) bool { return x.Op != Kept })
}

// Text is all of it, with what was removed.
func (p Paragraph) Text() string {
	var s strings.Builder
	for _, x := range p {
		s.WriteString(x.Text)
	}
	return s.String()
}

// Paragraphs splits pieces where a line ends. Empty lines are left out.
func Paragraphs(pieces []Piece) (out []Paragraph) {
	var open Paragraph
	for _, p := range pieces {
		for i, part := range strings.Split(p.Text, "\n") {
			if i > 0 && len(open) > 0 {
				out, open = append(out, open), nil
			}
			if strings.TrimSpace(part) != "" || len(open) > 0 && part != "" {
				open = append(open, Piece{p.Op, strings.TrimSuffix(part, "\r")})
			}
		}
	}
	if len(open) > 0 {
		out = append(out, open)
	}
	return out
}

// besideChange is how many unchanged paragraphs are shown on either side of a changed one.
const besideChange = 1

// Shown is one thing that a reader is shown of paragraphs: the one at At or, in the place of LeftOut unchanged ones from
// At on, how many they are.
type Shown struct{ At, LeftOut int }

// Fold leaves out unchanged paragraphs but for those beside a changed one.
func Fold(all []Paragraph) (out []Shown) {
	shown := make([]bool, len(all))
	for i, p := range all {
		if p.Changed() {
			for k := max(0, i-besideChange); k <= min(len(all)-1, i+besideChange); k++ {
				shown[k] = true
			}
		}
	}
	left := 0
	for i := range all {
		if !shown[i] {
			left++
			continue
		}
		if left > 0 {
			out, left = append(out, Shown{At: i - left, LeftOut: left}), 0
		}
		out = append(out, Shown{At: i})
	}
	if left > 0 {
		out = append(out, Shown{At: len(all) - left, LeftOut: left})
	}
	return out
}
