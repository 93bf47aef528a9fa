package exporters

import (
	"bytes"
	"io"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
)

// Format is one kind of file that a ledger is written as.
type Format struct {
	Name        string // in URLs and on the command line: "markdown", "json"
	Extension   string // without the dot
	ContentType string
	write       func(io.Writer, *ledger.Ledger) error
}

// Formats lists the formats in the order in which pages offer them.
var Formats = []Format{
	{Name: "markdown", Extension: withoutDot(&domain.Markdown), ContentType: domain.Markdown.ContentType(), write: Markdown},
	{Name: "json", Extension: withoutDot(&domain.JSON), ContentType: domain.JSON.ContentType(), write: JSON},
	{Name: "pdf", Extension: withoutDot(&domain.PDF), ContentType: domain.PDF.ContentType(), write: PDF},
}

func withoutDot(t *domain.FileType) string { return strings.TrimPrefix(t.Extension(), ".") }

// FormatByName gives the format of that name; another is refused as domain.Invalid with Path "format".
func FormatByName(name string) (Format, error) {
	for _, f := range Formats {
		if f.Name == name {
			return f, nil
		}
	}
	return Format{}, domain.Invalidf("format", "There is no such export format; choose markdown, json or pdf.")
}

// Render gives the whole file, so that an error leaves no half of one.
func (f Format) Render(l *ledger.Ledger) ([]byte, error) {
	var b bytes.Buffer
	err := f.write(&b, l)
	return b.Bytes(), err
}
