package ledger

import (
	"strings"
	"unicode"

	"sanad/internal/domain/text"
)

// splitBlock divides a block into parts of at most limit code points that tile it: code and tables by lines, anything
// else by sentences, and longer ones by words.
func splitBlock(b Block, limit int) []Block {
	ruler := text.NewRuler(b.Text)
	part := func(start, end int) Block {
		b := b
		b.Text = ruler.Slice(text.Span{Start: start, End: end})
		b.Doubtful = within(b.Doubtful, start, end)
		b.Span = text.Span{Start: b.Span.Start + start, End: b.Span.Start + end}
		return b
	}
	var out []Block
	start := 0
	for _, end := range splitEnds(b.Text, limit) {
		for _, cut := range wordCuts([]rune(ruler.Slice(text.Span{Start: start, End: end})), limit) {
			out = append(out, part(start, start+cut.Len()))
			start += cut.Len()
		}
	}
	return out
}

// splitEnds returns the ends of the sentences or lines of a block's text, in code points; the last one is its length.
// The heads of a table stay with its first row, if both fit.
func splitEnds(s string, limit int) []int {
	var ends []int
	if head := tableHead(s, limit); head > 0 {
		n := 0
		for l := range strings.Lines(s) {
			if n += text.Len(l); n >= head {
				ends = append(ends, n)
			}
		}
		return ends
	}
	if t := strings.TrimSpace(s); strings.HasPrefix(t, "|") || fencePattern.MatchString(t) {
		n := 0
		for l := range strings.Lines(s) {
			n += text.Len(l)
			ends = append(ends, n)
		}
		return ends
	}
	sentences := text.Sentences(s)
	for i := 1; i < len(sentences); i++ {
		ends = append(ends, sentences[i].Start)
	}
	return append(ends, text.Len(s))
}

// tableHead returns the end of what stands together at the beginning of a table: caption, heads, rule and first row, or
// as many of these as fit; 0 if the text is no table.
func tableHead(s string, limit int) int {
	lines := splitLines(s)
	i := 0
	for i < len(lines) && lines[i].blank() {
		i++
	}
	heads := i
	if heads < len(lines) && !isRuled(lines, heads) {
		heads++
	}
	if heads >= len(lines) || !isRuled(lines, heads) || heads > i && !captionLine(lines, heads) {
		return 0
	}
	end := 0
	for k, l := range lines[:min(heads+3, len(lines))] {
		n := text.Len(l.raw)
		if k > i && text.Len(strings.TrimSpace(s[:min(len(s), byteLen(lines[:k+1]))])) > limit {
			break
		}
		end += n
	}
	return end
}

func byteLen(lines []line) (n int) {
	for _, l := range lines {
		n += len(l.raw)
	}
	return n
}

// wordCuts cuts a sentence of more than limit code points after the last white space that fits; if none, at
// the limit, but not between a letter and its marks.
func wordCuts(runes []rune, limit int) []text.Span {
	var out []text.Span
	for start := 0; start < len(runes); {
		end := len(runes)
		if end-start > limit {
			end = wordCut(runes, start, limit)
		}
		out = append(out, text.Span{Start: start, End: end})
		start = end
	}
	return out
}

// wordCut returns the end of the part that begins at start. Leading white space does not count towards the limit: it is
// trimmed from a chunk.
func wordCut(runes []rune, start, limit int) int {
	first := start
	for first < len(runes) && unicode.IsSpace(runes[first]) {
		first++
	}
	hard := first + limit
	if hard >= len(runes) {
		return len(runes)
	}
	for end := hard; end > first; end-- {
		if unicode.IsSpace(runes[end]) {
			return end
		}
	}
	for end := hard; end > hard-8 && end > first; end-- {
		if !unicode.IsMark(runes[end]) {
			return end
		}
	}
	return hard
}
