// Package strictjson is encoding/json made strict (rule F-2), with the place of every fault. It is pure and total: any
// bytes give a value or an *Error.
package strictjson

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// MaxDepth is how deep arrays and objects may be nested (rule F-2).
const MaxDepth = 64

// MaxBytes is the largest input unless another limit is given (rule SEC-9).
const MaxBytes = 128 << 20

// Options says how Decode reads.
type Options struct {
	MaxBytes int // largest input, 0 for the package's MaxBytes
	// Limits are for fields tagged `limit:"name"`: most items of an array or object, most code points of a text.
	Limits map[string]int
	// Unknown is called for each field that the target does not have, with its path and compact JSON; nil refuses such
	// fields.
	Unknown func(path string, raw json.RawMessage)
	Ignore  bool // such fields are passed over instead: providers add theirs every month
	// UnknownBytes is how much Unknown may be given in all, paths and JSON together, 0 for no limit.
	UnknownBytes int
	// OneLine is for a line of a file, whose number the caller adds: faults of the JSON name the column alone.
	OneLine bool
}

// Decode reads the one JSON value that data holds into v, a pointer. It is encoding/json made strict: keys match
// exactly, and duplicate keys, invalid UTF-8, lone surrogates, trailing data, nesting over MaxDepth, numbers beyond
// 2^53−1, null inside arrays and wrong types are refused. v may be built of structs (tags json, limit, and need, which
// says what to give where a required field is absent), pointers, slices, maps by string, strings, bools, whole numbers,
// floats, json.RawMessage, any, and encoding.TextUnmarshaler. null leaves a field as it is. `limit` is a number or a
// name in opt.Limits.
// Every error is an *Error. What is wrong with the JSON itself is said first, wherever it stands.
// On error v holds a part of the value and must not be used.
func Decode(data []byte, v any, opt Options) error {
	if err := CheckSize(len(data), opt.MaxBytes); err != nil {
		return err
	}
	src := string(data)
	err := DecodeText(src, v, opt)
	if err != nil && !errors.Is(err, ErrMalformed) {
		if malformed := (&decoder{src: src, opt: opt}).whole(reflect.Value{}); malformed != nil {
			return malformed
		}
	}
	return err
}

// DecodeText is Decode for what is known to be well-formed, of any size. Texts in v are parts of src.
func DecodeText(src string, v any, opt Options) error {
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

// CheckSize refuses an input of more bytes than the limit, 0 for MaxBytes.
func CheckSize(n, limit int) error {
	if limit = cmp.Or(limit, MaxBytes); n > limit {
		return &Error{
			Kind: TooLarge,
			Msg: fmt.Sprintf("The input has %s bytes, more than the %s that are read; split it.",
				grouped(n), grouped(limit)),
		}
	}
	return nil
}

// decoder is the state of one Decode: where it stands in the text, and in the value.
type decoder struct {
	src  string
	pos  int
	path []step
	opt  Options
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
