package quantity

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"sanad/internal/domain/text"
)

// reader reads the tokens of s in order. Notes' marks are taken out of the tokens.
type reader struct {
	s       string
	ruler   text.Ruler
	tokens  []text.Token
	gaps    []string // what is written before each token, without notes' marks; one more for the end
	out     []Quantity
	free    int // the first code point that no figure has
	factors []factorOf
}

// anyFigure reports whether a text may have a figure, so that most texts cost no more than a look at their words.
func anyFigure(tokens []text.Token) bool {
	for i := range tokens {
		if t := &tokens[i]; t.Kind == text.Number || begins(t) {
			return true
		}
	}
	return false
}

// begins reports whether a figure may begin with a word.
func begins(t *text.Token) bool {
	if starters[t.Norm] {
		return true
	}
	r, w := utf8.DecodeRuneInString(t.Norm)
	if r == 'و' || r == 'ب' || r == 'ل' || r == 'ف' || r == 'ك' {
		rest := t.Norm[w:]
		return starters[rest] || strings.HasPrefix(rest, "ل") && starters["ا"+rest]
	}
	return strings.ContainsFunc(t.Text, unicode.IsNumber)
}

// starters are the words that a figure may begin with.
var starters = func() map[string]bool {
	out := map[string]bool{}
	for _, words := range []map[string]bool{keys(englishNumbers), keys(arabicNumbers), keys(scaleWords), keys(duals),
		keys(englishOrdinals), keys(arabicOrdinals), keys(monthNames), keys(parts), keys(arabicShares), keys(dayTimes),
		labels, joinedOnes,
		headWords,
		theHour, numberSigns} {
		for w := range words {
			out[w] = true
		}
	}
	for _, w := range []string{"a", "an"} {
		out[w] = true
	}
	for w := range pairWords {
		if unitsRead && isArabic(w) { // "نقطة مئوية واحدة"
			out[w] = true
		}
	}
	for w, u := range unitWords {
		if unitsRead && u.base == "second" || u.base == "month" {
			out[w] = true
		}
	}
	return out
}()

func keys[V any](m map[string]V) map[string]bool {
	out := make(map[string]bool, len(m))
	for k := range m {
		out[k] = true
	}
	return out
}

// set folds words.
func set(lists ...string) map[string]bool {
	out := map[string]bool{}
	for _, list := range lists {
		for w := range strings.FieldsSeq(list) {
			out[text.Fold(w)] = true
		}
	}
	return out
}

func isArabic(norm string) bool {
	r, _ := utf8.DecodeRuneInString(norm)
	return r >= 0x600 && r < 0x700
}

func newReader(s string, tokens []text.Token) *reader {
	r := &reader{s: s, ruler: text.NewRuler(s), tokens: make([]text.Token, 0, len(tokens)),
		gaps: make([]string, 0, len(tokens)+1)}
	end, gap := 0, ""
	for i := range tokens {
		t := &tokens[i]
		between := r.ruler.Slice(text.Span{Start: end, End: t.Start})
		end = t.End
		after := ""
		if t.Kind == text.Number && strings.HasSuffix(between, "[") {
			after = r.ruler.Slice(text.Span{Start: t.End, End: min(t.End+1, r.ruler.Len())})
		}
		if after == "]" && t.Len() <= mostNote && !strings.ContainsAny(t.Text, ".,%") {
			r.out = append(r.out, Quantity{Span: t.Span, Said: t.Span, Kind: Mark, Raw: t.Text})
			gap += strings.TrimSuffix(between, "[")
			end++
			continue
		}
		r.tokens = append(r.tokens, *t)
		r.gaps = append(r.gaps, gap+plainGap(between))
		gap = ""
	}
	r.gaps = append(r.gaps, gap+plainGap(r.ruler.Slice(text.Span{Start: end, End: r.ruler.Len()})))
	return r
}

// mostNote is how many digits the number of a note has at most.
const mostNote = 3

// plainGap takes notes' marks out of what is between two words.
func plainGap(s string) string {
	if len(s) < 2 && s != "*" {
		return s
	}
	return strings.Map(func(r rune) rune {
		if isRaised(r) || r == '⁻' || r == '*' || r == '†' || r == '‡' {
			return -1
		}
		return r
	}, s)
}

// isRaised reports whether r is a raised digit.
func isRaised(r rune) bool {
	return r == '¹' || r == '²' || r == '³' || r == '⁰' || r >= '⁴' && r <= '⁹'
}

// norm is token i as it is compared, "" outside.
func (r *reader) norm(i int) string {
	if i < 0 || i >= len(r.tokens) {
		return ""
	}
	return r.tokens[i].Norm
}

// isNumber reports whether token i is in digits.
func (r *reader) isNumber(i int) bool {
	return i >= 0 && i < len(r.tokens) && r.tokens[i].Kind == text.Number
}

// blank reports whether there is nothing but space in a gap, no end of a line.
func blank(gap string) bool {
	return strings.TrimFunc(gap, func(r rune) bool { return isSpace(r) || isUnseen(r) }) == ""
}

