package ui

import (
	"strings"

	"github.com/a-h/templ"

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
