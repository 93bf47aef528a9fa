package strictjson

import (
	"reflect"
	"strings"
)

// Unread is the type of a field that is found now and read later: its value is src[From:To]. The value must be JSON as
// RFC 8259 has it, and may be nested as deeply as it likes; what else makes Decode refuse a value, bytes that are not
// UTF-8 too, is for its reader to say.
type Unread struct{ From, To int }

// In returns the value as it is written in src, which must be what was decoded; "" if there was none.
func (u Unread) In(src string) string { return src[u.From:u.To] }

// unread finds the end of the next value. It does not call itself, so no depth is too much for the stack.
func (d *decoder) unread(v reflect.Value) error {
	d.space()
	from := d.pos
	var open []byte // the brackets that are to come, the outermost first
	for {
		more, err := d.begin(&open)
		if err != nil {
			return err
		}
		for !more {
			if len(open) == 0 {
				v.Set(reflect.ValueOf(Unread{From: from, To: d.pos}))
				return nil
			}
			if more, err = d.follow(&open); err != nil {
				return err
			}
		}
	}
}

// begin reads a value that holds no other, or the beginning of one that does; more is true if a value must follow.
func (d *decoder) begin(open *[]byte) (more bool, err error) {
	switch c := d.peek(); {
	case c == '{' || c == '[':
		end := c + 2 // '}' and ']'
		if d.pos++; d.peek() == end {
			d.pos++
			return false, nil
		}
		*open = append(*open, end)
		if c == '{' {
			return true, d.anyKey()
		}
		return true, nil
	case c == '"':
		return false, d.anyText()
	case c == 't':
		return false, d.word("true")
	case c == 'f':
		return false, d.word("false")
	case c == 'n':
		return false, d.word("null")
	case (c == '-' || c >= '0' && c <= '9') && noNumber(d.src[d.pos:]) == "":
		_, err := d.numeral()
		return false, err
	case d.opt.Loose && noNumber(d.src[d.pos:]) != "":
		return false, d.passNoNumber()
	}
	return false, d.unexpected("noun_value")
}

// follow reads what comes after a value within another; more is true if it is another value.
func (d *decoder) follow(open *[]byte) (more bool, err error) {
	end := (*open)[len(*open)-1]
	switch d.peek() {
	case end:
		d.pos++
		*open = (*open)[:len(*open)-1]
		return false, nil
	case ',':
		d.pos++
		if end == '}' {
			return true, d.anyKey()
		}
		return true, nil
	}
	if end == '}' {
		return false, d.unexpected("noun_brace")
	}
	return false, d.unexpected("noun_bracket")
}

// anyKey reads a key and its colon.
func (d *decoder) anyKey() error {
	if d.peek() != '"' {
		return d.unexpected("noun_key")
	}
	if err := d.anyText(); err != nil {
		return err
	}
	return d.expect(':', "noun_colon")
}

// anyText passes over a text, of which half a surrogate pair may be escaped.
func (d *decoder) anyText() error {
	for d.pos++; d.pos < len(d.src); d.pos++ {
		switch c := d.src[d.pos]; {
		case c == '"':
			d.pos++
			return nil
		case c < ' ':
			return d.malformed("json_control")
		case c == '\\' && strings.HasPrefix(d.src[d.pos:], `\u`):
			if _, err := d.hex4(d.pos + 2); err != nil {
				return err
			}
			d.pos += 5
		case c == '\\':
			if _, err := d.escape(); err != nil {
				return err
			}
			d.pos--
		}
	}
	return d.cut()
}
