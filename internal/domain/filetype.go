package domain

import (
	"path"
	"slices"
	"strings"

	"sanad/internal/words"
)

// FileType is a kind of file that is read or written. Media types are stored with documents and packs.
type FileType struct {
	MediaType  string
	Extensions []string // of file names, in lower case with the dot, the usual one first
	Text       bool     // written as UTF-8
}

// The file types. Importers have a reader for each of DocumentTypes and InterchangeTypes.
var (
	PDF  = FileType{MediaType: "application/pdf", Extensions: []string{".pdf"}}
	DOCX = FileType{
		MediaType:  "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
		Extensions: []string{".docx"},
	}
	PlainText = FileType{MediaType: "text/plain", Extensions: []string{".txt", ".text"}, Text: true}
	Markdown  = FileType{MediaType: "text/markdown", Extensions: []string{".md", ".markdown"}, Text: true}
	HTML      = FileType{MediaType: "text/html", Extensions: []string{".html", ".htm"}, Text: true}
	JSON      = FileType{MediaType: "application/json", Extensions: []string{".json"}}
	JSONLines = FileType{MediaType: "application/x-ndjson", Extensions: []string{".jsonl", ".ndjson"}}
	Zip       = FileType{MediaType: "application/zip", Extensions: []string{".zip"}}
	PEM       = FileType{MediaType: "application/x-pem-file", Extensions: []string{".pub"}}
)

// DocumentTypes are the files that are read as documents and answers, InterchangeTypes those that are read as sessions.
var (
	DocumentTypes    = []FileType{PDF, DOCX, PlainText, Markdown, HTML}
	InterchangeTypes = []FileType{JSON, JSONLines}
)

// Extension returns the usual end of the type's file names, with the dot.
func (t *FileType) Extension() string { return t.Extensions[0] }

// ContentType returns the media type as HTTP has it, with the character set of texts.
func (t *FileType) ContentType() string {
	if t.Text {
		return t.MediaType + "; charset=utf-8"
	}
	return t.MediaType
}

// FileTypeOf returns the type whose extension name has; false if none of types has it.
func FileTypeOf(name string, types []FileType) (FileType, bool) {
	ext := strings.ToLower(path.Ext(name))
	for _, t := range types {
		if slices.Contains(t.Extensions, ext) {
			return t, true
		}
	}
	return FileType{}, false
}

// IsMarkdown reports whether a document is Markdown, by its media type or, where none is known, by its name.
func IsMarkdown(mediaType, name string) bool {
	if mediaType != "" {
		return mediaType == Markdown.MediaType
	}
	_, ok := FileTypeOf(name, []FileType{Markdown})
	return ok
}

// Accept returns the extensions of types as the accept attribute of a file field lists them.
func Accept(types []FileType) string {
	var all []string
	for _, t := range types {
		all = append(all, t.Extensions...)
	}
	return strings.Join(all, ",")
}

// ListExtensions names types by their usual extensions for a sentence: ".pdf, .docx and .txt".
func ListExtensions(types []FileType) Message {
	var all words.List
	for _, t := range types {
		all = append(all, t.Extension())
	}
	last := len(all) - 1
	return words.Msg("list_and", "List", all[:last], "Last", all[last])
}