func isSpace(r rune) bool {
	return r == ' ' || r == '\t' || r == '\u00a0' || r == '\u202f' || r == '\u2009'
}

// isUnseen reports whether r is a mark of direction or joins words.
func isUnseen(r rune) bool {
	return r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0xfeff ||
		r == 0x61c || r == 0x2060
}

// near reports whether only white space, a line's end or one hyphen is before token i, so that it goes on.
func (r *reader) near(i int) bool {
	if i <= 0 || i >= len(r.tokens) {
		return false
	}
	gap := strings.Map(func(c rune) rune {
		if isSpace(c) || isUnseen(c) {
			return -1
		}
		return c
	}, r.gaps[i])
	return gap == "" || gap == "-" || gap == "\u2011" || gap == "\u00ad" || gap == "\n" &&
		strings.TrimSpace(r.gaps[i]) == ""
}

// add adds a figure of the tokens [from, to) and returns to.
func (r *reader) add(q Quantity, from, to int) int {
	if q.Len() == 0 {
		q.Span = text.Span{Start: r.tokens[from].Start, End: r.tokens[to-1].End}
	}
	if q.Said.Len() == 0 || q.Said.Start > q.Start {
		q.Said = q.Span
	}
	q.Said.Start, q.Said.End = max(q.Said.Start, r.free), max(q.Said.End, q.End)
	if q.Raw == "" {
		q.Raw = r.ruler.Slice(q.Span)
	}
	r.out = append(r.out, q)
	r.free = max(q.Said.End, q.Behind.End)
	for to < len(r.tokens) && r.tokens[to].Start < q.End {
		to++
	}
	return to
}

// next reads the figure at token i, if there is one, and returns the token to continue with.
func (r *reader) next(i int) int {
	t := &r.tokens[i]
	if t.Start < r.free {
		return i + 1
	}
	number := t.Kind == text.Number
	if !number && !begins(t) {
		return max(i+1, r.rival(i))
	}
	if end := r.heading(i); end > i {
		return end
	}
	for _, read := range [...]func(*reader, int) int{(*reader).date, (*reader).clock, (*reader).identifier,
		(*reader).ordinal, (*reader).amount} {
		if end := read(r, i); end > i {
			return end
		}
	}
	return i + 1
}

// headWords number a paragraph in words: "أولاً:", "First:".
var headWords = set(`first second third fourth fifth sixth firstly secondly thirdly
	أولا ثانيا ثالثا رابعا خامسا سادسا سابعا ثامنا تاسعا عاشرا`)

// heading reads the number of a clause at the head of a paragraph or a list item: "4.2 The tenant pays", "3) The fee",
// "Article 7: Fees", "أولاً: الرسوم". It says where the sentence stands and is no figure of it.
func (r *reader) heading(i int) int {
	gap := r.gaps[i]
	line := strings.LastIndexByte(gap, '\n')
	if i > 0 && line < 0 || strings.Trim(gap[line+1:], " \t#>*•·-–(\u200e\u200f§[|") != "" {
		return i
	}
	number := i
	if mark, _ := utf8.DecodeRuneInString(r.gaps[min(i+1, len(r.gaps)-1)]); headWords[r.norm(i)] && mark == ':' {
		return r.add(Quantity{Kind: Mark}, i, i+1)
	}
	if labels[r.norm(i)] && r.isNumber(i+1) && blank(r.gaps[i+1]) {
		number = i + 1
	}
	if !r.isNumber(number) || number+1 >= len(r.tokens) {
		return i
	}
	t, next := &r.tokens[number], &r.tokens[number+1]
	body, tail := digitsOf(t.Text)
	after := r.gaps[number+1]
	mark, _ := utf8.DecodeRuneInString(after)
	if tail != "" || strings.Contains(body, ",") || !spaced(after) && !strings.Contains(after, "\n") {
		return i
	}
	for part := range strings.SplitSeq(body, ".") {
		if len(part) == 0 || len(part) > mostNote {
			return i
		}
	}
	marked := mark == ')' || mark == '.' || mark == ':' || mark == ']'
	if mark == '-' || mark == '–' || mark == '—' {
		marked = true
	} else if trimmed := strings.TrimLeft(after, " "); !marked && trimmed != "" && number == i {
		marked = strings.HasPrefix(trimmed, "–") || strings.HasPrefix(trimmed, "—")
	}
	dotted := number == i && strings.Contains(body, ".") && !scaled(next) && !r.hasUnit(number) &&
		(text.IsCapitalised(next.Text) || isArabic(next.Norm))
	if !marked && !dotted || next.Kind == text.Number && !dotted {
		return i
	}
	if marked && number == i && (mark == ':' && next.Kind == text.Number || scaled(next)) {
		return i
	}
	return r.add(Quantity{Kind: Mark}, i, number+1)
}

// spaced reports whether a gap has white space in it.
func spaced(gap string) bool { return strings.ContainsFunc(gap, unicode.IsSpace) }

// scaled reports whether a word multiplies the number before it.
func scaled(t *text.Token) bool {
	_, ok := scaleWords[t.Norm]
	return ok
}
