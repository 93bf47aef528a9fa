// Package block holds what readers of files have in common: blocks of text with headings and pages, tables, text as it
// is shown, formulas, archives of XML, and the bounds of them all.
package block

import (
	"bufio"
	"io"
	"strings"

	"golang.org/x/net/html"

	"sanad/internal/isolated"
	"sanad/internal/words"
)

// Bounds of an uploaded Word or HTML file (rule SEC-9). Sane files stay far below them.
const (
	TagBytes      = 1 << 20   // of one tag of a Word file, with its attributes
	tagAttributes = 1_000     // of one tag of an HTML file, whose pictures may make a tag long
	MostTags      = 1_000_000 // of an HTML file
	MostCells     = 1_000_000 // of all tables
	MostBlocks    = 500_000   // headings, paragraphs, list items, table rows
)

// tagReader counts the bytes of each tag, comment or section while encoding/xml reads it. The decoder holds a whole tag
// with its attributes in memory, many times their size, so that a check of what it returns would come too late.
type tagReader struct {
	*bufio.Reader
	n     int  // bytes of the token that is being read
	text  bool // that token is text, which the bound of all parts together covers
	ended bool // the token before was text, which ends with the "<" of the next
}

func newTagReader(r io.Reader) *tagReader { return &tagReader{Reader: bufio.NewReader(r)} }

// ReadByte is what encoding/xml reads with, since it is there.
func (t *tagReader) ReadByte() (byte, error) {
	b, err := t.Reader.ReadByte()
	if t.n == 0 && !t.ended {
		t.text = b != '<'
	}
	if t.n++; t.n > TagBytes && !t.text {
		return 0, isolated.Over(words.Msg("bound_tag", "N", TagBytes))
	}
	return b, err
}

// next begins a token; text says whether the one before was text.
func (t *tagReader) next(text bool) { t.n, t.text, t.ended = 0, false, text }

// CheckTags refuses an HTML page with too many tags, or with too many attributes on one. It holds no more than one tag
// at a time, unlike the parser, which holds a page whole.
func CheckTags(s string) error {
	z := html.NewTokenizer(strings.NewReader(s))
	for tags := 0; ; {
		switch z.Next() {
		case html.ErrorToken:
			return nil // its end; the parser reports any fault
		case html.StartTagToken, html.SelfClosingTagToken:
			if tags++; tags > MostTags {
				return isolated.Over(words.Msg("bound_tags", "N", MostTags))
			}
			if _, more := z.TagName(); more && !fewAttributes(z) {
				return isolated.Over(words.Msg("bound_attributes", "N", tagAttributes))
			}
		}
	}
}

func fewAttributes(z *html.Tokenizer) bool {
	for range tagAttributes {
		if _, _, more := z.TagAttr(); !more {
			return true
		}
	}
	return false
}
