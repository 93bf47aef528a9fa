package pdftext

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"
	"golang.org/x/text/unicode/norm"
)

// class is the direction class of a glyph's characters.
type class uint8

const (
	neutral class = iota
	left          // letters read from left to right
	right         // letters read from right to left
	digit
	space
)

func classOf(s string) class {
	for _, r := range s {
		p, _ := bidi.LookupRune(r)
		switch p.Class() {
		case bidi.L:
			return left
		case bidi.R, bidi.AL:
			return right
		case bidi.EN, bidi.AN:
			return digit
		case bidi.WS, bidi.S, bidi.B:
			return space
		}
		if r == utf8.RuneError {
			return neutral
		}
	}
	return neutral
}

// inOrder puts the glyphs of a line of direction d, sorted from left to right, into reading order: the bidirectional
// algorithm (UAX #9, rule L2) in reverse.
func inOrder(g []glyph, d class) []glyph {
	classes := make([]class, len(g))
	for i := range g {
		classes[i] = classOf(g[i].text)
	}
	if d == right {
		return fromRight(g, classes)
	}
	return fromLeft(g, classes)
}

// directions returns the reading direction of each line. arabic is the direction of most of the page, for lines with
// both scripts. A line without Arabic letters ("2022." may end either kind of paragraph) is read from the right if it
// continues, or is continued by, a line that is.
func directions(rows []visual, arabic bool) []class {
	out := make([]class, len(rows))
	for i := range rows {
		rights, lefts := 0, 0
		for _, g := range rows[i].glyphs {
			switch classOf(g.text) {
			case right:
				rights++
			case left:
				lefts++
			}
		}
		switch {
		case rights > 0 && (lefts == 0 || arabic || rights > lefts):
			out[i] = right
		case rights > 0:
			out[i] = left
		}
	}
	for i := range rows {
		if out[i] != neutral {
			continue
		}
		if i > 0 && out[i-1] == right && sharesRight(&rows[i-1], &rows[i]) || i+1 < len(rows) && out[i+1] == right &&
			sharesRight(&rows[i], &rows[i+1]) {
			out[i] = right
		}
	}
	return out
}

// farLine is the largest distance between the baselines of a paragraph, in units of their font size.
const farLine = 2.5

// sharesRight reports whether b is directly below a and closer to its right edge than to its left one, like the lines
// of a right-to-left paragraph.
func sharesRight(a, b *visual) bool {
	af, al := a.edges()
	bf, bl := b.edges()
	size := af.size
	d := af.y - bf.y
	return a.turn == b.turn && math.Abs(af.size-bf.size) < 0.08*size && d > 0.5*size && d < farLine*size &&
		math.Abs(al.x+al.w-bl.x-bl.w)+0.5*size < math.Abs(af.x-bf.x)
}

// fromRight orders a line that is read from the right: it reverses the whole line, then reverses numbers and Latin
// words again.
func fromRight(g []glyph, c []class) []glyph {
	out := make([]glyph, 0, len(g))
	for i := len(g); i > 0; {
		from := stretch(c, g, i)
		if from == i-1 {
			out = append(out, g[from])
		} else {
			out = append(out, g[from:i]...)
		}
		i = from
	}
	return rising(percents(out))
}

// fromLeft orders a line that is read from the left, by reversing the right-to-left words in it.
func fromLeft(g []glyph, c []class) []glyph {
	var out []glyph
	for i := 0; i < len(g); {
		if c[i] != right {
			out = append(out, g[i])
			i++
			continue
		}
		end := i + 1
		for k := i; k < len(g) && c[k] != left; k++ {
			if c[k] == right {
				end = k + 1
			}
		}
		out = append(out, fromRight(g[i:end], c[i:end])...)
		i = end
	}
	return out
}

// stretch returns the start of the left-to-right words that end before end: Latin words with the numbers after them, or
// a number. If there are none, it returns end-1.
func stretch(c []class, g []glyph, end int) int {
	from := end - 1
	if c[from] != left && c[from] != digit {
		return from
	}
	latin := -1 // index of the first Latin letter before end, with no right-to-left letter in between
	for k := from; k >= 0 && c[k] != right; k-- {
		if c[k] == left {
			latin = k
		}
	}
	joiners := joinersIn(g)
	number := from
	for number > 0 && c[from] == digit && (c[number-1] == digit || number > 1 &&
		strings.Contains(joiners, g[number-1].text) && c[number-2] == digit) {
		number--
	}
	if latin < 0 {
		return number
	}
	if c[from] == digit && latin > from {
		return number
	}
	for latin > 0 && c[latin-1] == digit { // "4G"
		latin--
	}
	return latin
}

// joinersIn returns what joins the parts of a number in a line: 14/2023, 7.5, 09:30. After Arabic letters a hyphen does
// not (UAX #9, rules W2 and W4): there a range is written from right to left, as people read it; after Hebrew ones it
// does.
func joinersIn(g []glyph) string {
	for i := range g {
		for _, r := range g[i].text {
			if unicode.Is(unicode.Hebrew, r) {
				return "./,:-"
			}
		}
	}
	return "./,:٫٬"
}

