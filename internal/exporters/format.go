package exporters

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/filetype"
	"sanad/internal/domain/ledger"
)

// Format is a file format for a ledger.
type Format struct {
	Name        string // in URLs and on the command line: "markdown", "json"
	Extension   string // without the dot
	ContentType string
	write       func(io.Writer, *ledger.Ledger) error
	writeIn     func(w io.Writer, l *ledger.Ledger, language Language) error // nil where all is in one form
}

// Language is the language of a PDF.
type Language string

// The languages that a PDF can be made in.
const (
	English       Language = "en"
	Arabic        Language = "ar"
	BothLanguages Language = "both"
)

// Languages lists them.
var Languages = []Language{English, Arabic, BothLanguages}

// CheckLanguage refuses a language that isn't one of Languages, and one for a file that isn't made of a language, as
// domain.Invalid with Path "language". "" is both.
func (f Format) CheckLanguage(language Language) error {
	switch {
	case language != "" && !slices.Contains(Languages, language):
		return domain.Refuse(domain.Invalid, "language", "refused_choose_languages")
	case f.writeIn == nil && language != "" && language != BothLanguages:
		return domain.Refuse(domain.Invalid, "language", "refused_only_pdf_can")
	}
	return nil
}

// OneLanguage returns the language of a file that is made in one, "" of all others.
func (f Format) OneLanguage(language Language) Language {
	if f.writeIn == nil || language == BothLanguages {
		return ""
	}
	return language
}

// RenderIn returns the whole file in a language that CheckLanguage accepts.
func (f Format) RenderIn(l *ledger.Ledger, language Language) ([]byte, error) {
	if language == "" || language == BothLanguages {
		return f.Render(l)
	}
	if err := f.CheckLanguage(language); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err := f.writeIn(&b, l, language)
	return b.Bytes(), err
}

// Formats lists the formats in the order in which pages offer them.
var Formats = []Format{
	{Name: "markdown", Extension: withoutDot(&filetype.Markdown), ContentType: filetype.Markdown.ContentType(),
		write: Markdown},
	{Name: "json", Extension: withoutDot(&filetype.JSON), ContentType: filetype.JSON.ContentType(), write: JSON},
	{Name: "pdf", Extension: withoutDot(&filetype.PDF), ContentType: filetype.PDF.ContentType(), write: PDF,
		writeIn: PDFIn},
}

func withoutDot(t *filetype.Type) string { return strings.TrimPrefix(t.Extension(), ".") }

// FormatByName returns the format of that name. An unknown name is refused as domain.Invalid with Path "format".
func FormatByName(name string) (Format, error) {
	for _, f := range Formats {
		if f.Name == name {
			return f, nil
		}
	}
	return Format{}, domain.Refuse(domain.Invalid, "format", "refused_such_export_format")
}

// Render returns the whole file, so that an error leaves no partial one.
func (f Format) Render(l *ledger.Ledger) ([]byte, error) {
	var b bytes.Buffer
	err := f.write(&b, l)
	return b.Bytes(), err
}
