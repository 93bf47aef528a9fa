package typeset

import (
	"strings"

	"golang.org/x/text/unicode/bidi"
)

// The structure tree, which assistive readers use (ISO 32000-1 14.8).

// element is a structure element; its kids are elements and marked content, in reading order.
type element struct {
	role   string
	parent int32 // -1 for the root
	lang   string
	attr   string // attribute dictionary, "" if none
	actual string // its text in reading order, if the page has letters in visual order
	kids   []kid
}

// kid is a child element or, if elem is -1, a piece of marked content on a page.
type kid struct{ elem, page, mcid int32 }

// artifact is the element number of anything that isn't content: headers, footers, rules.
const artifact = int32(-1)

// tree is the structure tree of a document.
type tree struct {
	elements []element
	marked   [][]int32 // the element by page and MCID
}

// add adds an element under a parent and returns its number.
func (t *tree) add(role string, parent int32) int32 {
	at := int32(len(t.elements))
	t.elements = append(t.elements, element{role: role, parent: parent})
	if parent >= 0 {
		p := &t.elements[parent]
		p.kids = append(p.kids, kid{elem: at})
	}
	return at
}

// say records the text of an element if some of it reads from right to left. The page has such letters in visual order;
// readers of the tags get them in reading order (ISO 32000-1 14.9.4). The text is in the tree, never on the page:
// readers that search and copy from the page would reverse it a second time.
func (t *tree) say(elem int32, text string) {
	if elem < 0 || !strings.ContainsFunc(text, isRTL) {
		return
	}
	z := sanitiser{has: func(rune) bool { return true }}
	z.sanitise(text)
	e := &t.elements[elem]
	if len([]rune(e.actual))+len(z.out) >= maxString { // more than a string can hold: half a text would be false
		e.actual = ""
		return
	}
	if e.actual != "" {
		e.actual += " "
	}
	e.actual += strings.ReplaceAll(string(z.out), "\n", " ")
}

func isRTL(r rune) bool { c := class(r); return c == bidi.R || c == bidi.AL }

// plainText returns the text of spans.
func plainText(spans []Span) string {
	var out strings.Builder
	for _, s := range spans {
		out.WriteString(s.Text)
	}
	return out.String()
}

// mark records that the next piece of marked content on a page belongs to an element, and returns its MCID.
func (t *tree) mark(page int, elem int32) int32 {
	for len(t.marked) <= page {
		t.marked = append(t.marked, nil)
	}
	mcid := int32(len(t.marked[page]))
	t.marked[page] = append(t.marked[page], elem)
	e := &t.elements[elem]
	e.kids = append(e.kids, kid{-1, int32(page), mcid})
	return mcid
}
