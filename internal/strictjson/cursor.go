package strictjson

import (
	"encoding/json"
	"reflect"
)

// Cursor reads JSON values one after the other, with the same checks as Decode: for files of many values, and for
// finding out what an input is before it is decoded. It must not be used after an error.
type Cursor struct{ d decoder }

// NewCursor returns a cursor at the byte pos of src, where no array or object is open.
func NewCursor(src string, pos int) *Cursor { return &Cursor{decoder{src: src, pos: pos}} }

// NewLooseCursor is NewCursor with Options.Loose.
func NewLooseCursor(src string, pos int) *Cursor {
	return &Cursor{decoder{src: src, pos: pos, opt: Options{Loose: true}}}
}

// Loosed returns the first fault that was let pass by Options.Loose, nil if none.
func (c *Cursor) Loosed() error { return c.d.loosed }

// Pos returns how many bytes were read, including white space that was skipped.
func (c *Cursor) Pos() int { return c.d.pos }

// Peek skips white space and returns the next byte, 0 at the end.
func (c *Cursor) Peek() byte { return c.d.peek() }

// End skips white space and reports whether nothing follows.
func (c *Cursor) End() bool {
	c.d.space()
	return c.d.pos == len(c.d.src)
}

// Take skips white space and the byte b, and reports whether b was there. It makes no error of another byte: to find
// the line of one, all that was read is read again.
func (c *Cursor) Take(b byte) bool {
	if c.d.peek() != b || c.d.pos == len(c.d.src) {
		return false
	}
	c.d.pos++
	return true
}

// Skip skips one value.
func (c *Cursor) Skip() error { return c.d.skip() }

// Value skips one value and returns it as it is written, as a substring of the source.
func (c *Cursor) Value() (string, error) {
	c.d.space()
	from := c.d.pos
	if err := c.d.skip(); err != nil {
		return "", err
	}
	return c.d.src[from:c.d.pos], nil
}

// Raw reads one value and returns it as compact JSON.
func (c *Cursor) Raw() (raw json.RawMessage, err error) {
	err = c.d.raw(reflect.ValueOf(&raw).Elem())
	return raw, err
}

// Text reads one string; Peek must have returned its opening quotation mark.
func (c *Cursor) Text() (string, error) { return c.d.text() }

// Members reads an object; Peek must have returned its brace. It calls visit before the value of each key. If visit
// does not read the value, it is skipped.
func (c *Cursor) Members(visit func(key string) error) error {
	return c.d.members(func(key string) error {
		return c.orSkip(func() error { return visit(key) })
	})
}

// Items reads a list; Peek must have returned its bracket. It calls visit before each item. If visit does not read the
// item, it is skipped.
func (c *Cursor) Items(visit func(i int) error) error {
	i := -1
	return c.d.items(0, func() error {
		i++
		return c.orSkip(func() error { return visit(i) })
	})
}

// orSkip skips the next value, unless visit reads it.
func (c *Cursor) orSkip(visit func() error) error {
	c.d.space()
	start := c.d.pos
	if err := visit(); err != nil {
		return err
	}
	if c.d.pos == start {
		return c.d.skip()
	}
	return nil
}

// Whole calls read, which must read the whole source: only white space may surround what it reads.
func (c *Cursor) Whole(read func() error) error { return c.d.only(read) }
