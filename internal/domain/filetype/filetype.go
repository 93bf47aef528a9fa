// Package filetype is the table of the kinds of files that are read and written, by their names and media types.
package filetype

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"sanad/internal/words"
)

// Type is a kind of file that is read or written. Media types are stored with documents and packs.
type Type struct {
	MediaType  string
	Extensions []string // of file names, in lower case with the dot, the usual one first
	Text       bool     // written as UTF-8
}

// The file types. Importers have a reader for each of Documents and Interchange.
var (
	PDF  = Type{MediaType: "application/pdf", Extensions: []string{".pdf"}}
	DOCX = Type{
		MediaType:  "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
		Extensions: []string{".docx", ".docm", ".dotx", ".dotm"}, // macros are not read
	}
	XLSX = Type{
		MediaType:  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
		Extensions: []string{".xlsx", ".xlsm", ".xltx", ".xltm"}, // macros are not read
	}
	PPTX = Type{
		MediaType:  "application/vnd.openxmlformats-officedocument.presentationml.presentation",
		Extensions: []string{".pptx", ".pptm", ".ppsx", ".ppsm", ".potx", ".potm"},
	}
	ODT = Type{ // .fodt is the same as one XML file
		MediaType:  "application/vnd.oasis.opendocument.text",
		Extensions: []string{".odt", ".ott", ".fodt"},
	}
	RTF       = Type{MediaType: "application/rtf", Extensions: []string{".rtf"}}
	PlainText = Type{MediaType: "text/plain", Extensions: []string{".txt", ".text"}, Text: true}
	Markdown  = Type{MediaType: "text/markdown", Extensions: []string{".md", ".markdown"}, Text: true}
	HTML      = Type{MediaType: "text/html", Extensions: []string{".html", ".htm", ".xhtml"}, Text: true}
	Mail      = Type{MediaType: "message/rfc822", Extensions: []string{".eml"}}
	// WebArchive is a page with its pictures in the form of a mail.
	WebArchive = Type{MediaType: "multipart/related", Extensions: []string{".mht", ".mhtml"}}
	Outlook    = Type{MediaType: "application/vnd.ms-outlook", Extensions: []string{".msg"}}
	JSON       = Type{MediaType: "application/json", Extensions: []string{".json"}}
	JSONLines  = Type{MediaType: "application/x-ndjson", Extensions: []string{".jsonl", ".ndjson"}}
	CSV        = Type{MediaType: "text/csv", Extensions: []string{".csv"}, Text: true}
	Events     = Type{MediaType: "text/event-stream", Extensions: []string{".sse"}, Text: true}
	Zip        = Type{MediaType: "application/zip", Extensions: []string{".zip"}}
	PEM        = Type{MediaType: "application/x-pem-file", Extensions: []string{".pub"}}
	TSV        = Type{MediaType: "text/tab-separated-values", Extensions: []string{".tsv"}, Text: true}
	PNG        = Type{MediaType: "image/png", Extensions: []string{".png"}}
	JPEG       = Type{MediaType: "image/jpeg", Extensions: []string{".jpg", ".jpeg"}}
	TIFF       = Type{MediaType: "image/tiff", Extensions: []string{".tif", ".tiff"}}
)

// Documents are the files that are read as documents and answers, Mails some of them, Interchange those that are read
// as sessions. CSV is both: a file alone is read as a session, one beside an answer as its source.
var (
	Documents = []Type{PDF, DOCX, PPTX, XLSX, ODT, RTF, PlainText, Markdown, HTML, CSV, TSV, Mail, WebArchive, Outlook, PNG,
		JPEG, TIFF}
	Mails       = []Type{Mail, WebArchive, Outlook} // which may have attachments
	Interchange = []Type{JSON, JSONLines, CSV, Events}
)

// Extension returns the usual end of the type's file names, with the dot.
func (t *Type) Extension() string { return t.Extensions[0] }

// ContentType returns the media type as HTTP has it, with the character set of texts.
func (t *Type) ContentType() string {
	if t.Text {
		return t.MediaType + "; charset=utf-8"
	}
	return t.MediaType
}

// Of returns the type whose extension name has; false if none of types has it.
func Of(name string, types []Type) (Type, bool) {
	ext := strings.ToLower(path.Ext(name))
	for _, t := range types {
		if slices.Contains(t.Extensions, ext) {
			return t, true
		}
	}
	return Type{}, false
}

// IsMarkdown reports whether a document is Markdown, by its media type or, where none is known, by its name.
func IsMarkdown(mediaType, name string) bool {
	if mediaType != "" {
		return mediaType == Markdown.MediaType
	}
	_, ok := Of(name, []Type{Markdown})
	return ok
}

// IsMail reports whether a document is a mail, by its media type or, where none is known, by its name.
func IsMail(mediaType, name string) bool {
	if mediaType == "" {
		_, ok := Of(name, Mails)
		return ok
	}
	return slices.ContainsFunc(Mails, func(t Type) bool { return t.MediaType == mediaType })
}

// IsSheet reports whether a document consists of rows, by its media type.
func IsSheet(mediaType string) bool {
	return mediaType != "" && (mediaType == XLSX.MediaType || mediaType == CSV.MediaType || mediaType == TSV.MediaType)
}

// Accept returns the extensions of types, each once, as the accept attribute of a file field lists them.
func Accept(types []Type) string {
	var all []string
	for _, t := range types {
		for _, e := range t.Extensions {
			if !slices.Contains(all, e) {
				all = append(all, e)
			}
		}
	}
	return strings.Join(all, ",")
}

// ListExtensions names types by their usual extensions for a sentence: ".pdf, .docx and .txt".
func ListExtensions(types []Type) words.Message {
	var all words.List
	for _, t := range types {
		all = append(all, t.Extension())
	}
	last := len(all) - 1
	return words.Msg("list_and", "List", all[:last], "Last", all[last])
}

// nameEnd finds what a name says about its content: its end, if it looks like one of a file's name. "v1.2" and
// "no. five" say nothing.
var nameEnd = regexp.MustCompile(`\.[a-z][a-z0-9]{1,4}$|\.markdown$`)

// NameEnd returns what a name ends with that says what the file is, in lower case with the dot; "" if it says nothing.
func NameEnd(name string) string { return nameEnd.FindString(strings.ToLower(name)) }
