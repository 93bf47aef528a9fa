package numberformat

import (
	"math"
	"slices"
	"strings"
	"unicode"
)

// Shown is what a cell shows.
type Shown struct {
	Text   string
	Stored string // the same with all that the cell stores; "" if Text says it
	Hidden bool   // the format shows nothing, although something is stored
}

// Number writes a number. epoch1904 says that the days of dates are counted from 1904. A negative number has a minus,
// also where the cell shows brackets or a colour instead, and a number with an exponent is written without one: both
// would be read as other numbers.
func (f *Format) Number(v float64, epoch1904 bool) Shown {
	s := f.sectionOf(v)
	if s == nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return Shown{Text: General(v)}
	}
	switch s.kind {
	case general:
		return Shown{Text: s.around(v)}
	case date:
		return s.date(v, epoch1904)
	case words:
		if s.has(theText) {
			return Shown{Text: General(v)}
		}
		return s.literals(v)
	}
	return s.number(v)
}

// HidesText reports whether the format shows nothing of a text.
func (f *Format) HidesText() bool {
	return len(f.sections) == 4 && len(f.sections[3].tokens) == 0
}

// Text writes a text, around which a format may have words of its own.
func (f *Format) Text(s string) string {
	if len(f.sections) == 0 {
		return s
	}
	last := &f.sections[len(f.sections)-1]
	if len(f.sections) < 4 && (last.kind != words || !last.has(theText)) {
		return s
	}
	var b strings.Builder
	for _, t := range last.tokens {
		switch t.kind {
		case literal:
			b.WriteString(t.text)
		case theText, isGeneral:
			b.WriteString(s)
		}
	}
	return strings.TrimSpace(b.String())
}

// sectionOf returns the section for a number, nil for General.
func (f *Format) sectionOf(v float64) *section {
	n := len(f.sections)
	if n == 0 {
		return nil
	}
	if n == 4 || n > 1 && f.sections[n-1].has(theText) { // the last one is for texts
		n = min(n, 4) - 1
	}
	if slices.ContainsFunc(f.sections[:n], func(s section) bool { return s.compare != "" }) {
		for i := range f.sections[:n] {
			s := &f.sections[i]
			if s.compare == "" && (i > 0 || v > 0 || n == 1) || s.compare != "" && s.meets(v) {
				return s
			}
		}
		return &f.sections[n-1]
	}
	switch {
	case v < 0 && n > 1:
		return &f.sections[1]
	case v == 0 && n > 2:
		return &f.sections[2]
	}
	return &f.sections[0]
}

func (s *section) meets(v float64) bool {
	switch s.compare {
	case "<":
		return v < s.than
	case "<=":
		return v <= s.than
	case ">":
		return v > s.than
	case ">=":
		return v >= s.than
	case "=":
		return v == s.than
	}
	return v != s.than
}

// around writes a number without a format of its own, with the literals around it.
func (s *section) around(v float64) string {
	var b strings.Builder
	for _, t := range s.tokens {
		switch t.kind {
		case literal:
			b.WriteString(t.text)
		case isGeneral:
			b.WriteString(General(v))
		}
	}
	return strings.TrimSpace(b.String())
}

// literals writes words that stand for a number.
func (s *section) literals(v float64) Shown {
	var b strings.Builder
	for _, t := range s.tokens {
		if t.kind == literal || t.kind == percent || t.kind == point || t.kind == comma || t.kind == slash {
			b.WriteString(t.text)
		}
	}
	out := Shown{Text: strings.TrimSpace(b.String()), Stored: General(v)}
	if out.Text == "" {
		return Shown{Hidden: true}
	}
	return out
}

// number writes a number by its placeholders.
func (s *section) number(v float64) Shown {
	d := newDecimal(v)
	if s.has(slash) { // a fraction
		return Shown{Text: General(v)}
	}
	if s.has(exponent) {
		return Shown{Text: General(v)}
	}
	l := s.layout()
	if !d.isZero() {
		d.point += 2*l.percents - 3*l.thousands
	}
	out := Shown{Text: s.write(d.rounded(l.places), &l, v < 0)}
	if strings.IndexFunc(out.Text, unicode.IsDigit) < 0 { // a dash for zero
		out.Stored = General(v)
		return out
	}
	if more := d.places(); more > l.places && !l.parted && more <= mostPlain {
		l.places, l.least = more, more
		out.Stored = s.write(d, &l, v < 0)
	}
	return out
}

