package text

import (
	"strings"
	"unicode"
)

// Quotation is a passage of a Markdown text that is given as somebody else's words.
type Quotation struct {
	Span         // of the words, without the marks around them
	Words string // the words on one line, without the marks of a Markdown quote
	Cited bool   // a citation follows it directly
}

// The least length of what counts as a quotation by itself. Shorter ones need a reporting verb or a citation.
const (
	quotationWords   = 4
	quotationLetters = 15
	letteredWords    = 3    // fewer are a term, however long
	singleWords      = 4    // of ‘…’, whose marks are apostrophes too
	maxQuotation     = 4000 // code points; a mark that is not closed within them opens nothing
)

// Quotations returns the quotations of a Markdown answer, in order: in «…», “…”, „…“, "…", ‘…’ or a Markdown quote.
// Left out are terms, titles, labels, questions, and words of which the sentence says that they are not in the source.
func Quotations(s string) []Quotation {
	q := quoteFinder{r: []rune(s)}
	for i := 0; i < len(q.r); {
		i = q.line(i)
	}
	return q.out
}

type quoteFinder struct {
	r       []rune
	fenced  bool
	out     []Quotation
	endedAt Span // the last answer of lineEnd, and from where it was asked
	// ranges without a mark that closes what a rune opens or, under 0, without an end of a paragraph. The next search
	// goes on behind them, so that many marks which open and never close take linear time.
	searched map[rune]Span
}

// from returns where a search from place i goes on, behind what was searched under key.
func (q *quoteFinder) from(key rune, i int) int {
	if p, ok := q.searched[key]; ok && p.Start <= i && i <= p.End {
		return p.End
	}
	return i
}

// noteSearched notes that nothing under key is between two places.
func (q *quoteFinder) noteSearched(key rune, from, to int) {
	if q.searched == nil {
		q.searched = map[rune]Span{}
	}
	if p, ok := q.searched[key]; ok && p.Start <= from && from <= p.End {
		from = p.Start
	}
	q.searched[key] = Span{from, to}
}

// line reads the line at i and returns the place after it, or after the block or quotation that begins in it.
func (q *quoteFinder) line(i int) int {
	end := q.lineEnd(i)
	start := q.content(i, end)
	switch {
	case start+3 <= end && (string(q.r[start:start+3]) == "```" || string(q.r[start:start+3]) == "~~~"):
		q.fenced = !q.fenced
	case q.fenced:
	case start < end && q.r[start] == '>':
		return q.block(i)
	default:
		for j := start; j < end; {
			j = q.mark(j)
			end = max(end, q.lineEnd(min(j, len(q.r))))
		}
	}
	return min(end+1, max(len(q.r), 1))
}

// lineEnd returns the end of the line that contains i. It is asked at every mark, and a line may have a million
// letters, so the last answer is kept.
func (q *quoteFinder) lineEnd(i int) int {
	if q.endedAt.Start <= i && i <= q.endedAt.End && q.endedAt.End > 0 {
		return q.endedAt.End
	}
	q.endedAt.Start = i
	for i < len(q.r) && q.r[i] != '\n' {
		i++
	}
	q.endedAt.End = i
	return i
}

// content returns where a line's text begins, after up to three spaces.
func (q *quoteFinder) content(i, end int) int {
	for n := 0; n < 3 && i < end && q.r[i] == ' '; n++ {
		i++
	}
	return i
}

// block reads a Markdown quote and returns the place after it. A note or tip that is only set as a quote is none, nor
// is the line that names who said it.
func (q *quoteFinder) block(i int) int {
	var lines []string
	span := Span{Start: -1}
	at := i
	for at < len(q.r) {
		end := q.lineEnd(at)
		start := q.content(at, end)
		if start >= end || q.r[start] != '>' {
			break
		}
		for start < end && (q.r[start] == '>' || isTrim(q.r[start])) {
			start++
		}
		if line := strings.TrimSpace(string(q.r[start:end])); line != "" && !isAttribution(line, len(lines)) {
			if span.Start < 0 {
				span.Start = start
			}
			lines, span.End = append(lines, line), start+Len(strings.TrimRight(string(q.r[start:end]), " \t\r"))
		}
		at = end + 1
	}
	words := strings.Join(lines, " ")
	if len(lines) > 0 && !isLabelled(words) && isLong(words) && !q.denied(q.before(i)) {
		q.out = append(q.out, Quotation{Span: span, Words: words, Cited: q.citedAt(span.End)})
	}
	return max(at, i+1)
}

// isAttribution reports whether a later line of a Markdown quote names who said it: "— Maria Lindqvist".
func isAttribution(line string, before int) bool {
	return before > 0 && strings.IndexFunc(line, func(r rune) bool { return r == '—' || r == '–' || r == '―' }) == 0
}

// isLabelled reports whether a Markdown quote begins with a label: "**Note:** …", "[!TIP]".
func isLabelled(s string) bool {
	if strings.HasPrefix(s, "[!") {
		return true
	}
	label, _, ok := strings.Cut(s, ":")
	return ok && strings.HasPrefix(label, "**") && len(strings.Fields(label)) <= 3
}

