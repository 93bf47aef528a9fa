package strictjson

import (
	"io"
	"strings"

	"sanad/internal/words"
)

// MaxMembers is how many members one object may have, and MaxItems how many items a list that is decoded may have,
// unless its field names another limit: an empty item takes hundreds of bytes once it is a struct.
const (
	MaxMembers = 100_000
	MaxItems   = 100_000
)

// bytesPerValue is how many bytes an input may have for each of its values: real ones have far more, and an input that
// is all empty items takes a hundred times its bytes in memory.
const bytesPerValue = 16

// MaxValues returns how many values an input of at most maxBytes bytes may have: items of lists, members of objects,
// and the lists and objects themselves. 0 stands for MaxBytes.
func MaxValues(maxBytes int) int {
	if maxBytes <= 0 {
		maxBytes = MaxBytes
	}
	return max(MaxMembers, maxBytes/bytesPerValue)
}

// Counter is a reader of JSON that counts its values on the way, so that an input with too many is refused before
// memory is asked for them. It holds nothing of the input but the path to where it is, and leaves all other faults to
// the decoder. Several values may follow one another, as in JSONL.
type Counter struct {
	from io.Reader
	most int

	values  int
	open    []level // the first MaxDepth levels
	deeper  int     // levels beyond them
	text    bool    // within a text
	escaped bool    // after a backslash
	plain   bool    // within a number or a word
	naming  bool    // the text is a key
	key     []byte  // the beginning of that key
	err     error
}

// level is an open list or object.
type level struct {
	object bool
	named  bool // of an object: a key was read, and its value comes
	n      int  // items or members so far
	key    string
}

// NewCounter returns a reader of from that fails with an *Error at the value after the most.
func NewCounter(from io.Reader, most int) *Counter { return &Counter{from: from, most: most} }

// Values returns how many values have begun so far.
func (c *Counter) Values() int { return c.values }

// Read reads on. What belongs to values beyond the most is not passed on.
func (c *Counter) Read(p []byte) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	n, err := c.from.Read(p)
	if c.count(p[:n]); c.err != nil {
		return 0, c.err
	}
	return n, err
}

func (c *Counter) count(p []byte) {
	for i := 0; i < len(p) && c.err == nil; i++ {
		b := p[i]
		if c.text {
			c.within(b)
			continue
		}
		switch b {
		case ' ', '\t', '\r', '\n', ',', ':':
			c.plain = false
		case '}', ']':
			c.plain = false
			c.close()
		case '"':
			c.text, c.plain = true, false
			if c.naming = c.namesNext(); c.naming {
				c.key = c.key[:0]
				break
			}
			c.begin()
		case '{', '[':
			c.plain = false
			if c.begin(); c.err == nil {
				c.enter(b == '{')
			}
		default:
			if !c.plain {
				c.plain = true
				c.begin()
			}
		}
	}
}

// within takes a byte of a text.
func (c *Counter) within(b byte) {
	switch {
	case c.escaped:
		c.escaped = false
	case b == '\\':
		c.escaped = true
	case b == '"':
		c.text = false
		if c.naming {
			top := &c.open[len(c.open)-1]
			top.named, top.key = true, string(c.key)
		}
		return
	}
	if c.naming && len(c.key) <= MaxKey {
		c.key = append(c.key, b)
	}
}

// namesNext reports whether a text that begins now is a key.
func (c *Counter) namesNext() bool {
	return c.deeper == 0 && len(c.open) > 0 && c.open[len(c.open)-1].object && !c.open[len(c.open)-1].named
}

// begin counts a value.
func (c *Counter) begin() {
	c.values++
	if len(c.open) > 0 && c.deeper == 0 {
		top := &c.open[len(c.open)-1]
		top.named = false
		if top.n++; top.object && top.n > MaxMembers {
			c.fault(len(c.open)-1, "json_entries", MaxMembers)
			return
		}
	}
	if c.values > c.most {
		c.fault(len(c.open), "json_values", c.most)
	}
}

func (c *Counter) enter(object bool) {
	if len(c.open) == MaxDepth {
		c.deeper++
		return
	}
	c.open = append(c.open, level{object: object})
}

func (c *Counter) close() {
	switch {
	case c.deeper > 0:
		c.deeper--
	case len(c.open) > 0:
		c.open = c.open[:len(c.open)-1]
	}
}

// fault refuses the input at a place within the first levels.
func (c *Counter) fault(levels int, id string, most int) {
	var path []step
	for _, l := range c.open[:levels] {
		path = append(path, step{key: strings.ToValidUTF8(l.key, "�"), index: l.n - 1, array: !l.object})
	}
	c.err = &Error{Kind: TooLarge, Path: pathOf(path, true), Message: words.Msg(id, "N", most)}
}
