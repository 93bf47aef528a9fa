package importers

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/strictjson"
)

// largeSession is from how many bytes on a session is read in parts.
const largeSession = 8 << 20

// ReadAgain is Read for a file that can be opened twice: a large session of our own format is read in parts, so that
// neither the file nor, with opt.TextDir, the texts of its documents are in memory. The caller closes the result.
func ReadAgain(open func() (io.ReadCloser, error), size int64, opt Options) (*Result, error) {
	opt = opt.withDefaults()
	if err := checkSize(int(size), opt.Bytes); err != nil {
		return nil, err
	}
	from, err := open()
	if err != nil {
		return nil, err
	}
	if size >= opt.large {
		r, ok := inParts(from, size, opt)
		if ok {
			return r, from.Close()
		}
		if err := from.Close(); err != nil {
			return nil, err
		}
		if from, err = open(); err != nil {
			return nil, err
		}
	}
	defer from.Close() //nolint:errcheck // opened for reading only
	return ReadFrom(from, size, opt)
}

// inParts reads a session of our own format one document and one claim at a time. It returns false for whatever it does
// not read, which then is read as a whole: other formats, fields that the format does not have, members in an unusual
// order, and every fault, since only the whole tells which fault comes first.
func inParts(from io.Reader, size int64, opt Options) (_ *Result, ok bool) {
	b := newBuilder(opt)
	if opt.TextDir != "" {
		texts, err := newTextFile(opt.TextDir)
		if err != nil {
			return nil, false
		}
		b.texts = texts
		defer func() {
			if !ok {
				_ = texts.close()
			}
		}()
	}
	p := &partReader{builder: b, in: bufio.NewReaderSize(from, window), size: int(size)}
	r, err := p.read()
	if err != nil {
		return nil, false
	}
	r.texts = b.texts
	return r, true
}

// partReader is the reading of a session in parts.
type partReader struct {
	*builder

	in     *bufio.Reader
	size   int // bytes of the input
	passed int // of values that were read
	buf    []byte
	answer bool // there is an answer
	done   map[string]bool
	ids    []string // those given, of the list that is read
}

func (p *partReader) read() (r *Result, err error) {
	defer Recovered(&err)
	if err := p.session(); err != nil {
		return nil, err
	}
	return p.ownResult(), nil
}

// errNotStreamed says that an input cannot be read in parts.
var errNotStreamed = errors.New("to be read as a whole")

// session reads the object that is the whole input.
func (p *partReader) session() error {
	p.done = map[string]bool{}
	if err := p.take('{'); err != nil {
		return err
	}
	for i := 0; ; i++ {
		c, err := p.peek()
		if err != nil {
			return err
		}
		if c == '}' {
			break
		}
		if i > 0 {
			if err := p.take(','); err != nil {
				return err
			}
		}
		if err := p.member(); err != nil {
			return err
		}
	}
	if err := p.take('}'); err != nil {
		return err
	}
	if _, err := p.peek(); !errors.Is(err, io.EOF) {
		return errNotStreamed
	}
	if !p.done["format"] || !p.done["session"] || !p.done["documents"] {
		return errNotStreamed
	}
	if !p.done["claims"] {
		if !p.answer {
			return errNotStreamed
		}
		return p.ownClaims(nil)
	}
	return nil
}

// member reads one member. What is built from several is built in the same order as from the whole: session, documents,
// claims.
func (p *partReader) member() error {
	src, err := p.value()
	if err != nil {
		return err
	}
	if err := p.take(':'); err != nil {
		return err
	}
	var key string
	if err := p.decode(src, &key); err != nil || p.done[key] {
		return errNotStreamed
	}
	p.done[key] = true
	switch {
	case key == "format":
		src, err := p.value()
		if err != nil || src != `"`+SessionFormat+`"` {
			return errNotStreamed
		}
		return nil
	case key == "session" && !p.done["documents"] && !p.done["claims"]:
		return p.headPart()
	case key == "documents" && p.done["session"] && !p.done["claims"]:
		return p.documentParts()
	case key == "claims" && p.done["session"] && p.done["documents"]:
		return p.claimParts()
	}
	return errNotStreamed
}

func (p *partReader) headPart() error {
	src, err := p.value()
	if err != nil {
		return err
	}
	var w sessionWire
	if !strings.HasPrefix(src, "{") || p.decode(src, &w) != nil {
		return errNotStreamed
	}
	p.answer = strings.TrimSpace(w.Answer) != ""
	p.s.Format = SessionFormat
	return p.head(&w)
}

func (p *partReader) documentParts() error {
	n := 0
	err := p.items(func(src string) error {
		var w documentWire
		if n++; n > p.opt.Documents || p.decode(src, &w) != nil {
			return errNotStreamed
		}
		return p.addDocument(&w, p.key(w.ID, documentKeysOf))
	})
	if err != nil {
		return err
	}
	if n == 0 {
		return p.documents(nil)
	}
	if err := p.checkKeys(documentKeysOf, func(i int) string { return p.s.Documents[i].Key }); err != nil {
		return err
	}
	return p.supersessions()
}

