package ledger

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"

	"sanad/internal/domain/text"
)

// MaxChunk is the longest chunk, in code points (rule L-20).
const MaxChunk = 1200

// maxGap is the largest gap between two blocks, in code points, that still makes them one stretch of text.
const maxGap = 4

// ChunkBlocks divides a document's blocks into chunks of at most limit code points (MaxChunk for a limit below 1).
//
// A chunk ends between blocks if possible, else between sentences, else between words; it never crosses a page, a part
// of the file or a heading, nor from what was read from a picture to what was not, and headings begin the first chunk
// under them. Every character that is not white space is in exactly one chunk, in order. For consecutive blocks, as
// ParseBlocks returns them, a chunk's text is the document's text at its span; a chunk with a block whose span doesn't
// fit its text has no span.
func ChunkBlocks(blocks []Block, limit int) []Chunk {
	if limit < 1 {
		limit = MaxChunk
	}
	c := chunker{limit: limit}
	for _, b := range withCaptions(blocks) {
		if strings.TrimSpace(b.Text) == "" {
			continue
		}
		if b.Scanned != c.scanned {
			c.flush()
			c.scanned = b.Scanned
		}
		if b.Kind != c.kind { // no heading of the body is above another part
			c.flush()
			c.kind, c.path = b.Kind, nil
		}
		if b.Level > 0 {
			c.heading(b)
		} else {
			c.body(b)
		}
	}
	c.flush()
	return c.out
}

// withCaptions joins each table's caption, the line directly above it, to the table, so that they stay together.
func withCaptions(blocks []Block) []Block {
	out := make([]Block, 0, len(blocks))
	for _, b := range blocks {
		if n := len(out); n > 0 && isCaptionOf(&out[n-1], &b) {
			a := &out[n-1]
			a.Doubtful = append(slices.Clone(a.Doubtful), shifted(b.Doubtful, b.Span.Start-a.Span.Start)...)
			a.Scanned = a.Scanned || b.Scanned
			a.Text += strings.Repeat("\n", b.Span.Start-a.Span.End) + b.Text
			a.Span.End = b.Span.End
			continue
		}
		out = append(out, b)
	}
	return out
}

func isCaptionOf(a, b *Block) bool {
	if !strings.Contains(b.Text, "|") || a.Level > 0 || b.Level > 0 || a.Page != b.Page || a.Kind != b.Kind ||
		!located(*a) || !located(*b) ||
		strings.Contains(a.Text, "|") || text.Len(a.Text) > longCaption+1 {
		return false
	}
	gap := b.Span.Start - a.Span.End
	lines := splitLines(a.Text + strings.Repeat("\n", max(0, min(gap, 1))) + firstLines(b.Text))
	return (gap == 0 && strings.HasSuffix(a.Text, "\n") || gap == 1 && !strings.HasSuffix(a.Text, "\n")) &&
		len(lines) >= 3 && isRuled(lines, 1) && captionLine(lines, 1)
}

// chunker collects pieces of text until the next one doesn't fit.
type chunker struct {
	limit int
	out   []Chunk
	path  []title // headings in force, outermost first

	text     strings.Builder
	length   int
	span     text.Span
	located  bool
	page     int
	kind     PartKind
	scanned  bool
	doubtful []DoubtfulWord // in text
	head     int            // level of the last heading while the chunk has nothing else, 0 otherwise
}

// title is one heading in force.
type title struct {
	level int
	text  string
}

// heading starts a chunk, unless the chunk so far is only the headings above this one.
func (c *chunker) heading(b Block) {
	if c.head == 0 || c.head >= b.Level || c.page != b.Page || c.length+text.Len(b.Text) > c.limit {
		c.flush()
	}
	for len(c.path) > 0 && c.path[len(c.path)-1].level >= b.Level {
		c.path = c.path[:len(c.path)-1]
	}
	if t := headingTitle(b.Text); t != "" {
		c.path = append(c.path, title{b.Level, t})
	}
	alone := c.length == 0
	c.add(b)
	if alone || c.head > 0 {
		c.head = b.Level
	}
}

// body adds a block below its headings: whole if it fits into this or the next chunk, else in parts.
func (c *chunker) body(b Block) {
	if c.length > 0 && c.page != b.Page {
		c.flush()
	}
	n := text.Len(strings.TrimSpace(b.Text))
	if !c.fits(b) && n <= c.limit && c.head == 0 {
		c.flush()
	}
	c.add(b)
	c.head = 0
}

// add puts a block into the chunk, cut where it doesn't fit.
func (c *chunker) add(b Block) {
	if c.fits(b) {
		c.put(b)
		return
	}
	for _, part := range splitBlock(b, c.limit) {
		if !c.fits(part) {
			c.flush()
		}
		c.put(part)
	}
}

// fits reports whether a block still fits, without its outer white space.
func (c *chunker) fits(b Block) bool {
	n := text.Len(strings.TrimSpace(b.Text))
	if c.length == 0 {
		return n <= c.limit
	}
	lead := text.Len(b.Text) - text.Len(strings.TrimLeftFunc(b.Text, unicode.IsSpace))
	return c.length+len(c.gap(b))+lead+n <= c.limit
}

