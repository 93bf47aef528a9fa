package pack

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

// maxDiff is the most tokens per side that are compared one by one; longer differences count as removed and added
// whole.
const maxDiff = 3000

// token is a word, or the punctuation before or after one, with the white space after it.
type token struct{ word, space string }

func (t token) text() string { return t.word + t.space }

// Diff compares two texts word by word: the kept and removed pieces joined are older, the kept and added ones newer.
// A word that only its punctuation or the white space after it changed is kept.
func Diff(older, newer string) []Piece {
	a, b := tokens(older), tokens(newer)
	head := 0
	for head < min(len(a), len(b)) && a[head].word == b[head].word {
		head++
	}
	tail := 0
	for tail < min(len(a), len(b))-head && a[len(a)-1-tail].word == b[len(b)-1-tail].word {
		tail++
	}
	var out pieces
	for i := range head {
		out.keep(a[i], b[i])
	}
	out.middle(a[head:len(a)-tail], b[head:len(b)-tail])
	for i := range tail {
		out.keep(a[len(a)-tail+i], b[len(b)-tail+i])
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

type pieces []Piece

func (p *pieces) add(op Op, text string) {
	if text == "" {
		return
	}
	if last := len(*p) - 1; last >= 0 && (*p)[last].Op == op {
		(*p)[last].Text += text
		return
	}
	*p = append(*p, Piece{op, text})
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

// middle adds the differences, along a longest common subsequence.
func (p *pieces) middle(a, b []token) {
	if len(a) > maxDiff || len(b) > maxDiff {
		p.all(Removed, a)
		p.all(Added, b)
		return
	}
	lengths := common(a, b)
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i].word == b[j].word:
			p.keep(a[i], b[j])
			i, j = i+1, j+1
		case lengths[i+1][j] >= lengths[i][j+1]:
			p.add(Removed, a[i].text())
			i++
		default:
			p.add(Added, b[j].text())
			j++
		}
	}
	p.all(Removed, a[i:])
	p.all(Added, b[j:])
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
