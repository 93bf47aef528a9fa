package typeset

import (
	"strings"

	"golang.org/x/text/unicode/bidi"
)

// The structure tree: what assistive readers go by (ISO 32000-1 14.8).

// element is a structure element; its kids are elements and marked content, in reading order.
type element struct {
	role   string
	parent int32 // -1 for the root
	lang   string
	attr   string // attribute dictionary, "" for none
	actual string // what it says, in reading order, where the page has letters in visual order
	kids   []kid
}

// kid is a child element, or with elem -1 a piece of marked content on a page.
type kid struct{ elem, page, mcid int32 }

// artifact is the element of what isn't content: headers, footers, rules.
const artifact = int32(-1)

// tree is a document's structure.
type tree struct {
	elements []element
	marked   [][]int32 // by page and MCID, the element
}

// add makes an element under a parent and returns its number.
func (t *tree) add(role string, parent int32) int32 {
	at := int32(len(t.elements))
	t.elements = append(t.elements, element{role: role, parent: parent})
	if parent >= 0 {
		p := &t.elements[parent]
		p.kids = append(p.kids, kid{elem: at})
	}
	return at
}

// say notes what an element says, if some of it reads from right to left. The page holds such letters in the order
// they are drawn; who goes by the tags gets the order they are read in (ISO 32000-1 14.9.4). It stands in the tree,
// never in the page: readers that search and copy by the page would turn it round a second time.
func (t *tree) say(elem int32, text string) {
	if elem < 0 || !strings.ContainsFunc(text, isRTL) {
		return
	}
	z := sanitiser{has: func(rune) bool { return true }}
	z.sanitise(text)
	e := &t.elements[elem]
	if len([]rune(e.actual))+len(z.out) >= maxString { // more than a string holds: half of it would be false
		e.actual = ""
		return
	}
	if e.actual != "" {
		e.actual += " "
	}
	e.actual += strings.ReplaceAll(string(z.out), "\n", " ")
}

func isRTL(r rune) bool { c := class(r); return c == bidi.R || c == bidi.AL }

// plainText is what spans say.
func plainText(spans []Span) string {
	var out strings.Builder
	for _, s := range spans {
		out.WriteString(s.Text)
	}
	return out.String()
}

// mark notes that the next piece of marked content on a page belongs to an element, and returns its MCID.
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
