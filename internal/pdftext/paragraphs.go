package pdftext

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// paragraphs joins lines into paragraphs and recognises headings by their size and weight. Running heads and feet are
// parts of their own: each is there once, and those that only count the pages are not.
func paragraphs(read []pageLines) []Page {
	pages := make([][]line, len(read))
	rows := make([]map[int]tableRow, len(read))
	tables := 0
	for i := range read {
		pages[i] = unwrapped(read[i].lines)
		rows[i] = tableRows(pages[i], &tables)
	}
	b := book{words: vocabularyOf(pages), body: bodySize(pages), said: map[string]bool{}}
	b.levels = headingSizes(pages, b.body)
	parts, numbers := running(pages, rows, b.body)
	out := make([]Page, len(read))
	for i := range read {
		b.page(&out[i], pages[i], rows[i], parts[i], numbers[i], read[i].aside)
		out[i].Hidden, out[i].Pictured = read[i].hidden, read[i].pictured
	}
	b.overPages(out)
	return out
}

// book is what is known of a whole file when its pages are made.
type book struct {
	words  vocabulary
	body   float64
	levels []float64
	said   map[string]bool // the running heads and feet
	sizes  [][]float64     // of the paragraphs of each page
}

// page makes the paragraphs of a page.
func (b *book) page(p *Page, all []line, rows map[int]tableRow, parts map[int]Part, numbers map[int]bool,
	notes []asideText) {
	var lines []line
	table := map[int]tableRow{}
	for i := range all {
		if parts[i] == Body {
			if row, ok := rows[i]; ok {
				table[len(lines)] = row
			}
			lines = append(lines, all[i])
		}
	}
	var sizes []float64
	add := func(x Paragraph, size float64) {
		p.Unmapped += strings.Count(x.Text, string(utf8.RuneError))
		p.Paragraphs, sizes = append(p.Paragraphs, x), append(sizes, size)
	}
	aside := func(side Part) {
		for i := range all {
			if text := string(all[i].text); parts[i] == side && !numbers[i] && !b.said[text] {
				b.said[text] = true
				add(Paragraph{Text: text, Part: side}, 0)
			}
		}
	}
	aside(Head)
	aside(Foot) // before the text, whose table may go on on the next page
	for _, a := range notes {
		if text := string(tidy([]rune(a.text))); text != "" {
			add(Paragraph{Text: text, Part: a.part}, 0)
		}
	}
	pitch := linePitch(lines, table)
	for from := 0; from < len(lines); {
		to := from + 1
		_, isRow := table[from]
		for to < len(lines) && !isRow && table[to].table == 0 && b.goesOn(lines, to, pitch) {
			to++
		}
		text := b.joined(lines[from:to])
		x := Paragraph{Text: text, Level: levelOf(lines[from:to], text, b.body, b.levels)}
		if lines[from].lattice > 0 {
			x.Level = 0
		}
		if isRow && x.Level == 0 {
			x.Table, x.Cells = table[from].table, table[from].cells
		}
		add(x, lines[from].size)
		from = to
	}
	b.sizes = append(b.sizes, sizes)
}

// goesOn reports whether line i goes on with the paragraph of the line before.
func (b *book) goesOn(lines []line, i int, pitch float64) bool {
	before, l := &lines[i-1], &lines[i]
	if before.turn == l.turn && before.cells == 1 && l.cells == 1 && math.Abs(before.size-l.size) <= 0.08*before.size &&
		before.bold == l.bold {
		d := (before.y - l.y) / max(l.size, 1)
		nextColumn := d < -2 && l.ends[0] > before.ends[0]
		if (nextColumn || d >= 0.5 && d <= 1.25*pitch+0.05 && brokenWord(before.text)) &&
			goesOn(string(before.text), string(l.text)) {
			return true
		}
	}
	return !startsParagraph(before, l, pitch) && !ended(lines, i)
}

// overPages moves the rest of a sentence that begins a page to where the sentence begins, at the end of the page
// before.
func (b *book) overPages(pages []Page) {
	for i := 1; i < len(pages); i++ {
		last, first := -1, -1
		for k := range pages[i-1].Paragraphs { // notes below the text are smaller
			if p := &pages[i-1].Paragraphs[k]; p.Part == Body && (last < 0 || b.sizes[i-1][k] >= 0.95*b.sizes[i-1][last]) {
				last = k
			}
		}
		for k := range pages[i].Paragraphs {
			if pages[i].Paragraphs[k].Part == Body {
				first = k
				break
			}
		}
		if last < 0 || first < 0 {
			continue
		}
		x, y := &pages[i-1].Paragraphs[last], &pages[i].Paragraphs[first]
		if x.Level+y.Level+x.Table+y.Table > 0 || math.Abs(b.sizes[i-1][last]-b.sizes[i][first]) > 0.08*b.sizes[i][first] ||
			!goesOn(x.Text, y.Text) {
			continue
		}
		n := sentenceEnd(y.Text)
		if n == 0 {
			continue
		}
		x.Text = b.words.unbroken(x.Text, y.Text[:n])
		if y.Text = strings.TrimSpace(y.Text[n:]); y.Text == "" {
			pages[i].Paragraphs = slices.Delete(pages[i].Paragraphs, first, first+1)
			b.sizes[i] = slices.Delete(b.sizes[i], first, first+1)
			pages[i].Moved = len(pages[i].Paragraphs) == 0
		}
	}
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

// The line spacing of a page with few lines.
const (
	usualPitch = 1.5
	fewPitches = 4
)

// linePitch returns the usual line spacing within a paragraph, in units of the font size: the lower quartile of all
// spacings, without those of tables.
func linePitch(lines []line, rows map[int]tableRow) float64 {
	var all []float64
	for i := 1; i < len(lines); i++ {
		if rows[i].table > 0 || rows[i-1].table > 0 {
			continue
		}
		if d := (lines[i-1].y - lines[i].y) / lines[i].size; lines[i].size == lines[i-1].size && d > 0.7 && d < 3 {
			all = append(all, d)
		}
	}
	if len(all) == 0 {
		return usualPitch
	}
	slices.Sort(all)
	if len(all) < fewPitches {
		return min(usualPitch, all[len(all)/4])
	}
	return all[len(all)/4]
}

var item = regexp.MustCompile(`^[•▪‣◦●○]|^([-*+–]|\(?[0-9٠-٩]{1,3}[.)])(\s|$)`)

// startsParagraph reports whether a new paragraph begins at b, the line after a.
func startsParagraph(a, b *line, pitch float64) bool {
	d := (a.y - b.y) / max(b.size, 1)
	return a.turn != b.turn || math.Abs(a.size-b.size) > 0.08*a.size || a.bold != b.bold && (a.bold ||
		len(b.text) < 80) && d > 0 ||
		d < 0.5 || d > 1.25*pitch+0.05 || a.cells > 1 || b.cells > 1 || item.MatchString(string(b.text)) ||
		sums(a, b)
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

// joined returns a paragraph as one line. A hyphen at the end of a line goes where it does not belong to the word.
func (b *book) joined(lines []line) string {
	s := string(lines[0].text)
	for i := 1; i < len(lines); i++ {
		next := string(lines[i].text)
		if brokenWord(lines[i-1].text) {
			s = b.words.unbroken(s, next)
		} else {
			s += " " + next
		}
	}
	s = strings.ReplaceAll(s, "\u00ad ", "")
	return strings.ReplaceAll(s, "\u00ad", "")
}
