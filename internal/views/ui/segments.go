package ui

import (
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
	Dir     string
	Pieces  redline.Paragraph
	LeftOut string // "12 paragraphs unchanged"
}

// besideChange is how many unchanged paragraphs stand on either side of a changed one.
const besideChange = 1

// Redlined lays out what changed between two texts: each changed paragraph with those beside it.
func (c *Chrome) Redlined(pieces []redline.Piece) (out []RedlinePart) {
	all := redline.Paragraphs(redline.Visible(pieces))
	shown := make([]bool, len(all))
	for i, p := range all {
		if p.Changed() {
			for k := max(0, i-besideChange); k <= min(len(all)-1, i+besideChange); k++ {
				shown[k] = true
			}
		}
	}
	left := 0
	for i, p := range all {
		if !shown[i] {
			left++
			continue
		}
		if left > 0 {
			out, left = append(out, RedlinePart{LeftOut: c.N("redline_left_out", left)}), 0
		}
		out = append(out, RedlinePart{Dir: say.Dir(p.Text()), Pieces: p})
	}
	if left > 0 {
		out = append(out, RedlinePart{LeftOut: c.N("redline_left_out", left)})
	}
	return out
}
