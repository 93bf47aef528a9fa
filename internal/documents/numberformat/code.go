// Package numberformat writes the numbers of a spreadsheet as its cells show them, by their format codes (ECMA-376,
// part 1, 18.8.31). Where a cell shows less than it stores, both are returned. It knows no files.
package numberformat

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Format is a parsed format code. Its zero value is General.
type Format struct {
	sections []section
}

// section is the part of a code that is for some numbers.
type section struct {
	tokens  []token
	kind    sectionKind
	compare string  // "<", "<=", "=", "<>", ">", ">=": the condition that the section has of its own; "" if none
	than    float64 // what it compares with
	arabic  rune    // the zero of the digits that are shown, 0 for ASCII
	hijri   bool    // dates are shown in another calendar
	lang    int     // primary language of months, as Windows numbers it; 0 if none is stated
}

type sectionKind int

const (
	general sectionKind = iota
	number
	date
	words // text, or nothing but literals
)

// token is a piece of a code.
type token struct {
	kind tokenKind
	text string // of a literal; of a placeholder its sign; of a part of a date its letters
}

type tokenKind int

const (
	literal     tokenKind = iota
	placeholder           // 0, # or ?
	point                 // decimal
	comma
	percent
	exponent
	slash    // of a fraction or a date
	datePart // y, m, d, b, e, g
	timePart // h, s, and m that means minutes
	elapsed  // hours, minutes or seconds that count on beyond 24 or 60
	fraction // of seconds: the zeros behind the point
	halfDay  // AM/PM
	theText  // @
	isGeneral
)

// mostCode is the longest format code that is read, in bytes; Excel's limit is 255 characters.
const mostCode = 2_000

// Parse reads a format code. What is unknown in it counts as a literal.
func Parse(code string) *Format {
	if code == "" || len(code) > mostCode || !utf8.ValidString(code) {
		return &Format{}
	}
	f := &Format{}
	for _, s := range splitSections(code) {
		f.sections = append(f.sections, newSection(s))
		if len(f.sections) == 4 {
			break
		}
	}
	return f
}

// splitSections cuts a code at the semicolons that are no literals.
func splitSections(code string) (out []string) {
	start, quoted := 0, false
	for i := 0; i < len(code); i++ {
		switch c := code[i]; {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '\\' || c == '_' || c == '*':
			i++
		case c == '[':
			if end := strings.IndexByte(code[i:], ']'); end > 0 {
				i += end
			}
		case c == ';':
			out, start = append(out, code[start:i]), i+1
		}
	}
	return append(out, code[start:])
}

func newSection(code string) section {
	s := section{}
	for code != "" {
		code = code[s.take(code):]
	}
	s.settle()
	return s
}

// take reads the first token of a code, and returns its length in bytes.
func (s *section) take(code string) int {
	_, size := utf8.DecodeRuneInString(code)
	first := code[:size]
	switch c := code[0]; {
	case c == '"':
		end := strings.IndexByte(code[1:], '"')
		if end < 0 {
			end = len(code) - 1
		}
		s.literal(code[1 : 1+end])
		return min(end+2, len(code))
	case c == '\\':
		_, next := utf8.DecodeRuneInString(code[1:])
		s.literal(code[1 : 1+next])
		return 1 + next
	case c == '_' || c == '*': // room of a sign's width, or a sign that fills the cell
		_, next := utf8.DecodeRuneInString(code[1:])
		s.literal(" ")
		return 1 + next
	case c == '[':
		if end := strings.IndexByte(code, ']'); end > 0 {
			s.bracket(code[1:end])
			return end + 1
		}
	case strings.ContainsRune("0#?", rune(c)):
		s.add(placeholder, first)
		return 1
	case c == '.':
		s.add(point, first)
		return 1
	case c == ',':
		s.add(comma, first)
		return 1
	case c == '%':
		s.add(percent, first)
		return 1
	case c == '@':
		s.add(theText, first)
		return 1
	case c == '/':
		s.add(slash, first)
		return 1
	}
	return s.takeWord(code, first)
}

// halfDays are the ways to write the halves of a day in a code.
var halfDays = []string{"AM/PM", "A/P"}

// takeWord reads a token that is made of letters.
func (s *section) takeWord(code, first string) int {
	if n := len("general"); len(code) >= n && strings.EqualFold(code[:n], "general") {
		s.add(isGeneral, "")
		return n
	}
	for _, h := range halfDays {
		if len(code) >= len(h) && strings.EqualFold(code[:len(h)], h) {
			s.add(halfDay, h)
			return len(h)
		}
	}
	c := first[0] | 0x20 // in lower case
	switch {
	case len(first) > 1:
	case (c == 'e') && len(code) > 1 && (code[1] == '+' || code[1] == '-') && s.has(placeholder):
		s.add(exponent, code[:2])
		return 2
	case strings.IndexByte("ymdhs", c) >= 0:
		n := 1
		for n < len(code) && code[n]|0x20 == c {
			n++
		}
		kind := datePart
		if c == 'h' || c == 's' {
			kind = timePart
		}
		s.add(kind, strings.ToLower(code[:n]))
		return n
	case (c == 'b' || c == 'e' || c == 'g') && s.lang != 0 && !s.has(placeholder): // years and eras of other calendars
		n := 1
		for n < len(code) && code[n]|0x20 == c {
			n++
		}
		s.hijri = true
		s.add(datePart, "y")
		return n
	case first == "B" && len(code) > 1 && (code[1] == '1' || code[1] == '2'): // the Gregorian or Hijri calendar
		s.hijri = code[1] == '2'
		return 2
	}
	s.literal(first)
	return len(first)
}

