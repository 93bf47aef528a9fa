package ledger

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"sanad/internal/domain/text"
)

// Block is a heading, paragraph, list item, table or code block of a document.
type Block struct {
	Text  string // as in the document, including the white space after it
	Level int    // 0 for body text, 1 to 6 for a heading
	Page  int    // as printed, 0 when unknown
	Kind  PartKind
	Span  text.Span // in the document's text

	Scanned  bool           // see Chunk
	Doubtful []DoubtfulWord // likewise, in Text
}

// DoubtfulWord is a word of a chunk that was read from a picture and may have been read wrong. Stored and exported.
type DoubtfulWord struct {
	Start      int `json:"start"` // in the chunk's text, in code points
	End        int `json:"end"`
	Confidence int `json:"confidence"` // of OCR, from 0 to 100
}

// shifted returns doubtful words of a text that now begins at another place.
func shifted(list []DoubtfulWord, by int) []DoubtfulWord {
	out := slices.Clone(list)
	for i := range out {
		out[i].Start, out[i].End = out[i].Start+by, out[i].End+by
	}
	return out
}

// within returns the doubtful words of a part of a text. A word that is cut is doubtful in both parts.
func within(list []DoubtfulWord, start, end int) (out []DoubtfulWord) {
	for _, w := range list {
		if w.Start < end && w.End > start {
			out = append(out, DoubtfulWord{Start: max(w.Start, start) - start, End: min(w.End, end) - start,
				Confidence: w.Confidence})
		}
	}
	return out
}

// Doubts reports whether a span of a text has one of its doubtful words.
func Doubts(list []DoubtfulWord, span text.Span) bool {
	return slices.ContainsFunc(list, func(w DoubtfulWord) bool { return w.Start < span.End && span.Start < w.End })
}

// ParseBlocks divides plain or Markdown text into its blocks: ATX, setext and standalone numbered headings, paragraphs,
// list items, tables, and whole fenced code. The blocks tile doc: joined, their texts equal doc. page is the page of
// doc, offset the number of code points of the document before it.
func ParseBlocks(doc string, page, offset int) []Block {
	lines := splitLines(doc)
	var out []Block
	start := 0 // the first block includes the blank lines before it
	for i := 0; i < len(lines); {
		if lines[i].blank() {
			i++
			continue
		}
		n, level := blockAt(lines, i)
		end := i + n
		for end < len(lines) && lines[end].blank() {
			end++
		}
		out = append(out, joinLines(lines[start:end], level, page, &offset))
		i, start = end, end
	}
	return out
}

// joinLines makes a block of whole lines and moves offset behind it.
func joinLines(lines []line, level, page int, offset *int) Block {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.raw)
	}
	block := Block{Text: b.String(), Level: level, Page: page, Span: text.Span{Start: *offset}}
	*offset += text.Len(block.Text)
	block.Span.End = *offset
	return block
}

// line is one line of a document.
type line struct {
	raw  string // with its line end
	text string // trimmed
}

func (l line) blank() bool { return l.text == "" }

func splitLines(doc string) []line {
	var out []line
	for raw := range strings.Lines(doc) {
		out = append(out, line{raw, strings.TrimSpace(raw)})
	}
	return out
}

var (
	fencePattern  = regexp.MustCompile("^(`{3,}|~{3,})")
	atxPattern    = regexp.MustCompile(`^(#{1,6})([ \t].*)?$`)
	setextPattern = regexp.MustCompile(`^(={2,}|-{2,})$`)
	itemPattern   = regexp.MustCompile(`^([-*+•▪‣–]|[0-9٠-٩]{1,3}[.)]|\(?[a-zA-Zأ-ي]\)|\([0-9٠-٩ivx]{1,4}\))[ \t]`)
	rulePattern   = regexp.MustCompile(`^\|?[ :|-]*-[ :|-]*$`)
)

// blockAt returns the number of lines and the heading level of the block that begins at line i, which is not blank.
func blockAt(lines []line, i int) (n, level int) {
	first := lines[i].text
	if fence := fencePattern.FindString(first); fence != "" {
		return fenceLines(lines[i:], fence), 0
	}
	if m := atxPattern.FindStringSubmatch(first); m != nil {
		return 1, len(m[1])
	}
	if isTable(lines, i) {
		return tableLines(lines[i:]), 0
	}
	if i+1 < len(lines) && fresh(lines, i) && isSetext(first, lines[i+1].text) {
		if lines[i+1].text[0] == '=' {
			return 2, 1
		}
		return 2, 2
	}
	if level := numberedLevel(lines, i); level > 0 {
		return 1, level
	}
	return proseLines(lines, i), 0
}

// fresh reports whether line i may begin a block: it is the first, or follows a blank line or a heading.
func fresh(lines []line, i int) bool {
	return i == 0 || lines[i-1].blank() || atxPattern.MatchString(lines[i-1].text) ||
		setextPattern.MatchString(lines[i-1].text)
}

func isSetext(first, second string) bool {
	return setextPattern.MatchString(second) && !strings.Contains(first, "|") && !itemPattern.MatchString(first) &&
		utf8.RuneCountInString(first) <= maxHeading && strings.Trim(first, "-=*_ ") != ""
}

// fenceLines counts the lines of a fenced block up to its closing fence or the end.
func fenceLines(lines []line, fence string) int {
	for n := 1; n < len(lines); n++ {
		t := lines[n].text
		if strings.HasPrefix(t, fence) && strings.Trim(t, fence[:1]) == "" {
			return n + 1
		}
	}
	return len(lines)
}

// isTable reports whether a table begins at line i: a row with bars above a ruled line, or a row in bars.
func isTable(lines []line, i int) bool {
	return strings.HasPrefix(lines[i].text, "|") || isRuled(lines, i)
}

func tableLines(lines []line) int {
	n := 1
	for n < len(lines) && strings.Contains(lines[n].text, "|") {
		n++
	}
	return n
}

// proseLines counts the lines of a paragraph or list item: up to a blank line or the beginning of another block.
func proseLines(lines []line, i int) int {
	n := 1
	for i+n < len(lines) && !interrupts(lines, i+n) {
		n++
	}
	return n
}

// interrupts reports whether line i ends the paragraph above it.
func interrupts(lines []line, i int) bool {
	t := lines[i].text
	return t == "" || fencePattern.MatchString(t) || atxPattern.MatchString(t) || itemPattern.MatchString(t) ||
		isTable(lines, i) || numberedLevel(lines, i) > 0
}
