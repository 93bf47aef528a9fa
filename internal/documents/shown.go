package documents

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"sanad/internal/domain/ledger"
	"sanad/internal/pdftext"
)

// Signs that readers of files put around parts of a text until its block ends. They are noncharacters of Unicode, which
// no text may have.
const (
	raisedSign   = pdftext.Raised   // begins raised text
	markSign     = '\uFDD1'         // begins raised text that is the mark of a note
	loweredSign  = pdftext.Lowered  // begins lowered text
	levelSign    = pdftext.OnLine   // ends each of them
	struckSign   = pdftext.Struck   // begins struck text
	standingSign = pdftext.Standing // ends it
)

// shownText collects the text of a block as a reader sees it.
type shownText struct {
	b       strings.Builder
	last    rune // of the text that was written
	formula bool // that was a formula
}

// softHyphen is where a word may be parted at the end of a line; elsewhere nobody sees it.
const softHyphen = '\u00ad'

// write adds text of the file.
func (t *shownText) write(s string) {
	unread := func(r rune) bool { return isSign(r) || r == softHyphen }
	if strings.IndexFunc(s, unread) >= 0 {
		s = strings.Map(func(r rune) rune {
			if unread(r) {
				return -1
			}
			return r
		}, s)
	}
	if s == "" {
		return
	}
	if first, _ := utf8.DecodeRuneInString(s); t.formula && unicode.IsDigit(first) && unicode.IsDigit(t.last) {
		t.b.WriteByte(' ')
	}
	t.b.WriteString(s)
	t.formula = false
	t.last, _ = utf8.DecodeLastRuneInString(s)
}

// writeFormula adds a formula, which is no part of a number beside it: two and a half is "2 1/2".
func (t *shownText) writeFormula(s string) {
	t.formula = true
	t.write(s)
	t.formula = true
}

// between adds text between two signs.
func (t *shownText) between(begin, end rune, s string) {
	t.b.WriteRune(begin)
	t.write(s)
	t.b.WriteRune(end)
}

func (t *shownText) sign(r rune) { t.b.WriteRune(r) }

func isSign(r rune) bool { return r >= raisedSign && r <= standingSign }

// take returns the text that stands, and, if something in it is struck, the text with ledger.StruckMark around that. It
// empties t.
func (t *shownText) take() (standing, marked string) {
	s := t.b.String()
	*t = shownText{}
	if !strings.ContainsFunc(s, isSign) {
		return s, ""
	}
	s = apart(s)
	if !strings.ContainsRune(s, struckSign) {
		return s, ""
	}
	return standingOnly(s), strings.NewReplacer(ledger.StruckMark, "", string([]rune{standingSign, struckSign}), "",
		string(struckSign), ledger.StruckMark, string(standingSign), ledger.StruckMark).Replace(s)
}

// standingOnly leaves out what is struck.
func standingOnly(s string) string {
	var b strings.Builder
	for {
		from := strings.IndexRune(s, struckSign)
		if from < 0 {
			return b.String() + s
		}
		b.WriteString(s[:from])
		end := strings.IndexRune(s[from:], standingSign)
		if end < 0 {
			return b.String()
		}
		s = s[from+end+utf8.RuneLen(standingSign):]
		if before := strings.TrimSpace(b.String()); before == "" || strings.ContainsAny(before[len(before)-1:], ".!?") {
			s = strings.TrimPrefix(strings.TrimPrefix(s, "."), "،") // the end of what is struck
		}
	}
}

// apart writes raised and lowered text so that it cannot be taken for a part of the number that it stands at: "staff
// [1]" for the mark of a note, "10^6" for a power, "1/2" for a fraction.
func apart(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r >= raisedSign && r <= loweredSign }) {
		return s
	}
	parts := bracketed(levels(s))
	var b strings.Builder
	for i := 0; i < len(parts); i++ {
		p := parts[i]
		if p.sign == 0 || strings.TrimSpace(p.text) == "" {
			b.WriteString(p.text)
			continue
		}
		if den, over := fractionAt(parts, i); over {
			if last, _ := utf8.DecodeLastRuneInString(b.String()); isLetterOrDigit(last) {
				b.WriteByte(' ')
			}
			b.WriteString(strings.TrimSpace(p.text) + "/" + den)
			i += 2
			separate(&b, parts, i+1)
			continue
		}
		after := ""
		if i+1 < len(parts) {
			after = parts[i+1].text
		}
		b.WriteString(level(p, b.String(), after))
		separate(&b, parts, i+1)
	}
	return b.String()
}

// separate writes a space if a digit would follow a raised or lowered one directly.
func separate(b *strings.Builder, parts []levelPart, next int) {
	if next < len(parts) {
		last, _ := utf8.DecodeLastRuneInString(b.String())
		if first, _ := utf8.DecodeRuneInString(parts[next].text); unicode.IsDigit(first) && unicode.IsDigit(last) {
			b.WriteByte(' ')
		}
	}
}

// levelPart is a stretch of text on one level.
type levelPart struct {
	sign rune // 0 on the line
	text string
}

// levels cuts a text by its signs. Neighbours on the same level are joined.
func levels(s string) (out []levelPart) {
	add := func(sign rune, text string) {
		if text == "" {
			return
		}
		if n := len(out); n > 0 && out[n-1].sign == sign {
			out[n-1].text += text
			return
		}
		out = append(out, levelPart{sign, text})
	}
	var now rune
	from := 0
	for i, r := range s {
		if r >= raisedSign && r <= levelSign {
			add(now, s[from:i])
			if from, now = i+utf8.RuneLen(r), r; r == levelSign {
				now = 0
			}
		}
	}
	add(now, s[from:])
	return out
}

