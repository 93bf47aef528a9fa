package ledger

import (
	"strings"

	"sanad/internal/domain/filetype"
	"sanad/internal/domain/text"
)

// Slicer cuts text of the document, or a quotation of it, for a reader: Markdown without its marks. What is stored and
// what is exported for machines keeps them. The document may be nil.
func (d *Document) Slicer(words string) text.Slicer {
	if d != nil && filetype.IsMarkdown(d.MediaType, d.Filename) {
		return text.NewUnmarked(words)
	}
	return text.NewRuler(words)
}

// Shown is text of the document, or a quotation of it, as a reader sees it: rows of tables as the words of their cells.
func (d *Document) Shown(words string) string {
	s := d.Slicer(SaidRows(words))
	return s.Slice(text.Span{End: s.Len()})
}

// ShownSnippet is the quotation of the deciding match as a person reads it. Without a match it is empty.
func (e *Entry) ShownSnippet() string {
	if e.Best == nil {
		return ""
	}
	return e.Document.Shown(e.Best.Snippet)
}

// ShownNotes are the notes with the quotation as a reader sees it.
func (e *Entry) ShownNotes() string {
	if e.Best == nil || e.Best.Snippet == "" {
		return e.Notes()
	}
	return strings.ReplaceAll(e.Notes(), e.Best.Snippet, e.ShownSnippet())
}