// isJoiner reports whether s joins the parts of a number, in a line of any script.
func isJoiner(s string) bool { return len(s) > 0 && strings.Contains("./,:-٫٬–", s) }

// longNumber is the fewest digits of the numbers of a range that is taken to rise, such as years: 5-2 may be a clause.
const longNumber = 3

// rising puts the numbers of a range in the order in which it rises, if both are as long: an author may have written it
// so that it stands the other way round than those that UAX #9 places, and the file does not say so.
func rising(g []glyph) []glyph {
	isDigit := func(i int) bool { return i >= 0 && i < len(g) && classOf(g[i].text) == digit }
	joined := func(i, beyond int) bool { return i >= 0 && i < len(g) && isJoiner(g[i].text) && isDigit(beyond) }
	for i := 0; i+1 < len(g); i++ {
		if !isDigit(i) || isDigit(i-1) || joined(i-1, i-2) {
			continue
		}
		dash := i
		for isDigit(dash) {
			dash++
		}
		end := dash + 1
		for isDigit(end) {
			end++
		}
		n := dash - i
		if n < longNumber || end-dash-1 != n || joined(end, end+1) || !strings.Contains("-–—", g[dash].text) {
			continue
		}
		if first, second := slices.Clone(g[i:dash]), slices.Clone(g[dash+1:end]); textOf(first) > textOf(second) {
			copy(g[i:], second)
			copy(g[dash+1:], first)
		}
		i = end - 1
	}
	return g
}

func textOf(g []glyph) string {
	var b strings.Builder
	for i := range g {
		b.WriteString(g[i].text)
	}
	return b.String()
}

// percents moves the percent sign after its number: programs differ in which side they put it on in an Arabic line.
func percents(g []glyph) []glyph {
	for i := 0; i+1 < len(g); i++ {
		if !strings.ContainsAny(g[i].text, "%٪") || classOf(g[i+1].text) != digit || i > 0 &&
			classOf(g[i-1].text) == digit {
			continue
		}
		end := i + 1
		for end < len(g) && (classOf(g[end].text) == digit || isJoiner(g[end].text) && end+1 < len(g) &&
			classOf(g[end+1].text) == digit) {
			end++
		}
		sign := g[i]
		copy(g[i:end-1], g[i+1:end])
		g[end-1] = sign
		i = end - 1
	}
	return g
}

var mirrored = strings.NewReplacer("(", ")", ")", "(", "[", "]", "]", "[", "{", "}", "}", "{", "«", "»", "»", "«", "‹",
	"›", "›", "‹", "<", ">", ">", "<")

// mirror swaps the brackets of Arabic lines if the file encodes them by their look rather than by their meaning. It
// chooses the variant in which fewer brackets close without having been opened. directions are those of the lines.
func mirror(rows [][]glyph, directions []class) {
	wrong, wrongTurned := 0, 0
	var at []*glyph
	for n, row := range rows {
		near := neutral // direction of the last letter
		if directions[n] == right {
			near = right
		}
		depth, turned := 0, 0
		arabic := true // whether the bracket before was in Arabic text
		for i := range row {
			c := classOf(row[i].text)
			if c == left || c == right {
				near = c
			}
			open, shut := strings.ContainsAny(row[i].text, "([{«‹"), strings.ContainsAny(row[i].text, ")]}»›")
			if !open && !shut || utf8.RuneCountInString(row[i].text) > 1 {
				continue
			}
			next := ahead(row[i+1:])
			if next == neutral && arabic { // no letter follows: the bracket takes the line's direction
				next = directions[n]
			}
			if arabic = near == right || next == right; !arabic {
				continue
			}
			at = append(at, &row[i])
			if open {
				depth, turned = depth+1, turned-1
			} else {
				depth, turned = depth-1, turned+1
			}
			wrong, wrongTurned = wrong+min(1, max(0, -depth)), wrongTurned+min(1, max(0, -turned))
		}
	}
	if wrongTurned < wrong {
		for _, g := range at {
			g.text = mirrored.Replace(g.text)
		}
	}
}

// ahead returns the direction of the next letter.
func ahead(row []glyph) class {
	for i := range row {
		if c := classOf(row[i].text); c == left || c == right {
			return c
		}
	}
	return neutral
}

// tidy returns the text in NFC, without presentation forms and controls, with white space trimmed and collapsed.
func tidy(r []rune) []rune {
	var b strings.Builder
	for _, c := range r {
		switch {
		case c >= 0xfb00 && c <= 0xfb06, c >= 0xfb1d && c <= 0xfdff, c >= 0xfe70 && c <= 0xfefc:
			b.WriteString(strings.TrimPrefix(norm.NFKC.String(string(c)), " "))
		case c == '\u00ad':
			b.WriteRune(c)
		case unicode.IsSpace(c) || c == '\u00a0':
			b.WriteByte(' ')
		case unicode.Is(unicode.Cf, c) && c != '\u200c' && c != '\u200d', unicode.IsControl(c):
		default:
			b.WriteRune(c)
		}
	}
	return []rune(norm.NFC.String(strings.Join(strings.Fields(b.String()), " ")))
}