func (s *section) add(kind tokenKind, text string) {
	s.tokens = append(s.tokens, token{kind: kind, text: text})
}

func (s *section) literal(text string) {
	if n := len(s.tokens); n > 0 && s.tokens[n-1].kind == literal {
		s.tokens[n-1].text += text
		return
	}
	s.add(literal, text)
}

func (s *section) has(kinds ...tokenKind) bool {
	return slices.ContainsFunc(s.tokens, func(t token) bool { return slices.Contains(kinds, t.kind) })
}

// comparisons are the signs of a condition, the longer ones first.
var comparisons = []string{"<=", ">=", "<>", "<", ">", "="}

// bracket reads what stands in brackets: a currency with a language, a condition, a time that counts on, or a colour.
func (s *section) bracket(in string) {
	if rest, ok := strings.CutPrefix(in, "$"); ok {
		currency, locale, _ := strings.Cut(rest, "-")
		if currency != "" {
			s.literal(currency)
		}
		s.locale(locale)
		return
	}
	for _, sign := range comparisons {
		if than, ok := strings.CutPrefix(in, sign); ok {
			if v, err := strconv.ParseFloat(strings.TrimSpace(than), 64); err == nil {
				s.compare, s.than = sign, v
			}
			return
		}
	}
	if unit := strings.ToLower(in); unit != "" && strings.Trim(unit, unit[:1]) == "" && strings.Contains("hms", unit[:1]) {
		s.add(elapsed, unit)
	}
}

// The digits that a language's number can ask for, by the number's first byte, and languages by their last ten bits.
var (
	zeros     = map[int64]rune{2: '٠', 3: '۰'}
	gregorian = []int64{0, 1, 2, 9, 10, 11, 12} // kinds of calendars, by the number's second byte
)

const (
	arabicLanguage = 0x01
	languageBits   = 0x3FF
)

// locale reads the number of a language, with the digits and the calendar that it asks for: "2060401" is Arabic with
// Arabic-Indic digits and the Hijri calendar.
func (s *section) locale(hex string) {
	hex, _, _ = strings.Cut(hex, ",")
	n, err := strconv.ParseInt(hex, 16, 64)
	if err != nil {
		if strings.HasPrefix(strings.ToLower(hex), "ar") {
			s.lang = arabicLanguage
		}
		return
	}
	s.lang = int(n & languageBits)
	s.arabic = zeros[n>>24&0xFF]
	s.hijri = !slices.Contains(gregorian, n>>16&0xFF)
}

// settle tells which kind of section it is, minutes from months, and the zeros of fractions of seconds.
func (s *section) settle() {
	switch {
	case s.has(isGeneral):
		s.kind = general
	case s.has(datePart, timePart, elapsed):
		s.kind = date
		s.settleTime()
	case s.has(placeholder):
		s.kind = number
	default:
		s.kind = words
	}
}

// settleTime makes m minutes behind hours and before seconds, and a point with zeros behind seconds their fraction.
func (s *section) settleTime() {
	isTime := func(i, step int, letters string) bool {
		for i += step; i >= 0 && i < len(s.tokens); i += step {
			switch t := s.tokens[i]; t.kind {
			case literal, point, halfDay, slash, placeholder, fraction:
			case timePart, elapsed:
				return strings.Contains(letters, t.text[:1])
			default:
				return false
			}
		}
		return false
	}
	for i := range s.tokens {
		t := &s.tokens[i]
		if t.kind == datePart && t.text[0] == 'm' && len(t.text) <= 2 && (isTime(i, -1, "h") || isTime(i, 1, "s")) {
			t.kind = timePart
		}
	}
	var out []token
	for _, t := range s.tokens {
		n := len(out)
		switch {
		case t.kind == placeholder && n > 0 && out[n-1].kind == fraction:
			out[n-1].text += "0"
		case t.kind == placeholder && n > 0 && out[n-1].kind == point:
			out[n-1] = token{kind: fraction, text: "0"}
		case t.kind == slash || t.kind == comma || t.kind == point || t.kind == percent || t.kind == placeholder:
			out = append(out, token{kind: literal, text: t.text})
			if t.kind == point {
				out[n].kind = point
			}
		default:
			out = append(out, t)
		}
	}
	for i := range out {
		if out[i].kind == point {
			out[i].kind = literal
		}
	}
	s.tokens = out
}
