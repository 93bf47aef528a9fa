package strictjson

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// maxInteger is 2^53−1, the largest integer that every JSON reader represents exactly.
const maxInteger = 1<<53 - 1

// space skips white space as RFC 8259 defines it.
func (d *decoder) space() {
	for d.pos < len(d.src) {
		switch d.src[d.pos] {
		case ' ', '\t', '\n', '\r':
			d.pos++
		default:
			return
		}
	}
}

// peek returns the next byte that is not white space, 0 at the end.
func (d *decoder) peek() byte {
	d.space()
	if d.pos == len(d.src) {
		return 0
	}
	return d.src[d.pos]
}

// expect consumes the byte c, or returns an error that names what was wanted, by its id.
func (d *decoder) expect(c byte, wanted string) error {
	if d.peek() != c || d.pos == len(d.src) {
		return d.unexpected(wanted)
	}
	d.pos++
	return nil
}

// word consumes the literal w: true, false or null.
func (d *decoder) word(w string) error {
	if !strings.HasPrefix(d.src[d.pos:], w) {
		if strings.HasPrefix(w, d.src[d.pos:]) { // the input ends within the literal
			d.pos = len(d.src)
		}
		return d.unexpected("noun_value")
	}
	d.pos += len(w)
	return nil
}

// text reads a string. It refuses what encoding/json would silently replace: invalid UTF-8 and lone surrogates.
func (d *decoder) text() (string, error) {
	start := d.pos + 1
	for i := start; i < len(d.src); i++ {
		switch c := d.src[i]; {
		case c == '"':
			s := d.src[start:i]
			if !utf8.ValidString(s) {
				return "", d.notUTF8(start, i)
			}
			d.pos = i + 1
			return s, nil
		case c == '\\':
			return d.escaped(start, i)
		case c < ' ':
			d.pos = i
			return "", d.malformed("json_control")
		}
	}
	return "", d.cut()
}

// pass skips a string without allocating it.
func (d *decoder) pass() error {
	start := d.pos + 1
	for d.pos = start; d.pos < len(d.src); {
		switch c := d.src[d.pos]; {
		case c == '"':
			if !utf8.ValidString(d.src[start:d.pos]) {
				return d.notUTF8(start, d.pos)
			}
			d.pos++
			return nil
		case c == '\\':
			if _, err := d.escape(); err != nil {
				return err
			}
		case c < ' ':
			return d.malformed("json_control")
		default:
			d.pos++
		}
	}
	return d.cut()
}

// escaped reads the rest of a string that began at start, from its first backslash at i.
func (d *decoder) escaped(start, i int) (string, error) {
	var b strings.Builder
	b.WriteString(d.src[start:i])
	d.pos = i
	for d.pos < len(d.src) {
		switch c := d.src[d.pos]; {
		case c == '"':
			d.pos++
			if s := b.String(); utf8.ValidString(s) {
				return s, nil
			}
			return "", d.notUTF8(start, d.pos)
		case c < ' ':
			return "", d.malformed("json_control")
		case c == '\\':
			r, err := d.escape()
			if err != nil {
				return "", err
			}
			b.WriteRune(r)
		default:
			n := strings.IndexAny(d.src[d.pos:], "\"\\")
			if n < 0 {
				n = len(d.src) - d.pos
			}
			if k := indexControl(d.src[d.pos : d.pos+n]); k >= 0 {
				n = k
			}
			b.WriteString(d.src[d.pos : d.pos+n])
			d.pos += n
		}
	}
	return "", d.cut()
}

func indexControl(s string) int {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' {
			return i
		}
	}
	return -1
}

var shortEscapes = map[byte]rune{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escape reads one escape sequence, or two that form a surrogate pair.
func (d *decoder) escape() (rune, error) {
	if d.pos+1 >= len(d.src) {
		return 0, d.cut()
	}
	c := d.src[d.pos+1]
	if r, ok := shortEscapes[c]; ok {
		d.pos += 2
		return r, nil
	}
	if c != 'u' {
		return 0, d.malformed("json_escape", "Name", strconv.QuoteToGraphic(string(c)))
	}
	r, err := d.hex4(d.pos + 2)
	if err != nil || !utf16.IsSurrogate(r) {
		d.pos += 6
		return r, err
	}
	if r < 0xDC00 && strings.HasPrefix(d.src[d.pos+6:], `\u`) {
		low, err := d.hex4(d.pos + 8)
		if err != nil {
			return 0, err
		}
		if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
			d.pos += 12
			return pair, nil
		}
	}
	return 0, d.malformed("json_half", "Name", fmt.Sprintf("%04x", r))
}

// hex4 reads four hex digits at i; on a fault the position is left at the escape.
func (d *decoder) hex4(i int) (rune, error) {
	if i+4 > len(d.src) {
		return 0, d.cut()
	}
	n, err := strconv.ParseUint(d.src[i:i+4], 16, 16)
	if err != nil {
		return 0, d.malformed("json_hex")
	}
	return rune(n), nil
}

// number reads a number as a float. It must be within ±(2^53−1), so that no reader and no canonical form changes it.
func (d *decoder) number() (float64, error) {
	start := d.pos
	written, err := d.numeral()
	if err != nil {
		return 0, err
	}
	f, err := strconv.ParseFloat(written, 64)
	if err != nil || math.Abs(f) > maxInteger {
		d.pos = start
		return 0, d.malformed("json_beyond")
	}
	return f, nil
}

// anyNumber is number for one that is not kept: opt.Loose lets any pass.
func (d *decoder) anyNumber() (float64, error) {
	start := d.pos
	f, err := d.number()
	if err == nil || !d.opt.Loose || d.pos != start {
		return f, err
	}
	if _, bad := d.numeral(); bad != nil {
		return 0, bad
	}
	d.loosed = cmp.Or(d.loosed, err)
	return 0, nil
}

// noNumber returns the word at the beginning of s that JavaScript has for what is no number, "" if none.
func noNumber(s string) string {
	for _, w := range []string{"NaN", "Infinity", "-Infinity"} {
		if strings.HasPrefix(s, w) {
			return w
		}
	}
	return ""
}

// noNumber reports whether such a word comes next.
func (d *decoder) noNumber() bool { return noNumber(d.src[d.pos:]) != "" }

// passNoNumber reads such a word.
func (d *decoder) passNoNumber() error {
	d.loosed = cmp.Or(d.loosed, d.malformed("json_nan", "Name", noNumber(d.src[d.pos:])))
	d.pos += len(noNumber(d.src[d.pos:]))
	return nil
}

// numeral reads a number and returns it as it is written.
func (d *decoder) numeral() (string, error) {
	start, s := d.pos, d.src
	i := start
	digits := func() bool {
		from := i
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			i++
		}
		return i > from
	}
	if s[i] == '-' {
		i++
	}
	zero := i < len(s) && s[i] == '0'
	first := i
	ok := digits() && (!zero || i == first+1)
	if ok && i < len(s) && s[i] == '.' {
		i++
		ok = digits()
	}
	if ok && i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		ok = digits()
	}
	d.pos = i
	if !ok {
		if i == len(s) {
			return "", d.cut()
		}
		d.pos = start
		return "", d.malformed("json_number")
	}
	return s[start:i], nil
}
