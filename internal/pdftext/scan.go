package pdftext

import (
	"bytes"
	"strconv"
)

// operand is a number, a string, a name or an array of a content stream; dictionaries are skipped.
type operand struct {
	number float64
	text   []byte // of a string or a name
	kind   kind
	list   []operand
}

type kind uint8

const (
	number kind = iota
	str
	name
	list
)

// maxOperands limits the operands of one operator, in content streams and in character maps.
const maxOperands = 200_000

// scanner reads the part of PostScript that content streams and character maps are written in.
type scanner struct {
	data []byte
	at   int
}

// scan calls do for every operator with its operands, until do returns false. It accepts any bytes.
func scan(data []byte, do func(op string, args []operand) bool) {
	s := scanner{data: data}
	var args []operand
	for {
		o, op, more := s.next(0)
		switch {
		case !more:
			return
		case op == "":
			if len(args) < maxOperands {
				args = append(args, o)
			}
		case op == "BI":
			if !do(op, []operand{{kind: name, text: s.inlineImage()}}) {
				return
			}
			args = args[:0]
		default:
			if !do(op, args) {
				return
			}
			args = args[:0]
		}
	}
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' || c == 0
}

func isDelimiter(c byte) bool { return bytes.IndexByte([]byte("()<>[]{}/%"), c) >= 0 }

func (s *scanner) skip() {
	for s.at < len(s.data) {
		switch c := s.data[s.at]; {
		case isSpace(c):
			s.at++
		case c == '%':
			for s.at < len(s.data) && s.data[s.at] != '\n' && s.data[s.at] != '\r' {
				s.at++
			}
		default:
			return
		}
	}
}

// maxDepth limits nested arrays; deeper ones are flattened.
const maxDepth = 16

// next returns the next operand or operator; more is false at the end.
func (s *scanner) next(depth int) (o operand, op string, more bool) {
	s.skip()
	if s.at >= len(s.data) {
		return o, "", false
	}
	switch c := s.data[s.at]; {
	case c == '(':
		s.at++
		return operand{kind: str, text: s.literal()}, "", true
	case c == '<' && s.peek(1) == '<', c == '>' && s.peek(1) == '>':
		s.at += 2
		return operand{kind: name}, "", true
	case c == '<':
		s.at++
		return operand{kind: str, text: s.hex()}, "", true
	case c == '/':
		s.at++
		return operand{kind: name, text: s.word()}, "", true
	case c == '[' && depth < maxDepth:
		s.at++
		return s.array(depth), "", true
	case isDelimiter(c):
		s.at++
		return operand{kind: name}, "", true
	}
	w := s.word()
	if f, err := strconv.ParseFloat(string(w), 64); err == nil && f > -1e9 && f < 1e9 {
		return operand{number: f}, "", true
	}
	return o, string(w), true
}

func (s *scanner) peek(n int) byte {
	if s.at+n < len(s.data) {
		return s.data[s.at+n]
	}
	return 0
}

func (s *scanner) word() []byte {
	from := s.at
	for s.at < len(s.data) && !isSpace(s.data[s.at]) && !isDelimiter(s.data[s.at]) {
		s.at++
	}
	return s.data[from:s.at]
}

func (s *scanner) array(depth int) operand {
	o := operand{kind: list}
	for {
		s.skip()
		if s.at >= len(s.data) {
			return o
		}
		if s.data[s.at] == ']' {
			s.at++
			return o
		}
		item, op, more := s.next(depth + 1)
		if !more {
			return o
		}
		if op == "" && len(o.list) < maxOperands {
			o.list = append(o.list, item)
		}
	}
}

var escapes = map[byte]byte{'n': '\n', 'r': '\r', 't': '\t', 'b': '\b', 'f': '\f'}

// literal reads a string after its opening parenthesis.
func (s *scanner) literal() []byte {
	var out []byte
	for depth := 1; s.at < len(s.data); {
		c := s.data[s.at]
		s.at++
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return out
			}
		case '\\':
			out = s.escape(out)
			continue
		}
		out = append(out, c)
	}
	return out
}

func (s *scanner) escape(out []byte) []byte {
	if s.at >= len(s.data) {
		return out
	}
	c := s.data[s.at]
	s.at++
	switch {
	case c >= '0' && c <= '7':
		n := int(c - '0')
		for i := 0; i < 2 && s.at < len(s.data) && s.data[s.at] >= '0' && s.data[s.at] <= '7'; i++ {
			n = n*8 + int(s.data[s.at]-'0')
			s.at++
		}
		return append(out, byte(n))
	case c == '\r':
		if s.peek(0) == '\n' {
			s.at++
		}
		return out
	case c == '\n':
		return out
	case escapes[c] != 0:
		return append(out, escapes[c])
	}
	return append(out, c)
}

// hex reads a string after its "<".
func (s *scanner) hex() []byte {
	var out []byte
	half, n := byte(0), 0
	for s.at < len(s.data) {
		c := s.data[s.at]
		s.at++
		if c == '>' {
			break
		}
		d := bytes.IndexByte([]byte("0123456789abcdef"), c|0x20)
		if c >= '0' && c <= '9' {
			d = int(c - '0')
		}
		if d < 0 {
			continue
		}
		if n++; n%2 == 1 {
			half = byte(d) << 4
		} else {
			out = append(out, half|byte(d))
		}
	}
	if n%2 == 1 {
		out = append(out, half)
	}
	return out
}

// inlineImage skips the bytes of an image that is embedded in the stream, and returns those of its dictionary.
func (s *scanner) inlineImage() (dict []byte) {
	i := bytes.Index(s.data[s.at:], []byte("ID"))
	if i < 0 {
		s.at = len(s.data)
		return nil
	}
	dict = s.data[s.at : s.at+i]
	for s.at += i + 2; s.at < len(s.data); {
		j := bytes.Index(s.data[s.at:], []byte("EI"))
		if j < 0 {
			s.at = len(s.data)
			return dict
		}
		s.at += j + 2
		if isSpace(s.data[s.at-3]) && (s.at >= len(s.data) || isSpace(s.data[s.at])) {
			return dict
		}
	}
	return dict
}

// isStencil reports whether the dictionary of an image that is embedded in the stream says that it is a mask for paint.
func isStencil(dict []byte) bool {
	words := bytes.Fields(dict)
	for i := 1; i < len(words); i++ {
		if k := string(words[i-1]); string(words[i]) == "true" && (k == "/IM" || k == "/ImageMask") {
			return true
		}
	}
	return false
}
