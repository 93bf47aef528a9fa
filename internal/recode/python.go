package recode

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// pythonJSON returns a list or dict as Python's repr writes it as JSON, false if it is none: pandas writes cells so,
// and tracers what they could not encode. Lists of NumPy, which have no commas, are read too.
func pythonJSON(s string) (json.RawMessage, bool) {
	if s == "" || s[0] != '[' && s[0] != '{' {
		return nil, false
	}
	p := python{src: s}
	if !p.value(0) {
		return nil, false
	}
	p.space()
	return json.RawMessage(p.out.String()), p.pos == len(s)
}

// python reads a literal of Python and writes it as JSON.
type python struct {
	src string
	pos int
	out strings.Builder
}

// deepPython is how deeply lists and dicts may be nested.
const deepPython = 32

func (p *python) space() {
	for p.pos < len(p.src) && strings.IndexByte(" \t\r\n", p.src[p.pos]) >= 0 {
		p.pos++
	}
}

// take reads a byte if it is the next.
func (p *python) take(b byte) bool {
	p.space()
	if p.pos < len(p.src) && p.src[p.pos] == b {
		p.pos++
		return true
	}
	return false
}

// pythonWords are the names of values.
var pythonWords = []struct{ name, json string }{
	{"None", "null"}, {"True", "true"}, {"False", "false"}, {"nan", "null"}, {"NaN", "null"}, {"inf", "null"},
	{"-inf", "null"},
}

func (p *python) value(depth int) bool {
	p.space()
	if depth > deepPython || p.pos >= len(p.src) {
		return false
	}
	switch c := p.src[p.pos]; {
	case c == '[' || c == '(':
		p.pos++
		return p.items(depth, map[byte]byte{'[': ']', '(': ')'}[c])
	case c == '{':
		p.pos++
		return p.entries(depth)
	case c == '\'' || c == '"':
		words, ok := p.text()
		p.out.Write(Encode(words))
		return ok
	}
	for _, w := range pythonWords {
		if strings.HasPrefix(p.src[p.pos:], w.name) {
			p.pos += len(w.name)
			p.out.WriteString(w.json)
			return true
		}
	}
	return p.number()
}

// number reads a number; NumPy writes "1." for 1.
func (p *python) number() bool {
	end := p.pos
	for end < len(p.src) && strings.IndexByte("+-.eE0123456789", p.src[end]) >= 0 {
		end++
	}
	word := strings.TrimSuffix(p.src[p.pos:end], ".")
	if !json.Valid([]byte(word)) {
		return false
	}
	p.out.WriteString(word)
	p.pos = end
	return true
}

func (p *python) items(depth int, end byte) bool {
	p.out.WriteByte('[')
	for n := 0; !p.take(end); n++ {
		if n > 0 {
			p.out.WriteByte(',')
		}
		if !p.value(depth + 1) {
			return false
		}
		p.take(',')
	}
	p.out.WriteByte(']')
	return true
}

func (p *python) entries(depth int) bool {
	p.out.WriteByte('{')
	for n := 0; !p.take('}'); n++ {
		if n > 0 {
			p.out.WriteByte(',')
		}
		p.space()
		key, ok := p.text()
		if !ok || !p.take(':') {
			return false
		}
		p.out.Write(Encode(key))
		p.out.WriteByte(':')
		if !p.value(depth + 1) {
			return false
		}
		p.take(',')
	}
	p.out.WriteByte('}')
	return true
}

// pythonEscapes are those of one letter.
var pythonEscapes = map[byte]string{'n': "\n", 't': "\t", 'r': "\r", '\\': "\\", '\'': "'", '"': `"`, '\n': "",
	'a': "\a", 'b': "\b", 'f': "\f", 'v': "\v"}

// text reads a text in single or double quotes.
func (p *python) text() (string, bool) {
	if p.pos >= len(p.src) || p.src[p.pos] != '\'' && p.src[p.pos] != '"' {
		return "", false
	}
	quote := p.src[p.pos]
	var b strings.Builder
	for p.pos++; p.pos < len(p.src); {
		switch c := p.src[p.pos]; {
		case c == quote:
			p.pos++
			return b.String(), utf8.ValidString(b.String())
		case c != '\\':
			b.WriteByte(c)
			p.pos++
		default:
			n, ok := p.escape(&b)
			if !ok {
				return "", false
			}
			p.pos += n
		}
	}
	return "", false
}

// escape writes what the backslash at the position stands for, and returns its length. What Python does not write is
// not read.
func (p *python) escape(b *strings.Builder) (length int, ok bool) {
	if p.pos+1 >= len(p.src) {
		return 0, false
	}
	c := p.src[p.pos+1]
	if words, known := pythonEscapes[c]; known {
		b.WriteString(words)
		return 2, true
	}
	if c >= '0' && c <= '7' {
		return p.octal(b)
	}
	r, n, ok := p.hex(p.pos)
	if !ok {
		return 0, false
	}
	if utf16.IsSurrogate(r) {
		second, m, _ := p.hex(p.pos + n)
		r, n = utf16.DecodeRune(r, second), n+m
		if r == utf8.RuneError {
			return 0, false
		}
	}
	b.WriteRune(r)
	return n, true
}

// octal writes the letter that up to three octal digits stand for.
func (p *python) octal(b *strings.Builder) (length int, ok bool) {
	r := rune(0)
	for length = 1; length <= 3 && p.pos+length < len(p.src); length++ {
		c := p.src[p.pos+length]
		if c < '0' || c > '7' {
			break
		}
		r = r<<3 | rune(c-'0')
	}
	b.WriteRune(r)
	return length, true
}

// hex reads a letter that is written with its number, and returns the length of that.
func (p *python) hex(pos int) (r rune, length int, ok bool) {
	if pos+1 >= len(p.src) || p.src[pos] != '\\' {
		return 0, 0, false
	}
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[p.src[pos+1]]
	if digits == 0 || pos+2+digits > len(p.src) {
		return 0, 0, false
	}
	n, err := strconv.ParseUint(p.src[pos+2:pos+2+digits], 16, 32)
	if err != nil || n > utf8.MaxRune {
		return 0, 0, false
	}
	return rune(n), 2 + digits, true
}
