package strictjson

import (
	"bytes"
	"encoding"
	"encoding/json"
	"math"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
)

var (
	jsonType = reflect.TypeFor[json.Unmarshaler]()
	rawType  = reflect.TypeFor[json.RawMessage]()
	skipType = reflect.TypeFor[Skipped]()
	farType  = reflect.TypeFor[Unread]()
	textType = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// Skipped is the type of a field that is known but not read; its value must still be well-formed.
type Skipped struct{}

// value reads the next value into v; with the zero reflect.Value it reads and drops it.
func (d *decoder) value(v reflect.Value, limit string) error {
	c := d.peek()
	if d.opt.Loose && d.noNumber() {
		c = 'n'
	}
	if !strings.ContainsRune(`{["-0123456789tfn`, rune(c)) || d.pos == len(d.src) {
		return d.unexpected("noun_value")
	}
	if d.values++; d.values > MaxValues(d.opt.MaxBytes) {
		return d.fault(TooLarge, nil, "json_values", "N", MaxValues(d.opt.MaxBytes))
	}
	switch {
	case v.IsValid() && v.Type() == rawType:
		return d.raw(v)
	case v.IsValid() && v.Type() == farType:
		return d.unread(v)
	case c == 'n' && d.src[d.pos] != 'n':
		return d.passNoNumber()
	case c == 'n' && d.depth == 0 && v.IsValid() && v.Kind() == reflect.Struct:
		return d.mismatch("noun_object")
	case c == 'n':
		return d.word("null")
	case !v.IsValid() || v.Type() == skipType:
		return d.drop(c)
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return d.value(v.Elem(), limit)
	case v.Kind() == reflect.Interface:
		return d.free(v, c)
	case v.CanAddr() && v.Addr().Type().Implements(jsonType) && !v.Addr().Type().Implements(textType):
		return d.handOver(v)
	case v.CanAddr() && v.Addr().Type().Implements(textType):
		return d.unmarshalText(v, c)
	}
	return d.typed(v, c, limit)
}

// typed reads a value into a target by its reflect.Kind.
func (d *decoder) typed(v reflect.Value, c byte, limit string) error {
	switch v.Kind() {
	case reflect.Struct:
		if c != '{' {
			return d.mismatch("noun_object")
		}
		return d.structure(v)
	case reflect.Map:
		if c != '{' {
			return d.mismatch("noun_object")
		}
		return d.mapping(v, limit)
	case reflect.Slice:
		if c != '[' {
			return d.mismatch("noun_list")
		}
		return d.list(v, limit)
	case reflect.String:
		return d.string(v, c, limit)
	case reflect.Bool:
		return d.bool(v, c)
	case reflect.Float64:
		if c != '-' && (c < '0' || c > '9') {
			return d.mismatch("noun_number")
		}
		f, err := d.number()
		v.SetFloat(f)
		return err
	case reflect.Int, reflect.Int64:
		return d.int(v, c)
	}
	return d.handOver(v)
}

// handOver decodes a target of any other kind with encoding/json.
func (d *decoder) handOver(v reflect.Value) error {
	start := d.pos
	if err := d.skip(); err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(d.src[start:d.pos]), v.Addr().Interface()); err != nil {
		return d.fault(Invalid, err, "json_unread")
	}
	return nil
}

func (d *decoder) string(v reflect.Value, c byte, limit string) error {
	if c != '"' {
		return d.mismatch("noun_quoted")
	}
	s, err := d.text()
	if err != nil {
		return err
	}
	if n := d.limit(limit); n > 0 && len(s) > n && utf8.RuneCountInString(s) > n {
		return d.fault(TooLarge, nil, "json_long", "N", n)
	}
	if d.opt.Copy {
		s = strings.Clone(s) // of one with escapes too, which has room to grow
	}
	v.SetString(s)
	return nil
}