func (p *partReader) claimParts() error {
	find := newLocator(p.s.Answer)
	p.ids, p.buf = nil, nil // a claim is shorter than a document
	first := p.passed
	err := p.items(func(src string) error {
		var w ownClaim
		if len(p.ids) >= p.opt.Claims || p.decode(src, &w) != nil {
			return errNotStreamed
		}
		p.makeRoom(p.passed - first)
		return p.ownClaim(&w, p.key(w.ID, claimKeysOf), find)
	})
	if err != nil {
		return err
	}
	if len(p.ids) == 0 {
		if !p.answer {
			return errNotStreamed
		}
		return p.ownClaims([]ownClaim{})
	}
	return p.checkKeys(claimKeysOf, func(i int) string { return p.s.Claims[i].Key })
}

// makeRoom gives the list of claims room for those that follow, by the bytes that those read so far took: to append one
// by one would hold most of them twice each time that the list grows.
func (p *partReader) makeRoom(took int) {
	n := len(p.s.Claims)
	if n < cap(p.s.Claims) || n < 64 {
		return
	}
	more := (p.size - p.passed) / max(1, took/n)
	p.s.Claims = slices.Grow(p.s.Claims, min(max(1, more+more/64), p.opt.Claims-n))
}

// key returns the id of the next item: its own, or the one that it gets if no other item has it.
func (p *partReader) key(id string, of keysOf) string {
	p.ids = append(p.ids, id)
	if id = strings.TrimSpace(id); id == "" {
		return fmt.Sprintf(of.format, len(p.ids))
	}
	return id
}

// checkKeys refuses a list whose items get other ids than key gave them.
func (p *partReader) checkKeys(of keysOf, given func(int) string) error {
	keys, err := uniqueKeys(len(p.ids), of, func(i int) string { return p.ids[i] })
	if err != nil {
		return err
	}
	for i, key := range keys {
		if key != given(i) {
			return errNotStreamed
		}
	}
	return nil
}

// decode decodes one part, in which nothing may be unknown.
func (p *partReader) decode(src string, into any) error {
	return strictjson.DecodeText(src, into, strictjson.Options{Limits: p.opt.limits(), Copy: true})
}

// items reads a list, and calls do for each item.
func (p *partReader) items(do func(src string) error) error {
	if err := p.take('['); err != nil {
		return err
	}
	for i := 0; ; i++ {
		c, err := p.peek()
		if err != nil {
			return err
		}
		if c == ']' {
			return p.take(']')
		}
		if i > 0 {
			if err := p.take(','); err != nil {
				return err
			}
		}
		src, err := p.value()
		if err != nil {
			return err
		}
		if err := do(src); err != nil {
			return err
		}
	}
}

// peek skips white space and returns the next byte.
func (p *partReader) peek() (byte, error) {
	for {
		c, err := p.in.ReadByte()
		if err != nil {
			return 0, err
		}
		if !strings.ContainsRune(" \t\r\n", rune(c)) {
			return c, p.in.UnreadByte()
		}
	}
}

// take reads the byte c.
func (p *partReader) take(c byte) error {
	if got, err := p.peek(); err != nil || got != c {
		return errNotStreamed
	}
	_, err := p.in.ReadByte()
	return err
}

// value returns the next value as it is written. It finds its end by brackets and quotation marks alone: whether it is
// JSON is seen when it is decoded.
func (p *partReader) value() (string, error) {
	c, err := p.peek()
	if err != nil {
		return "", err
	}
	p.buf = p.buf[:0]
	end := valueEnd{plain: c != '{' && c != '[' && c != '"'}
	for {
		held, err := p.in.Peek(max(1, p.in.Buffered()))
		if err != nil {
			return "", err
		}
		n, over := end.find(held)
		if len(p.buf)+n > p.opt.Bytes {
			return "", domain.Refuse(domain.TooLarge, "", "refused_value_long")
		}
		p.buf, p.passed = append(p.buf, held[:n]...), p.passed+n
		if _, err := p.in.Discard(n); err != nil {
			return "", err
		}
		if over {
			return string(p.buf), nil
		}
	}
}

// valueEnd finds where a value ends, over several pieces of it.
type valueEnd struct {
	plain   bool // a number or a word: it ends before what follows
	depth   int
	text    bool // in a string
	escaped bool // after a backslash
}

// find returns how many bytes of a piece belong to the value, and whether it ends there.
func (e *valueEnd) find(piece []byte) (n int, over bool) {
	for i, c := range piece {
		switch {
		case e.escaped:
			e.escaped = false
		case e.text && c == '\\':
			e.escaped = true
		case e.text && c != '"':
		case e.plain && (c == ',' || c == '}' || c == ']' || c == ':' || c <= ' '):
			return i, true
		case e.plain:
		case c == '"':
			if e.text = !e.text; !e.text && e.depth == 0 {
				return i + 1, true
			}
		case c == '{' || c == '[':
			e.depth++
		case c == '}' || c == ']':
			if e.depth--; e.depth == 0 {
				return i + 1, true
			}
		}
	}
	return len(piece), false
}
