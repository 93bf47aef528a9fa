package exporters

import (
	"bytes"
	"io"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
)

// Format is a file format for a ledger.
type Format struct {
	Name        string // in URLs and on the command line: "markdown", "json"
	Extension   string // without the dot
	ContentType string
	write       func(io.Writer, *ledger.Ledger) error
}

// Formats lists the formats in the order in which pages offer them.
var Formats = []Format{
	{Name: "markdown", Extension: withoutDot(&domain.Markdown), ContentType: domain.Markdown.ContentType(),
		write: Markdown},
	{Name: "json", Extension: withoutDot(&domain.JSON), ContentType: domain.JSON.ContentType(), write: JSON},
	{Name: "pdf", Extension: withoutDot(&domain.PDF), ContentType: domain.PDF.ContentType(), write: PDF},
}

func withoutDot(t *domain.FileType) string { return strings.TrimPrefix(t.Extension(), ".") }

// FormatByName returns the format of that name. An unknown name is refused as domain.Invalid with Path "format".
func FormatByName(name string) (Format, error) {
	for _, f := range Formats {
		if f.Name == name {
			return f, nil
		}
	}
	return Format{}, domain.Invalidf("format", "There is no such export format; choose markdown, json or pdf.")
}

// Render returns the whole file, so that an error leaves no partial one.
func (f Format) Render(l *ledger.Ledger) ([]byte, error) {
	var b bytes.Buffer
	err := f.write(&b, l)
	return b.Bytes(), err
}