// gap returns the white space between the chunk so far and a block, as in the document.
func (c *chunker) gap(b Block) string {
	between := b.Span.Start - c.span.End
	if !c.located || !located(b) || between < 0 || between > maxGap {
		return "\n\n"
	}
	return strings.Repeat("\n", between)
}

// put appends a block that fits.
func (c *chunker) put(b Block) {
	if c.length > 0 && c.located && located(b) && (b.Span.Start < c.span.End || b.Span.Start > c.span.End+maxGap) {
		c.flush() // not one stretch of the document
	}
	if c.length == 0 {
		trimmed := strings.TrimLeftFunc(b.Text, unicode.IsSpace)
		c.located, c.page = located(b), b.Page
		c.span = text.Span{Start: b.Span.End - text.Len(trimmed), End: b.Span.End}
		c.doubtful = shifted(b.Doubtful, text.Len(trimmed)-text.Len(b.Text))
		c.write(trimmed)
		return
	}
	c.write(c.gap(b))
	c.doubtful = append(c.doubtful, shifted(b.Doubtful, c.length)...)
	c.write(b.Text)
	c.located = c.located && located(b)
	c.span.End = b.Span.End
}

func (c *chunker) write(s string) {
	c.text.WriteString(s)
	c.length += text.Len(s)
}

// flush makes a chunk of the collected pieces.
func (c *chunker) flush() {
	// a copy: the builder has up to as much room again, which the chunk would keep
	trimmed := strings.Clone(strings.TrimRightFunc(c.text.String(), unicode.IsSpace))
	if trimmed != "" {
		ch := Chunk{
			Key: "c" + strconv.Itoa(len(c.out)+1), Position: len(c.out), Page: c.page, Kind: c.kind, HeadingPath: c.titles(),
			Text: trimmed, Hash: ChunkDigest(trimmed), Root: TextDigest(trimmed), Scanned: c.scanned, Doubtful: c.doubtful,
		}
		if c.located {
			ch.Span = &text.Span{Start: c.span.Start, End: c.span.Start + text.Len(trimmed)}
		}
		c.out = append(c.out, ch)
	}
	c.text.Reset()
	c.length, c.head, c.doubtful = 0, 0, nil
}

// titles returns the headings in force; nil if none.
func (c *chunker) titles() []string {
	var out []string
	for _, t := range c.path {
		out = append(out, t.text)
	}
	return out
}

// located reports whether a block's span can be its place in the document.
func located(b Block) bool { return b.Span.Start >= 0 && b.Span.Len() == text.Len(b.Text) }

// HashDigits is the number of digits of a chunk's digest in an anchor.
const HashDigits = 8

// ChunkDigest returns the full SHA-256 hex of a chunk's text in lower case, with white space collapsed and trimmed,
// both as ECMAScript defines them (rule L-10; pinned by vectors/ledger.json).
func ChunkDigest(s string) string {
	out, ok := folded(s)
	if !ok {
		out = foldedInContext(s)
	}
	sum := sha256.Sum256(out)
	return hex.EncodeToString(sum[:])
}

// folded returns what ChunkDigest hashes, computed letter by letter; false if a letter's lower case depends on its
// neighbours (Σ) or is more than one letter (İ), or if s is invalid UTF-8.
func folded(s string) ([]byte, bool) {
	out, gap := make([]byte, 0, len(s)), false
	for i := 0; i < len(s); {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			if r, size = utf8.DecodeRuneInString(s[i:]); r == 'Σ' || r == 'İ' || r == utf8.RuneError && size == 1 {
				return nil, false
			}
		}
		i += size
		if isECMASpace(r) {
			gap = len(out) > 0
			continue
		}
		if gap {
			out, gap = append(out, ' '), false
		}
		switch {
		case r >= 'A' && r <= 'Z':
			out = append(out, byte(r)+'a'-'A')
		case r < utf8.RuneSelf:
			out = append(out, byte(r))
		case r >= 0x590 && r < 0x10A0: // from Hebrew and Arabic to Burmese, letters have no case
			out = append(out, s[i-size:i]...)
		default:
			out = utf8.AppendRune(out, unicode.ToLower(r))
		}
	}
	return out, true
}

// foldedInContext is folded for any text, by full case mapping, as toLowerCase: final sigma, dotted I. It is slow.
func foldedInContext(s string) []byte {
	lower := cases.Lower(language.Und).String(s)
	return []byte(strings.Join(strings.FieldsFunc(lower, isECMASpace), " "))
}

// ChunkHash returns the prefix of ChunkDigest that citations use.
func ChunkHash(s string) string { return ChunkDigest(s)[:HashDigits] }

// TextDigest returns the SHA-256 hex of s.
func TextDigest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// isECMASpace is ECMAScript's \s. It differs from unicode.IsSpace in U+FEFF (in) and U+0085 (out).
func isECMASpace(r rune) bool {
	switch {
	case r >= '\t' && r <= '\r', r == ' ', r == 0xA0, r == 0x1680, r >= 0x2000 && r <= 0x200A:
		return true
	case r == 0x2028, r == 0x2029, r == 0x202F, r == 0x205F, r == 0x3000, r == 0xFEFF:
		return true
	}
	return false
}
