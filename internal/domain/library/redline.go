package library

import (
	"slices"
	"strings"
	"unicode"

	"sanad/internal/domain/text/redline"
)

// MaxCompared is how much of the text of either version is compared, in bytes.
const MaxCompared = 2 << 20

// Redline is what changed from the text of one version to that of another.
type Redline struct {
	Paragraphs []redline.Paragraph
	Places     []Place // of each of them
	Coarse     bool    // long passages stand as removed and added whole
	Cut        bool    // of a longer text only the first MaxCompared bytes were compared
}

// Place is where a paragraph stands, in the older version if it was removed whole.
type Place struct {
	Page    int
	Heading []string
	Older   bool
}

// Shown returns what a reader is shown: long unchanged parts are left out.
func (r *Redline) Shown() []redline.Shown { return redline.Fold(r.Paragraphs) }

// Changed reports whether anything was added or removed.
func (r *Redline) Changed() bool {
	return slices.ContainsFunc(r.Paragraphs, redline.Paragraph.Changed)
}

// NewRedline compares the texts of two versions. A paragraph stands where the newer one has it, one that was removed
// whole where the older one had it.
func NewRedline(older, newer []Passage) *Redline {
	was, is := newLaidOut(older), newLaidOut(newer)
	r := &Redline{Cut: was.cut || is.cut}
	pieces, coarse := redline.Compare(was.text.String(), is.text.String())
	r.Paragraphs, r.Coarse = redline.Paragraphs(redline.Visible(pieces)), coarse
	o, n := 0, 0 // code points of either text so far that are not white space, which alone is no change
	for _, p := range r.Paragraphs {
		inOlder, inNewer := 0, 0
		for _, x := range p {
			count := codePoints(x.Text)
			if x.Op != redline.Added {
				inOlder += count
			}
			if x.Op != redline.Removed {
				inNewer += count
			}
		}
		if inNewer > 0 {
			r.Places = append(r.Places, is.at(n))
		} else {
			place := was.at(o)
			place.Older = true
			r.Places = append(r.Places, place)
		}
		o, n = o+inOlder, n+inNewer
	}
	return r
}

// laidOut is the text of passages, one below the other.
type laidOut struct {
	text     strings.Builder
	passages []Passage
	starts   []int // of each passage, in code points that are not white space
	cut      bool
}

func newLaidOut(passages []Passage) *laidOut {
	t, n := &laidOut{passages: passages}, 0
	for i := range passages {
		words := passages[i].Text
		if t.text.Len()+len(words) > MaxCompared {
			words, t.cut = strings.ToValidUTF8(words[:max(0, MaxCompared-t.text.Len())], ""), true
		}
		t.starts = append(t.starts, n)
		n += codePoints(words)
		t.text.WriteString(words)
		if t.cut {
			break
		}
		t.text.WriteString("\n\n")
	}
	return t
}

// at returns where the n-th code point that is not white space stands, from 0.
func (t *laidOut) at(n int) Place {
	i, found := slices.BinarySearch(t.starts, n)
	if !found {
		i--
	}
	for i+1 < len(t.starts) && t.starts[i+1] == n { // those before it are empty
		i++
	}
	if i < 0 {
		return Place{}
	}
	return Place{Page: t.passages[i].Page, Heading: t.passages[i].Heading}
}

// codePoints counts the code points of a text that are not white space.
func codePoints(s string) (n int) {
	for _, r := range s {
		if !unicode.IsSpace(r) {
			n++
		}
	}
	return n
}
