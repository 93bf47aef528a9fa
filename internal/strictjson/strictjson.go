// Package strictjson decodes JSON like encoding/json, but strictly (rule F-2), and names the place of every fault. It
// is pure and total: any bytes yield a value or an *Error.
package strictjson

import (
	"cmp"
	"encoding/json"
	"errors"
	"reflect"
	"strings"

	"sanad/internal/words"
)

// MaxDepth is the deepest nesting of arrays and objects (rule F-2).
const MaxDepth = 64

// MaxBytes is the largest input unless another limit is given (rule SEC-9).
const MaxBytes = 128 << 20

// Options says how Decode reads.
type Options struct {
	MaxBytes int // largest input, 0 for the package's MaxBytes
	// Limits are the limits that fields name, as in `limit:"name"`: on items of an array or object, or on code points
	// of a string.
	Limits map[string]int
	// Unknown is called for each field that the target does not have, with its path and compact JSON; nil refuses such
	// fields.
	Unknown func(path string, raw json.RawMessage)
	Ignore  bool // such fields are skipped instead, as providers keep adding fields
	// UnknownBytes limits what is passed to Unknown in total, paths and JSON together; 0 for no limit.
	UnknownBytes int
	// Copy copies every text, so that v does not keep the whole input in memory.
	Copy bool
	// Share makes raw values parts of the input's memory, if they are compact there: nobody may write to them.
	Share bool
	// Loose is for files of other programs: NaN and infinities, which Python writes, are read as null, and numbers beyond
	// 2^53−1 are refused only where a number is asked for.
	Loose bool
	// OneLine is for one line of a file, whose number the caller adds: errors about the JSON name only the column.
	OneLine bool
}

// Decode reads the single JSON value in data into v, a pointer. Unlike encoding/json it matches keys exactly, and
// refuses duplicate keys, invalid UTF-8, lone surrogates, trailing data, nesting over MaxDepth, numbers beyond 2^53−1,
// null inside arrays and wrong types.
//
// v may be built of structs, pointers, slices, maps by string, strings, bools, integers, floats, json.RawMessage, any,
// and encoding.TextUnmarshaler. Fields have the tags json; limit, a number or a name in opt.Limits; and need, for a
// required field, with the id of what the message asks for if it is absent. null leaves a field unchanged.
//
// Every error is an *Error. Errors about the JSON itself come first, wherever they are. After an error v holds a part
// of the value and must not be used.
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

// DecodeText is Decode for JSON of any size that is known to be well-formed. Unless opt says Copy, strings in v are
// substrings of src.
func DecodeText(src string, v any, opt Options) error {
	return (&decoder{src: src, opt: opt}).whole(reflect.ValueOf(v).Elem())
}

// whole reads the input, which must be a single value, into v; with the zero reflect.Value it only checks it.
func (d *decoder) whole(v reflect.Value) error {
	return d.only(func() error { return d.value(v, "") })
}

// only calls read, and checks that nothing but white space surrounds the value that it reads.
func (d *decoder) only(read func() error) error {
	if strings.HasPrefix(d.src, "\ufeff") {
		return d.malformed("json_mark")
	}
	if d.peek() == 0 && d.pos == len(d.src) {
		return d.malformed("json_empty")
	}
	if err := read(); err != nil {
		return err
	}
	if d.space(); d.pos < len(d.src) {
		return d.malformed("json_more")
	}
	return nil
}

// CheckSize refuses an input of more bytes than the limit, 0 for MaxBytes.
func CheckSize(n, limit int) error {
	if limit = cmp.Or(limit, MaxBytes); n > limit {
		return &Error{Kind: TooLarge, Message: words.Msg("json_large", "N", n, "Most", limit)}
	}
	return nil
}

// decoder is the state of one Decode: the position in the text, and the path in the value.
type decoder struct {
	src  string
	pos  int
	path []step
	opt  Options
	// depth counts open arrays and objects. It may differ from len(path), which has no step for an empty one.
	depth  int
	kept   int   // bytes that were passed to opt.Unknown
	values int   // that have begun
	loosed error // the first fault that opt.Loose let pass
}

// open goes one level down.
func (d *decoder) open() error {
	if d.depth++; d.depth > MaxDepth {
		return d.malformed("json_deep", "N", MaxDepth)
	}
	d.pos++
	return nil
}