// bracketed joins the mark of a note with raised brackets around it.
func bracketed(parts []levelPart) []levelPart {
	for i := 0; i+2 < len(parts); i++ {
		before, after := strings.TrimSpace(parts[i].text), strings.TrimSpace(parts[i+2].text)
		if parts[i].sign == raisedSign && parts[i+1].sign == markSign && parts[i+2].sign == raisedSign &&
			(before == "[" && after == "]" || before == "(" && after == ")") {
			mark := levelPart{markSign, before + parts[i+1].text + after}
			parts = slices.Replace(parts, i, i+3, mark)
		}
	}
	return parts
}

// fractionAt reports whether a raised number, a stroke and a lowered number follow each other from i on.
func fractionAt(parts []levelPart, i int) (denominator string, ok bool) {
	if i+2 >= len(parts) || parts[i].sign != raisedSign || parts[i+1].sign != 0 || parts[i+2].sign != loweredSign ||
		!isDigits(parts[i].text) || !isDigits(parts[i+2].text) {
		return "", false
	}
	switch strings.TrimSpace(parts[i+1].text) {
	case "/", "⁄", "∕":
		return strings.TrimSpace(parts[i+2].text), true
	}
	return "", false
}

func isDigits(s string) bool {
	s = strings.TrimSpace(s)
	return s != "" && strings.IndexFunc(s, func(r rune) bool { return !unicode.IsDigit(r) }) < 0
}

func isLetterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// level writes one raised or lowered text behind what stands before it.
func level(p levelPart, before, after string) string {
	s := strings.TrimSpace(p.text)
	last, _ := utf8.DecodeLastRuneInString(before)
	first, _ := utf8.DecodeRuneInString(s)
	switch {
	case p.sign == loweredSign && (!unicode.IsDigit(last) || !isLetterOrDigit(first)):
		return s // H2O
	case p.sign == loweredSign:
		return "_" + s
	case p.sign == markSign:
		return noteMark(last, s)
	case (first == '[' || first == '(') && isMark(s):
		return noteMark(last, s)
	case !isLetterOrDigit(first) && first != '-' && first != '−' && first != '+':
		return p.text // * and ™
	case !isLetterOrDigit(last) && last != ')' && last != ']':
		return noteMark(last, s)
	case isPower(s, before, after):
		return power(s, last)
	case unicode.IsDigit(last) && ordinalEnds[strings.ToLower(s)]:
		return s
	case isMark(s):
		return noteMark(last, s)
	case unicode.IsDigit(last):
		return " " + s
	}
	return p.text
}

// ordinalEnds stand raised behind a number, as in 21st.
var ordinalEnds = map[string]bool{"st": true, "nd": true, "rd": true, "th": true, "e": true, "er": true, "re": true,
	"ère": true, "ème": true, "eme": true, "nde": true, "o": true, "os": true, "a.": true, "o.": true, "te": true,
	"ter": true, "da": true, "ma": true, "mo": true, "to": true}

// noteMark writes the mark of a note apart from what it stands at. Behind a figure it is left out: whoever reads "30
// [1] days" has to know that the 1 is none of the figure's.
func noteMark(last rune, s string) string {
	if unicode.IsDigit(last) || last == '%' || last == '٪' {
		return ""
	}
	if !strings.HasPrefix(s, "[") && !strings.HasPrefix(s, "(") {
		s = "[" + s + "]"
	}
	if last == utf8.RuneError || unicode.IsSpace(last) {
		return s
	}
	return " " + s
}

// isMark reports whether raised text can be the mark of a note: a number, several, or a letter.
func isMark(s string) bool {
	if utf8.RuneCountInString(s) == 1 {
		return true
	}
	return strings.IndexFunc(s, func(r rune) bool {
		return !unicode.IsDigit(r) && !unicode.IsSpace(r) && !strings.ContainsRune(",;-–،[]()", r)
	}) < 0
}

// isPower reports whether raised text is an exponent: of ten, in a calculation, of a unit or of a letter.
func isPower(s, before, after string) bool {
	digits := strings.TrimLeft(s, "+-−")
	if !isDigits(digits) && !(utf8.RuneCountInString(digits) == 1 && unicode.IsLetter([]rune(digits)[0])) {
		return false
	}
	base := lastWord(before)
	switch {
	case digits != s: // a sign is none of a mark
		return true
	case isDigits(base):
		return isDigits(s) && (base == "10" && s != "1" || inCalculation(strings.TrimSuffix(before, base), after))
	case base == "" || !isDigits(s):
		return utf8.RuneCountInString(base) == 1 && inCalculation(strings.TrimSuffix(before, base), after)
	}
	return utf8.RuneCountInString(base) <= 2 && (s == "2" || s == "3" || s == "4")
}

// lastWord returns the letters or the digits that a text ends with.
func lastWord(s string) string {
	last, _ := utf8.DecodeLastRuneInString(s)
	same := unicode.IsLetter
	if unicode.IsDigit(last) {
		same = unicode.IsDigit
	}
	at := strings.LastIndexFunc(s, func(r rune) bool { return !same(r) })
	if at < 0 {
		return s
	}
	_, size := utf8.DecodeRuneInString(s[at:])
	return s[at+size:]
}

// inCalculation reports whether a sign of calculation stands beside a power.
func inCalculation(before, after string) bool {
	const signs = "=×·*+≈<>≤≥÷^√("
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(before, " \u00a0"))
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(after, " \u00a0"))
	return strings.ContainsRune(signs, last) || strings.ContainsRune("=×·*+≈÷^", first)
}

// power writes an exponent: of a unit as it is printed (m²), of anything else with a caret.
func power(s string, last rune) string {
	if unicode.IsLetter(last) {
		switch s {
		case "2":
			return "²"
		case "3":
			return "³"
		}
	}
	return "^" + strings.ReplaceAll(s, "−", "-")
}
