package importers

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"

	"sanad/internal/domain"
)

// ErrMalformed is the cause in every error about the JSON itself (a duplicate key, invalid UTF-8, a lone surrogate,
// trailing data, a cut input, nesting over MaxDepth), so that the API can answer 400 to it and 422 to what the JSON
// says (rule F-2): errors.Is(err, ErrMalformed).
var ErrMalformed = errors.New("malformed JSON")

// MaxDepth is how deep arrays and objects may be nested (rule F-2).
const MaxDepth = 64

// Strict says how Decode reads.
type Strict struct {
	MaxBytes int            // largest input, 0 for the package's MaxBytes
	Limits   map[string]int // for fields tagged `limit:"name"`: most items of an array or object, most code points of a text
	// Unknown is called for each field that the target does not have, with its path and compact JSON; nil refuses such fields.
	Unknown func(path string, raw json.RawMessage)
	Ignore  bool // such fields are passed over instead: providers add theirs every month
	// UnknownBytes is how much Unknown may be given in all, paths and JSON together, 0 for no limit.
	UnknownBytes int
	// OneLine: data is a line of a file, of which the caller says the number: faults of the JSON name the column alone
	OneLine bool
}

// MaxBytes is the largest input unless another limit is given (rule SEC-9).
const MaxBytes = 128 << 20

// Decode reads the one JSON value that data holds into v, a pointer. It is encoding/json made strict: keys match
// exactly, and duplicate keys, invalid UTF-8, lone surrogates, trailing data, nesting over MaxDepth, numbers beyond
// 2^53−1, null inside arrays and wrong types are refused. v may be built of structs (tags json, limit, and need, which
// says what to give where a required field is absent), pointers, slices, maps by string, strings, bools, whole numbers,
// floats, json.RawMessage, any, and encoding.TextUnmarshaler. null leaves a field as it is. `limit` is a number or a
// name in opt.Limits.
// Every error is a *domain.Error with Path and a Msg that says what is wrong and what to do: Invalid, or TooLarge.
// On error v holds a part of the value and must not be used.
func Decode(data []byte, v any, opt Strict) error {
	if err := checkSize(len(data), opt.MaxBytes); err != nil {
		return err
	}
	src := string(data)
	err := decode(src, v, opt)
	if err != nil && !errors.Is(err, ErrMalformed) {
		// what is wrong with the JSON itself is said first, wherever it stands
		if malformed := (&decoder{src: src, opt: opt}).whole(reflect.Value{}); malformed != nil {
			return malformed
		}
	}
	return err
}

// decode is Decode for what is known to be well-formed. Texts in v are parts of src.
func decode(src string, v any, opt Strict) error {
	return (&decoder{src: src, opt: opt}).whole(reflect.ValueOf(v).Elem())
}

// whole reads the one value that the input is into v; the zero reflect.Value only checks it.
func (d *decoder) whole(v reflect.Value) error {
	return d.only(func() error { return d.value(v, "") })
}

// only reads the one value that the input is.
func (d *decoder) only(read func() error) error {
	if strings.HasPrefix(d.src, "\ufeff") {
		return d.malformed("The input begins with a byte order mark; save it as UTF-8 without one.")
	}
	if d.peek() == 0 && d.pos == len(d.src) {
		return d.malformed("The input is empty; send a JSON object.")
	}
	if err := read(); err != nil {
		return err
	}
	if d.space(); d.pos < len(d.src) {
		return d.malformed("More follows after the end of the value; send one JSON value only.")
	}
	return nil
}

// DecodeStrict is Decode for the bodies of the API: unknown fields are refused and no limits stand but MaxBytes.
func DecodeStrict(data []byte, v any) error { return Decode(data, v, Strict{}) }

// decoder is the state of one Decode: where it stands in the text, and in the value.
type decoder struct {
	src  string
	pos  int
	path []step
	opt  Strict
	// depth counts open arrays and objects; it may differ from len(path), which has no step for an empty one
	depth int
	kept  int // bytes that opt.Unknown was given
}

// open goes one level down.
func (d *decoder) open() error {
	if d.depth++; d.depth > MaxDepth {
		return d.malformed("This is nested deeper than %d levels; flatten it.", MaxDepth)
	}
	d.pos++
	return nil
}

func (d *decoder) fault(kind domain.Kind, cause error, format string, args ...any) error {
	return &domain.Error{Kind: kind, Op: "importers.Decode", Path: pathOf(d.path, true), Msg: fmt.Sprintf(format, args...), Err: cause}
}

// malformed is an error about the JSON itself, with the line and column where it stands.
func (d *decoder) malformed(format string, args ...any) error {
	before := d.src[:min(d.pos, len(d.src))]
	line := strings.Count(before, "\n") + 1
	column := utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
	if d.opt.OneLine {
		return d.fault(domain.Invalid, ErrMalformed, "column %d: %s", column, fmt.Sprintf(format, args...))
	}
	return d.fault(domain.Invalid, ErrMalformed, "Line %d, column %d: %s", line, column, fmt.Sprintf(format, args...))
}

// cut is the error for an input that ends too early.
func (d *decoder) cut() error {
	d.pos = len(d.src)
	return d.malformed("The input ends here, in the middle of a value (after %s bytes); send the whole of it.", grouped(len(d.src)))
}

// unexpected is the error for a byte that cannot stand here.
func (d *decoder) unexpected(wanted string) error {
	if d.pos >= len(d.src) {
		return d.cut()
	}
	r, size := utf8.DecodeRuneInString(d.src[d.pos:])
	if r == utf8.RuneError && size == 1 {
		return d.notUTF8(d.pos, d.pos+1)
	}
	return d.malformed("%q cannot stand here; %s is expected.", r, wanted)
}

// notUTF8 is the error for the first byte between from and to that is no UTF-8.
func (d *decoder) notUTF8(from, to int) error {
	for i := from; i < to; {
		r, size := utf8.DecodeRuneInString(d.src[i:])
		if r == utf8.RuneError && size == 1 {
			d.pos = i
			break
		}
		i += size
	}
	return d.malformed("Byte 0x%02X is not UTF-8; save the input as UTF-8.", d.src[d.pos])
}

// invalid is an error about what the JSON says.
func (d *decoder) invalid(format string, args ...any) error {
	return d.fault(domain.Invalid, nil, format, args...)
}

// mismatch is the error for a value of another type than wanted.
func (d *decoder) mismatch(wanted string) error {
	if d.depth == 0 {
		return d.invalid("The whole is %s; send %s.", found(d.peek()), wanted)
	}
	return d.invalid("This is %s; give %s.", found(d.peek()), wanted)
}

// found names the type of the value that begins with c.
func found(c byte) string {
	switch c {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a text"
	case 't', 'f':
		return "true or false"
	case 'n':
		return "null"
	}
	return "a number"
}

// grouped writes n with commas between the thousands.
func grouped(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
