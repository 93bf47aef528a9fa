package claims

import (
	"bytes"
	"regexp"
)

// A Markdown parser takes time quadratic in its input where marks nest or stay open. So an answer is parsed in
// stretches of bounded length, cut where blocks end, and input that no person writes is read as plain text instead.
const (
	maxStretch = 32 << 10 // bytes parsed at a time
	maxMarkers = 20       // quotation and list marks before the text of a line
	maxMarks   = 500      // marks that open something, in one paragraph
	maxDepth   = 200      // blanks before the text of a line
)

// stretch is a part of an answer that is read by itself.
type stretch struct {
	src   []byte
	base  int  // where it begins in the answer
	plain bool // no Markdown: too long for one block, or hostile
}

// stretches cuts an answer and yields its parts in order.
func stretches(src []byte, yield func(stretch)) {
	from, to, plain := 0, 0, false
	flush := func() {
		if to > from {
			yield(stretch{src[from:to], from, plain})
		}
		from = to
	}
	for to < len(src) {
		n, hostile := nextBlock(src[to:])
		if hostile || plain || to+n-from > maxStretch {
			flush()
		}
		plain = hostile
		to += n
	}
	flush()
}

// nextBlock measures what must be parsed together: from the first line to a blank one after which a line is at the
// margin, outside fenced code. It also reports whether it cannot be parsed in bounded time.
func nextBlock(src []byte) (n int, hostile bool) {
	var fence []byte
	marks, blank := 0, false
	for n < len(src) {
		line := src[n:]
		if i := bytes.IndexByte(line, '\n'); i >= 0 {
			line = line[:i+1]
		}
		empty := len(bytes.TrimSpace(line)) == 0
		switch mark := fencePattern.Find(line); {
		case fence != nil:
			if mark = bytes.TrimSpace(mark); bytes.HasPrefix(mark, fence) && len(bytes.Trim(line, "`~ \t\r\n")) == 0 {
				fence = nil
			}
		case blank && !empty && line[0] != ' ' && line[0] != '\t':
			return n, hostile || n > maxStretch
		case mark != nil:
			fence = bytes.TrimSpace(mark)
		case empty || startsBlock(line):
			marks = 0
		}
		blank = empty && fence == nil
		marks += countMarks(line)
		hostile = hostile || fence == nil && (marks > maxMarks || tooDeep(line))
		n += len(line)
	}
	return n, hostile || n > maxStretch
}

var (
	fencePattern = regexp.MustCompile("^ {0,3}(```+|~~~+)")
	blockPattern = regexp.MustCompile(`^[ \t]*(#{1,6} |[-*+] |[0-9]{1,9}[.)] |\|)`)
)

// startsBlock reports whether a line ends the paragraph before it.
func startsBlock(line []byte) bool { return blockPattern.Match(line) }

// countMarks counts the marks that may open something. A table's cells are read one by one, so it counts none.
func countMarks(line []byte) (n int) {
	for _, c := range line {
		switch c {
		case '*', '_', '[', ']', '`', '~', '<':
			n++
		}
	}
	return n
}

// tooDeep reports whether a line opens more quotations and lists, or is indented further, than anyone writes.
func tooDeep(line []byte) bool {
	markers, blanks := 0, 0
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == ' ' || c == '\t':
			blanks++
		case c == '>' || c == '-' || c == '*' || c == '+' || c == '.' || c == ')':
			markers++
		case c >= '0' && c <= '9':
		default:
			return markers > maxMarkers || blanks > maxDepth
		}
	}
	return markers > maxMarkers && !rulePattern.Match(line) || blanks > maxDepth && markers > 0
}

// rulePattern is a line across the page.
var rulePattern = regexp.MustCompile(`^[ \t]*(-+|\*[* ]*|=+|\.+)[ \t\r]*\n?$`)
