package ledger

import "slices"

// PartKind is which part of its file a chunk comes from. Stored and exported.
type PartKind string

// The parts of a file.
const (
	Body         PartKind = ""
	PageHeader   PartKind = "header"
	PageFooter   PartKind = "footer"
	FileNote     PartKind = "note"    // a footnote, endnote or speaker's note
	FileComment  PartKind = "comment" // what somebody remarked on the text: no evidence unless a person attaches it
	FileFormText PartKind = "field"   // the value of a form's field
)

// PartKinds lists them.
var PartKinds = []PartKind{Body, PageHeader, PageFooter, FileNote, FileComment, FileFormText}

// Valid reports whether k is one of them.
func (k PartKind) Valid() bool { return slices.Contains(PartKinds, k) }

// Evident reports whether a chunk may be evidence of itself: a comment is only if a person attaches it.
func (c *Chunk) Evident() bool { return c.Kind != FileComment }
