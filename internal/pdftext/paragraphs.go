package pdftext

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// paragraphs joins lines into paragraphs and recognises headings by their size and weight.
func paragraphs(read []pageLines) []Page {
	pages := make([][]line, len(read))
	for i := range read {
		pages[i] = read[i].lines
	}
	body := bodySize(pages)
	levels := headingSizes(pages, body)
	out := make([]Page, len(pages))
	tables := 0
	for i, lines := range pages {
		p := &out[i]
		p.Hidden = read[i].hidden
		rows := tableRows(lines, &tables)
		pitch := linePitch(lines)
		for from := 0; from < len(lines); {
			to := from + 1
			_, isRow := rows[from]
			for to < len(lines) && !isRow && rows[to].table == 0 && !startsParagraph(&lines[to-1], &lines[to], pitch) && !ended(lines, to) {
				to++
			}
			text := joined(lines[from:to])
			p.Unmapped += strings.Count(text, string(utf8.RuneError))
			x := Paragraph{Text: text, Level: levelOf(lines[from:to], text, body, levels)}
			if row, ok := rows[from]; ok && to == from+1 && x.Level == 0 {
				x.Table, x.Cells = row.table, row.cells
			}
			p.Paragraphs = append(p.Paragraphs, x)
			from = to
		}
	}
	return out
}

// bodySize returns the font size that most characters have.
func bodySize(pages [][]line) (body float64) {
	sizes := map[float64]int{}
	for _, lines := range pages {
		for i := range lines {
			sizes[lines[i].size] += len(lines[i].text)
		}
	}
	most := 0
	for s, n := range sizes {
		if n > most || n == most && s < body {
			body, most = s, n
		}
	}
	return body
}

// headingSizes returns the font sizes of headings, largest first, at most four.
func headingSizes(pages [][]line, body float64) []float64 {
	var out []float64
	for _, lines := range pages {
		for i := range lines {
			if s := lines[i].size; s > 1.12*body && !slices.Contains(out, s) {
				out = append(out, s)
			}
		}
	}
	slices.SortFunc(out, func(a, b float64) int { return int(math.Copysign(1, b-a)) })
	return out[:min(len(out), 4)]
}

// longHeading is the longest heading, in characters.
const longHeading = 200

// levelOf returns a heading's level, 0 for body text.
func levelOf(lines []line, text string, body float64, levels []float64) int {
	l := &lines[0]
	if len(lines) > 3 || utf8.RuneCountInString(text) > longHeading || l.turn != 0 || !strings.ContainsFunc(text,
		isLetter) {
		return 0
	}
	if i := slices.Index(levels, l.size); i >= 0 {
		return i + 1
	}
	switch {
	case l.size > 1.12*body:
		return len(levels)
	case l.size >= 0.95*body && l.cells == 1 && allBold(lines) && !strings.HasSuffix(text, ".") &&
		!strings.HasSuffix(text, ":"):
		return min(len(levels)+1, 6)
	}
	return 0
}

func isLetter(r rune) bool { c := classOf(string(r)); return c == left || c == right }

func allBold(lines []line) bool {
	for i := range lines {
		if !lines[i].bold {
			return false
		}
	}
	return true
}

// linePitch returns the usual line spacing within a paragraph, in units of the font size: the lower quartile of all
// spacings.
func linePitch(lines []line) float64 {
	var all []float64
	for i := 1; i < len(lines); i++ {
		if d := (lines[i-1].y - lines[i].y) / lines[i].size; lines[i].size == lines[i-1].size && d > 0.7 && d < 3 {
			all = append(all, d)
		}
	}
	if len(all) == 0 {
		return 1.5
	}
	slices.Sort(all)
	return all[len(all)/4]
}

var item = regexp.MustCompile(`^[•▪‣◦●○]|^([-*+–]|\(?[0-9٠-٩]{1,3}[.)])(\s|$)`)

// startsParagraph reports whether a new paragraph begins at b, the line after a.
func startsParagraph(a, b *line, pitch float64) bool {
	d := (a.y - b.y) / max(b.size, 1)
	return a.turn != b.turn || math.Abs(a.size-b.size) > 0.08*a.size || a.bold != b.bold && (a.bold ||
		len(b.text) < 80) && d > 0 ||
		d < 0.5 || d > 1.25*pitch+0.05 || a.cells > 1 || b.cells > 1 || item.MatchString(string(b.text))
}

// ended reports whether the line before i ends its paragraph: it does if the first word of line i would have fitted
// after it. The column is as wide as the longest line nearby that begins at the same edge.
func ended(lines []line, i int) bool {
	a, b := &lines[i-1], &lines[i]
	edge := a.ends[1]
	for k := max(0, i-12); k < min(len(lines), i+12); k++ {
		if l := &lines[k]; l.turn == a.turn && math.Abs(l.ends[0]-a.ends[0]) < 0.5*a.size {
			edge = max(edge, l.ends[1])
		}
	}
	return a.ends[1]+0.3*a.size+b.first < edge-0.5*a.size
}

// joined returns a paragraph as one line. Words split at a soft hyphen are rejoined; other hyphens are kept.
func joined(lines []line) string {
	var b strings.Builder
	for i := range lines {
		s := string(lines[i].text)
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(s)
	}
	s := strings.ReplaceAll(b.String(), "\u00ad ", "")
	return strings.ReplaceAll(s, "\u00ad", "")
}
