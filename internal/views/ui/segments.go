package ui

import (
	"strings"

	"sanad/internal/views/say"
)

// Segment is a stretch of a quotation: plain, matching or conflicting.
type Segment struct {
	Text string
	Kind string // "", "match", "conflict"
}

// SegmentsDir is the direction of a quotation.
func SegmentsDir(segments []Segment) string {
	parts := make([]string, len(segments))
	for i, s := range segments {
		parts[i] = s.Text
	}
	return say.DirOf(strings.Join(parts, ""))
}