func (d *decoder) bool(v reflect.Value, c byte) error {
	switch c {
	case 't':
		v.SetBool(true)
		return d.word("true")
	case 'f':
		v.SetBool(false)
		return d.word("false")
	}
	return d.mismatch("noun_bool")
}

func (d *decoder) int(v reflect.Value, c byte) error {
	if c != '-' && (c < '0' || c > '9') {
		return d.mismatch("noun_whole")
	}
	f, err := d.number()
	if err != nil {
		return err
	}
	if f != math.Trunc(f) {
		return d.invalid("json_fraction")
	}
	v.SetInt(int64(f))
	return nil
}

// raw reads the value as compact JSON.
func (d *decoder) raw(v reflect.Value) error {
	start := d.pos
	if err := d.skip(); err != nil {
		return err
	}
	if d.opt.Share {
		if out, ok := sharedRaw(d.src[start:d.pos]); ok {
			v.SetBytes(out)
			return nil
		}
	}
	out, _ := compact(d.src[start:d.pos], d.pos-start)
	v.SetBytes(out)
	return nil
}

// skip reads and drops the next value.
func (d *decoder) skip() error { return d.value(reflect.Value{}, "") }

// drop reads and drops a value that begins with c; it must still be well-formed.
func (d *decoder) drop(c byte) (err error) {
	switch c {
	case '{':
		return d.members(func(string) error { return d.skip() })
	case '[':
		return d.items(0, d.skip)
	case '"':
		err = d.pass()
	case 't':
		err = d.word("true")
	case 'f':
		err = d.word("false")
	default:
		_, err = d.anyNumber()
	}
	return err
}

// free reads into an any, with the types that encoding/json would use.
func (d *decoder) free(v reflect.Value, c byte) error {
	var into reflect.Value
	switch c {
	case '{':
		into = reflect.ValueOf(new(map[string]any))
	case '[':
		into = reflect.ValueOf(new([]any))
	case '"':
		into = reflect.ValueOf(new(string))
	case 't', 'f':
		into = reflect.ValueOf(new(bool))
	default:
		into = reflect.ValueOf(new(float64))
	}
	if err := d.typed(into.Elem(), c, ""); err != nil {
		return err
	}
	v.Set(into.Elem())
	return nil
}

// unmarshalText reads into a type that parses its own text, such as time.Time.
func (d *decoder) unmarshalText(v reflect.Value, c byte) error {
	if c != '"' {
		return d.mismatch("noun_quoted")
	}
	s, err := d.text()
	if err != nil {
		return err
	}
	if err := v.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(s)); err != nil {
		return d.fault(Invalid, err, "json_time", "Name", strconv.QuoteToGraphic(clipKey(s, true)))
	}
	return nil
}

// limit returns the number that a limit tag means, 0 if none.
func (d *decoder) limit(name string) int {
	if name == "" {
		return 0
	}
	if n, err := strconv.Atoi(name); err == nil {
		return n
	}
	return d.opt.Limits[name]
}

// compact returns s without white space between its tokens, and false if that has more than most bytes. s must be valid
// JSON, but for NaN and infinities, which become null.
func compact(s string, most int) (out []byte, ok bool) {
	if most < 0 {
		return nil, false
	}
	out = make([]byte, 0, min(len(s), most))
	inText := false
	for i := 0; i < len(s); i++ {
		if len(out) > most {
			return nil, false
		}
		c := s[i]
		switch {
		case inText && c == '\\':
			out = append(out, c, s[i+1])
			i++
			continue
		case c == '"':
			inText = !inText
		case !inText && (c == ' ' || c == '\t' || c == '\n' || c == '\r'):
			continue
		case !inText && (c == 'N' || c == 'I'):
			i += len(noNumber(s[i:])) - 1
			out = append(bytes.TrimSuffix(out, []byte("-")), "null"...)
			continue
		}
		out = append(out, c)
	}
	return out, len(out) <= most
}
