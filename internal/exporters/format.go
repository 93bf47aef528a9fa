package exporters

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"time"

	"sanad/internal/domain"
	"sanad/internal/domain/filetype"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/letterhead"
)

// Format is a file format for a ledger.
type Format struct {
	Name        string // in URLs and on the command line: "markdown", "json"
	Extension   string // without the dot
	ContentType string
	// Streams reports that write goes through the claims one after another, so that neither they nor the file need be
	// held in memory.
	Streams   bool
	write     func(io.Writer, *ledger.Ledger, Language) error
	languages []Language // that it is made in, the default first; nil of a format that is the same in every language
}

// CheckLanguage refuses a language that isn't one of Languages, and one that the format isn't made in, as
// domain.Invalid with Path "language". "" is the format's default.
func (f Format) CheckLanguage(language Language) error {
	switch {
	case language == "" || slices.Contains(f.languages, language):
		return nil
	case !slices.Contains(Languages, language):
		return domain.Refuse(domain.Invalid, "language", "refused_choose_languages")
	case f.languages != nil:
		return domain.Refuse(domain.Invalid, "language", "refused_table_language")
	case language != BothLanguages:
		return domain.Refuse(domain.Invalid, "language", "refused_only_some_in_language")
	}
	return nil
}

// OneLanguage returns the language of a file that is made in one, "" of all others. The language is one that
// CheckLanguage accepts.
func (f Format) OneLanguage(language Language) Language {
	if language == "" && f.languages != nil {
		language = f.languages[0]
	}
	if f.languages == nil || language == BothLanguages {
		return ""
	}
	return language
}

// WriteIn writes the file in a language that CheckLanguage accepts. An error may leave a part of it.
func (f Format) WriteIn(w io.Writer, l *ledger.Ledger, language Language) error {
	if err := f.CheckLanguage(language); err != nil {
		return err
	}
	if language == "" && f.languages != nil {
		language = f.languages[0]
	}
	return f.write(w, l, language)
}

// RenderIn returns the whole file in a language that CheckLanguage accepts, so that an error leaves no partial one.
func (f Format) RenderIn(l *ledger.Ledger, language Language) ([]byte, error) {
	var b bytes.Buffer
	err := f.WriteIn(&b, l, language)
	return b.Bytes(), err
}

// Formats lists the formats in the order in which pages offer them.
var Formats = []Format{
	{Name: "markdown", Extension: withoutDot(&filetype.Markdown), ContentType: filetype.Markdown.ContentType(),
		write: anyLanguage(Markdown), Streams: true},
	{Name: "json", Extension: withoutDot(&filetype.JSON), ContentType: filetype.JSON.ContentType(),
		write: anyLanguage(JSON), Streams: true},
	{Name: "pdf", Extension: withoutDot(&filetype.PDF), ContentType: filetype.PDF.ContentType(), write: PDFIn,
		languages: []Language{BothLanguages, English, Arabic}},
	{Name: "csv", Extension: withoutDot(&filetype.CSV), ContentType: filetype.CSV.ContentType(), write: CSV, Streams: true,
		languages: []Language{English, Arabic}},
	{Name: "xlsx", Extension: withoutDot(&filetype.XLSX), ContentType: filetype.XLSX.ContentType(), write: XLSX, Streams: true,
		languages: []Language{English, Arabic}},
}

// anyLanguage is the writer of a format that is the same in every language.
func anyLanguage(write func(io.Writer, *ledger.Ledger) error) func(io.Writer, *ledger.Ledger, Language) error {
	return func(w io.Writer, l *ledger.Ledger, _ Language) error { return write(w, l) }
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

// Render returns the whole file in the format's default language, so that an error leaves no partial one.
func (f Format) Render(l *ledger.Ledger) ([]byte, error) { return f.RenderIn(l, "") }

// Under returns the format with an organisation's letterhead at its head and its times in the organisation's zone, where
// the format has them: a PDF.
func (f Format) Under(letter *letterhead.Letterhead, zone *time.Location) Format {
	if f.Name == "pdf" {
		f.write = func(w io.Writer, l *ledger.Ledger, language Language) error {
			return writePDF(w, l, language, paper{letter: letter, zone: zone})
		}
	}
	return f
}
