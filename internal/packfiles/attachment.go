package packfiles

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"sanad/internal/domain"
	"sanad/internal/domain/filetype"
	"sanad/internal/domain/pack"
	"sanad/internal/words"
)

// attachmentMagics are the first bytes of the files that a pack may have, besides plain text.
var attachmentMagics = []struct{ begin, mediaType string }{
	{"%PDF-", "application/pdf"}, {"\x89PNG\r\n\x1a\n", "image/png"}, {"\xFF\xD8\xFF", "image/jpeg"},
	{"GIF87a", "image/gif"}, {"GIF89a", "image/gif"},
}

// markup begins files whose text a browser may run: SVG, HTML, XML.
var markup = [][]byte{[]byte("<svg"), []byte("<html"), []byte("<script"), []byte("<!doctype"), []byte("<?xml")}

// attachmentEnds are what names of files for a pack end with, by media type. Text has many: it may not end as another.
var attachmentEnds = map[string][]string{"application/pdf": {".pdf"}, "image/png": {".png"},
	"image/jpeg": {".jpg", ".jpeg"}, "image/gif": {".gif"}, "image/webp": {".webp"}}

// AttachmentType returns the media type of a file for a pack, by its content. PDF, pictures and plain text are taken.
// What a browser could run, such as an SVG with a script, is refused, and a name that ends as another kind's (F-16).
func AttachmentType(name string, data []byte) (string, error) {
	mediaType, err := attachmentType(data)
	if err != nil {
		return "", err
	}
	end := filetype.NameEnd(name)
	ends := attachmentEnds[mediaType]
	if end == "" || slices.Contains(ends, end) || ends == nil && !endsOtherwise(end) {
		return mediaType, nil
	}
	return "", domain.Refuse(domain.Invalid, "file", "fault_attached_name", "Type", mediaType, "End", end)
}

// endsOtherwise reports whether a name's end is that of a file that is no plain text.
func endsOtherwise(end string) bool {
	for _, ends := range attachmentEnds {
		if slices.Contains(ends, end) {
			return true
		}
	}
	return slices.Contains([]string{".docx", ".zip", ".svg", ".html", ".htm", ".exe"}, end)
}

func attachmentType(data []byte) (string, error) {
	switch {
	case len(data) == 0:
		return "", domain.Refuse(domain.Invalid, "file", "refused_attach_empty")
	case len(data) > pack.MaxAttachment:
		return "", domain.Refuse(domain.TooLarge, "file", "fault_attach_large", "N", pack.MaxAttachment>>20)
	}
	for _, m := range attachmentMagics {
		if bytes.HasPrefix(data, []byte(m.begin)) {
			return m.mediaType, nil
		}
	}
	if bytes.HasPrefix(data, []byte("RIFF")) && len(data) > 12 && string(data[8:12]) == "WEBP" {
		return "image/webp", nil
	}
	if !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0 {
		return "", notAttached("refused_attach_other")
	}
	head := bytes.ToLower(data[:min(len(data), 4096)])
	for _, m := range markup {
		if bytes.Contains(head, m) {
			return "", notAttached("refused_attach_scripts")
		}
	}
	return filetype.PlainText.MediaType, nil
}

// notAttached says by the message id why a file is not taken, and which files are.
func notAttached(id string) error {
	return domain.Refuse(domain.Unsupported, "file", "refused_attach_kind", "Why", words.Msg(id))
}
