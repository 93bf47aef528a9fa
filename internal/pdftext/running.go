package pdftext

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Part is where a paragraph stands that is no part of the running text.
type Part string

// The parts.
const (
	Body    Part = ""
	Head    Part = "header"  // at the top of many pages
	Foot    Part = "footer"  // at their end
	Remark  Part = "note"    // what somebody wrote on the page
	Comment Part = "comment" // what somebody remarked, in a window of its own
)

// What makes a running head or foot.
const (
	runningLines = 3   // so many lines at either end of a page may be
	runningGap   = 2.0 // white between them and the text, in units of the font size, from baseline to baseline
	runningShift = 3.0 // how much its place differs, in points
	runningPages = 4   // so many pages in a row suffice
	runningShare = 0.5 // of the pages otherwise
	titleShare   = 0.6 // of the pages, in a large type: a title of slides may go over some of them
)

// runningLine is a line at an end of a page.
type runningLine struct {
	at      int // its index
	key     string
	numbers []int
	y, gap  float64 // its place, and how far the next line is, in units of its size
}

// running returns which lines of each page are running heads and feet, and which of them say nothing but its number, by
// index. rows are the lines that are rows of tables.
func running(pages [][]line, rows []map[int]tableRow, body float64) (parts []map[int]Part, numbers []map[int]bool) {
	parts, numbers = make([]map[int]Part, len(pages)), make([]map[int]bool, len(pages))
	if len(pages) < 2 {
		return parts, numbers
	}
	for _, side := range []Part{Head, Foot} {
		ends := make([][]runningLine, len(pages))
		for i := range pages {
			ends[i] = pageEnd(pages[i], rows[i], side)
		}
		for i := range pages {
			n := 0 // so many are; what stands nearer to the text is text
			for k, l := range ends[i] {
				same := samePages(ends, i, &l)
				need := min(runningPages, max(2, int(math.Ceil(runningShare*float64(len(pages))))))
				if pages[i][l.at].size > 1.12*body {
					need = max(3, int(math.Ceil(titleShare*float64(len(pages)))))
				}
				if same < need {
					break
				}
				if l.gap >= runningGap {
					n = k + 1
				}
			}
			for _, l := range ends[i][:n] {
				if parts[i] == nil {
					parts[i], numbers[i] = map[int]Part{}, map[int]bool{}
				}
				parts[i][l.at], numbers[i][l.at] = side, len(l.numbers) > 0 && onlyNumber(l.key)
			}
		}
	}
	for i := range pages {
		if len(parts[i]) >= len(pages[i]) { // all of it
			parts[i], numbers[i] = nil, nil
		}
	}
	return parts, numbers
}

// pageEnd returns the lines at the top or at the bottom of a page, the outermost first.
func pageEnd(lines []line, rows map[int]tableRow, side Part) (out []runningLine) {
	var all []int
	for i := range lines {
		if lines[i].turn == 0 {
			all = append(all, i)
		}
	}
	slices.SortStableFunc(all, func(a, b int) int {
		if side == Foot {
			a, b = b, a
		}
		return cmp.Compare(lines[b].y, lines[a].y)
	})
	for k, i := range all[:min(len(all), runningLines)] {
		if rows[i].table > 0 {
			break
		}
		gap := math.Inf(1)
		if k+1 < len(all) {
			gap = math.Abs(lines[i].y-lines[all[k+1]].y) / max(lines[i].size, 1)
		}
		key, numbers := pattern(string(lines[i].text))
		out = append(out, runningLine{at: i, key: key, numbers: numbers, y: lines[i].y, gap: gap})
	}
	return out
}

// pattern returns a text with "#" for its numbers, and these.
func pattern(s string) (key string, numbers []int) {
	var b strings.Builder
	digits := ""
	flush := func() {
		if digits != "" {
			n, err := strconv.Atoi(digits)
			if err != nil {
				n = -1
			}
			numbers, digits = append(numbers, n), ""
			b.WriteByte('#')
		}
	}
	for _, r := range s {
		if v := digitValue(r); v >= 0 && len(digits) < 9 {
			digits += strconv.Itoa(v)
			continue
		}
		flush()
		b.WriteRune(r)
	}
	flush()
	return b.String(), numbers
}

func digitValue(r rune) int {
	switch {
	case r >= '0' && r <= '9':
		return int(r - '0')
	case r >= '٠' && r <= '٩':
		return int(r - '٠')
	case r >= '۰' && r <= '۹':
		return int(r - '۰')
	}
	return -1
}

// samePages counts the pages around page i that have the line too, with the same numbers or with that of the page.
func samePages(ends [][]runningLine, i int, l *runningLine) int {
	n := 1
	for _, step := range []int{-1, 1} {
		missed := 0
		for k := i + step; k >= 0 && k < len(ends) && missed < 2 && n < 50; k += step {
			if slices.ContainsFunc(ends[k], func(o runningLine) bool { return sameRunning(l, &o, k-i) }) {
				n++
				missed = 0
			} else {
				missed++ // left and right pages may differ
			}
		}
	}
	return n
}

func sameRunning(a, b *runningLine, pages int) bool {
	if a.key != b.key || math.Abs(a.y-b.y) > runningShift {
		return false
	}
	counted := false
	for i := range a.numbers {
		switch d := b.numbers[i] - a.numbers[i]; {
		case d == 0:
		case d == pages && !counted:
			counted = true
		default:
			return false
		}
	}
	return true
}

// pageWords are words beside the number of a page.
var pageWords = []string{"page", "pages", "p", "pg", "of", "صفحة", "الصفحة", "ص", "من", "seite", "von", "sur", "de"}

// onlyNumber reports whether a line says only which page it is on.
func onlyNumber(key string) bool {
	for _, w := range strings.FieldsFunc(strings.ToLower(key), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if !slices.Contains(pageWords, w) {
			return false
		}
	}
	return true
}