// mark looks for a quotation that opens at i and returns the place to go on at.
func (q *quoteFinder) mark(i int) int {
	c := q.r[i]
	if c == '`' {
		return max(i+1, q.closing(i, "`", q.lineEnd(i))+1)
	}
	closers := closersOf[c]
	if closers == "" || !q.opens(i) {
		return i + 1
	}
	end := q.closing(i, closers, q.paragraphEnd(i))
	if end < 0 {
		return i + 1
	}
	if sp := q.trimmed(Span{i + 1, end}); sp.Len() > 0 {
		words := strings.Join(strings.Fields(string(q.r[sp.Start:sp.End])), " ")
		if c == '‘' && countTokens(words) < singleWords {
			return end + 1
		}
		if q.counts(i, end, words) {
			q.out = append(q.out, Quotation{Span: sp, Words: words, Cited: q.citedAt(end + 1)})
		}
	}
	return end + 1
}

// closersOf has the marks that close what a mark opens. Arabic texts are often typed with the curly marks exchanged.
var closersOf = map[rune]string{
	'«': "»", '“': "”“\"", '”': "“”\"", '„': "“”\"", '‟': "”“\"", '"': "\"", '‘': "’",
}

// opens reports whether the mark at i may open a quotation: a word follows it, and none stands before it but an Arabic
// prefix. A straight mark after a digit is a measure in inches.
func (q *quoteFinder) opens(i int) bool {
	if i+1 >= len(q.r) || q.r[i] != '«' && isTrim(q.r[i+1]) {
		return false
	}
	if i == 0 || !isInWord(q.r[i-1]) || q.r[i] == '«' {
		return true
	}
	prefix := i - 1
	for prefix >= 0 && i-1-prefix <= 2 && isInWord(q.r[prefix]) {
		prefix--
	}
	return strings.ContainsRune("وبلكفـ", q.r[i-1]) && i-1-prefix <= 2
}

// closing returns the place of the mark that closes what i opened, before limit; -1 if none.
func (q *quoteFinder) closing(i int, closers string, limit int) int {
	limit = min(limit, i+maxQuotation)
	j := q.from(q.r[i], i+1)
	for ; j < limit; j++ {
		if !strings.ContainsRune(closers, q.r[j]) {
			continue
		}
		if q.r[i] == '«' || q.r[i] == '`' || j+1 >= len(q.r) || !isInWord(q.r[j+1]) {
			break
		}
	}
	q.noteSearched(q.r[i], i+1, j)
	if j < limit {
		return j
	}
	return -1
}

// paragraphEnd returns the end of the paragraph that contains i, or a place after which no quotation that begins at i
// is closed.
func (q *quoteFinder) paragraphEnd(i int) int {
	at := q.from(0, i)
	for most := min(i+maxQuotation, len(q.r)); at < most; at++ {
		if q.r[at] == '\n' && q.content(at+1, q.lineEnd(at+1)) == q.lineEnd(at+1) {
			break
		}
	}
	q.noteSearched(0, i, at)
	return at
}

func (q *quoteFinder) trimmed(sp Span) Span {
	for sp.Start < sp.End && isTrim(q.r[sp.Start]) {
		sp.Start++
	}
	for sp.End > sp.Start && isTrim(q.r[sp.End-1]) {
		sp.End--
	}
	return sp
}

// contextLength is how much of a sentence is read on each side of a quotation.
const contextLength = 120

// before returns the tokens of the sentence in front of place i, over a line break after a colon too.
func (q *quoteFinder) before(i int) context {
	end := i
	for end > 0 && unicode.IsSpace(q.r[end-1]) {
		end--
	}
	colon := end > 0 && (q.r[end-1] == ':' || q.r[end-1] == '：')
	if !colon {
		end = i
	}
	start := end
	for start > 0 && end-start < contextLength && !isSentenceStop(q.r, start-1) {
		start--
	}
	return newContext(string(q.r[start:end]), colon)
}

// after returns the tokens of the sentence behind place i.
func (q *quoteFinder) after(i int) context {
	end := i
	for end < len(q.r) && end-i < contextLength && !isSentenceStop(q.r, end) {
		end++
	}
	return newContext(string(q.r[min(i, len(q.r)):end]), false)
}

func isSentenceStop(r []rune, i int) bool {
	return r[i] == '\n' || isTerminator(r[i]) && (i+1 >= len(r) || unicode.IsSpace(r[i+1]))
}

// citedAt reports whether a citation stands at place i, after closing marks and blanks.
func (q *quoteFinder) citedAt(i int) bool {
	for i < len(q.r) && strings.ContainsRune(" \t.,;:!?،؛؟)\"”»", q.r[i]) {
		i++
	}
	rest := string(q.r[min(i, len(q.r)):min(i+8, len(q.r))])
	if strings.HasPrefix(strings.ToLower(rest), "[cite:") || strings.HasPrefix(rest, "【") {
		return true
	}
	return len(rest) > 2 && rest[0] == '[' && (rest[1] == '^' || isDigit([]rune(rest)[1])) ||
		strings.IndexAny(rest, "¹²³⁴⁵⁶⁷⁸⁹") == 0
}

// isLong reports whether words are many enough to be a quotation by themselves.
func isLong(words string) bool {
	letters := 0
	for _, r := range words {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	n := countTokens(words)
	return len(strings.Fields(words)) > 1 && (n >= quotationWords || n >= letteredWords && letters >= quotationLetters)
}
