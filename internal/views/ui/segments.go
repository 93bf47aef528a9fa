package ui

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"sanad/internal/domain/text/redline"
	"sanad/internal/views/say"
)

// Segment is a stretch of a quotation: plain, matching or conflicting.
type Segment struct {
	Text string
	Kind string // "", "match", "conflict"
}

// SegmentsDir is the direction of a quotation.
func SegmentsDir(segments []Segment) string { return say.Dir(segmentWords(segments)) }

// SegmentsWritten says the direction and the language of segments.
func SegmentsWritten(segments []Segment) templ.OrderedAttributes {
	return say.Written(segmentWords(segments))
}

func segmentWords(segments []Segment) string {
	parts := make([]string, len(segments))
	for i, s := range segments {
		parts[i] = s.Text
	}
	return strings.Join(parts, "")
}

// RedlinePart is a paragraph of a redline, in its own direction, or in its place how many were left out.
type RedlinePart struct {
	Place   string // where it stands; "" where that is not known, or as of the one before
	Dir     string
	Pieces  redline.Paragraph
	LeftOut string // "12 paragraphs unchanged"
}

// Redlined lays out what changed between two texts: each changed paragraph with those beside it.
func (c *Chrome) Redlined(pieces []redline.Piece) (out []RedlinePart) {
	all := redline.Paragraphs(redline.Visible(pieces))
	for _, x := range redline.Fold(all) {
		out = append(out, c.RedlineShown(all, x))
	}
	return out
}

// RedlineShown lays out one of the things that are shown of paragraphs.
func (c *Chrome) RedlineShown(all []redline.Paragraph, x redline.Shown) RedlinePart {
	if x.LeftOut > 0 {
		return RedlinePart{LeftOut: c.N("redline_left_out", x.LeftOut)}
	}
	return RedlinePart{Dir: say.Dir(all[x.At].Text()), Pieces: all[x.At]}
}

// LibraryCompare is the address of what changed from one version of a document of the library to another.
func LibraryCompare(id string, from, to int) string {
	return Address("/library/"+id+"/compare", url.Values{"from": {strconv.Itoa(from)}, "to": {strconv.Itoa(to)}})
}
