package pack

import (
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

// maxDiff is the most words per side that are compared one by one; longer differences count as removed and added whole.
const maxDiff = 1500

// Diff compares two texts word by word: the kept and removed pieces joined are older, the kept and added ones newer.
func Diff(older, newer string) []Piece {
	a, b := tokens(older), tokens(newer)
	head := 0
	for head < min(len(a), len(b)) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < min(len(a), len(b))-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	var out pieces
	out.add(Kept, a[:head]...)
	out.middle(a[head:len(a)-tail], b[head:len(b)-tail])
	out.add(Kept, a[len(a)-tail:]...)
	return out
}

// tokens splits text into words, each with the white space after it.
func tokens(s string) []string {
	var out []string
	start, space := 0, false
	for i, r := range s {
		if now := unicode.IsSpace(r); now != space {
			if space {
				out = append(out, s[start:i])
				start = i
			}
			space = now
		}
	}
	if start < len(s) {
		out = append(out, s[start:])
	}
	return out
}

type pieces []Piece

func (p *pieces) add(op Op, words ...string) {
	text := strings.Join(words, "")
	if text == "" {
		return
	}
	if last := len(*p) - 1; last >= 0 && (*p)[last].Op == op {
		(*p)[last].Text += text
		return
	}
	*p = append(*p, Piece{op, text})
}

// middle adds the differences, along a longest common subsequence.
func (p *pieces) middle(a, b []string) {
	if len(a) > maxDiff || len(b) > maxDiff {
		p.add(Removed, a...)
		p.add(Added, b...)
		return
	}
	lengths := common(a, b)
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			p.add(Kept, a[i])
			i, j = i+1, j+1
		case lengths[i+1][j] >= lengths[i][j+1]:
			p.add(Removed, a[i])
			i++
		default:
			p.add(Added, b[j])
			j++
		}
	}
	p.add(Removed, a[i:]...)
	p.add(Added, b[j:]...)
}

// common returns the length of the longest common subsequence of a[i:] and b[j:] for each i and j.
func common(a, b []string) [][]uint16 {
	rows := make([][]uint16, len(a)+1)
	for i := range rows {
		rows[i] = make([]uint16, len(b)+1)
	}
	for i, x := range slices.Backward(a) {
		for j, y := range slices.Backward(b) {
			if rows[i][j] = max(rows[i+1][j], rows[i][j+1]); x == y {
				rows[i][j] = rows[i+1][j+1] + 1
			}
		}
	}
	return rows
}