// numberLayout is what a section says of the digits of a number.
type numberLayout struct {
	whole, places int  // placeholders before and after the point
	least         int  // digits after the point that are always shown
	first, last   int  // tokens from the first to the last placeholder
	percents      int  // signs of a percentage
	thousands     int  // commas behind the digits, which divide
	grouped       bool // by thousands
	parted        bool // literals stand between the digits, as in a telephone's number
}

func (s *section) layout() (l numberLayout) {
	l.first = slices.IndexFunc(s.tokens, func(t token) bool { return t.kind == placeholder || t.kind == point })
	for i, t := range s.tokens {
		if t.kind == placeholder || t.kind == point {
			l.last = i
		}
	}
	behind := false
	for i, t := range s.tokens {
		switch t.kind {
		case placeholder:
			if behind {
				l.places++
				if t.text != "#" {
					l.least = l.places
				}
			} else {
				l.whole++
			}
		case point:
			behind = true
		case percent:
			l.percents++
		case comma:
			next := i + 1
			for next < len(s.tokens) && s.tokens[next].kind == comma {
				next++
			}
			switch {
			case l.whole == 0 || behind && i < l.last:
			case next < len(s.tokens) && s.tokens[next].kind == placeholder && !behind:
				l.grouped = true
			default:
				l.thousands++
			}
		case literal:
			l.parted = l.parted || i > l.first && i < l.last
		}
	}
	return l
}

// write writes a number whose digits are laid out.
func (s *section) write(d decimal, l *numberLayout, negative bool) string {
	whole, decimals := d.parts(l.places)
	for len(decimals) > l.least && strings.HasSuffix(decimals, "0") {
		decimals = decimals[:len(decimals)-1]
	}
	var b strings.Builder
	left := l.whole
	behind := false
	for i, t := range s.tokens {
		switch t.kind {
		case placeholder:
			if !behind {
				left--
				whole = s.digits(&b, whole, t.text, left, l)
			}
		case point:
			if behind = true; decimals != "" {
				if l.whole == 0 {
					b.WriteString(whole)
				}
				b.WriteString("." + decimals)
			}
		case literal:
			text := t.text
			if negative {
				text = strings.NewReplacer("(", "", ")", "", "-", "", "−", "").Replace(text)
			}
			b.WriteString(text)
		case percent:
			b.WriteString("%")
		}
		if i == l.last && !behind && decimals != "" { // more places than the format has
			b.WriteString("." + decimals)
		}
	}
	out := strings.TrimSpace(b.String())
	if negative && !d.isZero() {
		out = "-" + out
	}
	return s.inItsDigits(out)
}

// digits writes the digits of one placeholder before the point, left of which so many others follow, and returns the
// digits that remain. The first placeholder takes all that the others leave.
func (s *section) digits(b *strings.Builder, whole, sign string, left int, l *numberLayout) string {
	n := max(0, len(whole)-left)
	here, rest := whole[:n], whole[n:]
	if here == "" && sign == "0" {
		here = "0"
	}
	for i := range len(here) {
		b.WriteByte(here[i])
		if after := len(here) - 1 - i + left; l.grouped && after > 0 && after%3 == 0 {
			b.WriteByte(',')
		}
	}
	return rest
}

// inItsDigits writes a number in the digits that its language asks for.
func (s *section) inItsDigits(out string) string {
	if s.arabic == 0 {
		return out
	}
	runes := []rune(out)
	for i, r := range runes {
		between := i > 0 && i+1 < len(runes) && isDigit(runes[i-1]) && isDigit(runes[i+1])
		switch {
		case r >= '0' && r <= '9':
			runes[i] = s.arabic + r - '0'
		case r == ',' && between:
			runes[i] = '٬'
		case r == '.' && between:
			runes[i] = '٫'
		case r == '%':
			runes[i] = '٪'
		}
	}
	return string(runes)
}

func isDigit(r rune) bool {
	return r >= '0' && r <= '9' || r >= '٠' && r <= '٩' || r >= '۰' && r <= '۹'
}
