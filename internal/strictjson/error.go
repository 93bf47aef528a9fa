package strictjson

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"sanad/internal/words"
)

// Kind says what an error is about.
type Kind int

// The kinds of errors.
const (
	Malformed Kind = iota // the JSON itself
	Invalid               // what the JSON says
	TooLarge              // a limit on bytes, items or characters
)

// ErrMalformed is the cause of every Malformed error (a duplicate key, invalid UTF-8, a lone surrogate, trailing data,
// a truncated input, nesting over MaxDepth, a number that is not represented exactly). The API answers 400 to it, and
// 422 to errors in the content (rule F-2).
var ErrMalformed = errors.New("malformed JSON")

// ErrCut is the cause, which is an ErrMalformed too, where the input ends in the middle of a value.
var ErrCut = fmt.Errorf("%w: cut off", ErrMalformed)

// Error is a fault with its place.
type Error struct {
	Kind Kind
	Path string // "claims[3].start_offset"; "" for the whole
	Err  error  // the cause, nil if none: ErrMalformed for Malformed, else the error of a type's own parser

	Message words.Message // what is wrong and what to do; names keys of the input, cut to MaxKey bytes
}

// Error returns path, message and cause.
func (e *Error) Error() string {
	s := e.Message.String()
	if e.Path != "" {
		s = e.Path + ": " + s
	}
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

func (d *decoder) fault(kind Kind, cause error, id string, args ...any) error {
	return &Error{Kind: kind, Path: pathOf(d.path, true), Err: cause, Message: words.Msg(id, args...)}
}

// malformed returns an error about the JSON itself, with its line and column.
func (d *decoder) malformed(id string, args ...any) error {
	before := d.src[:min(d.pos, len(d.src))]
	line := strings.Count(before, "\n") + 1
	column := utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
	at := words.Msg("json_column", "Column", column, "Why", words.Msg(id, args...))
	if !d.opt.OneLine {
		at = words.Msg("json_line", "Line", line, "What", at)
	}
	return &Error{Kind: Malformed, Path: pathOf(d.path, true), Err: ErrMalformed, Message: at}
}

// cut returns the error for an input that ends too early.
func (d *decoder) cut() error {
	d.pos = len(d.src)
	return causedBy(ErrCut, d.malformed("json_cut", "N", len(d.src)))
}

// causedBy returns an error of this package with another cause.
func causedBy(cause, err error) error {
	var of *Error
	if !errors.As(err, &of) {
		return err
	}
	out := *of
	out.Err = cause
	return &out
}

// unexpected returns the error for a byte that is not allowed here; wanted is the id of what is.
func (d *decoder) unexpected(wanted string) error {
	if d.pos >= len(d.src) {
		return d.cut()
	}
	r, size := utf8.DecodeRuneInString(d.src[d.pos:])
	if r == utf8.RuneError && size == 1 {
		return d.notUTF8(d.pos, d.pos+1)
	}
	if w := noNumber(d.src[d.pos:]); w != "" {
		return d.malformed("json_nan", "Name", w)
	}
	return d.malformed("json_stands", "Name", strconv.QuoteRune(r), "Wanted", words.Msg(wanted))
}

// notUTF8 returns the error for the first byte between from and to that is not UTF-8.
func (d *decoder) notUTF8(from, to int) error {
	for i := from; i < to; {
		r, size := utf8.DecodeRuneInString(d.src[i:])
		if r == utf8.RuneError && size == 1 {
			d.pos = i
			break
		}
		i += size
	}
	return d.malformed("json_utf8", "Name", fmt.Sprintf("0x%02X", d.src[d.pos]))
}

// invalid returns an error about the content of the JSON.
func (d *decoder) invalid(id string, args ...any) error {
	return d.fault(Invalid, nil, id, args...)
}

// mismatch returns the error for a value of the wrong type; wanted is the id of the right one.
func (d *decoder) mismatch(wanted string) error {
	if d.depth == 0 {
		return d.invalid("json_whole", "What", TypeName(d.peek()), "Wanted", words.Msg(wanted))
	}
	return d.invalid("json_is", "What", TypeName(d.peek()), "Wanted", words.Msg(wanted))
}

// TypeName names the type of the value that begins with c, for messages: "a list".
func TypeName(c byte) words.Message {
	switch c {
	case '{':
		return words.Msg("noun_object")
	case '[':
		return words.Msg("noun_list")
	case '"':
		return words.Msg("noun_text")
	case 't', 'f':
		return words.Msg("noun_bool")
	case 'n':
		return words.Msg("noun_null")
	}
	return words.Msg("noun_number")
}
