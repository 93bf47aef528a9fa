package importers

import (
	"bytes"
	"unicode/utf8"

	"sanad/internal/domain"
	"sanad/internal/domain/pack"
)

// attachmentMagics are the first bytes of the files that a pack may have, besides plain text.
var attachmentMagics = []struct{ begin, mediaType string }{
	{"%PDF-", "application/pdf"}, {"\x89PNG\r\n\x1a\n", "image/png"}, {"\xFF\xD8\xFF", "image/jpeg"},
	{"GIF87a", "image/gif"}, {"GIF89a", "image/gif"},
}

// markup begins files whose text a browser may run: SVG, HTML, XML.
var markup = [][]byte{[]byte("<svg"), []byte("<html"), []byte("<script"), []byte("<!doctype"), []byte("<?xml")}

// AttachmentType returns the media type of a file for a pack, by its content; its name does not count. PDF, pictures
// and plain text are taken. What a browser could run, such as an SVG with a script, is refused.
func AttachmentType(data []byte) (string, error) {
	switch {
	case len(data) == 0:
		return "", domain.Invalidf("file", "The file is empty; choose another.")
	case len(data) > pack.MaxAttachment:
		return "", domain.TooLargef("file", "The file is larger than %d MiB; attach a smaller one.", pack.MaxAttachment>>20)
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
		return "", notAttached("The file is neither a PDF nor a picture nor UTF-8 text inside.")
	}
	head := bytes.ToLower(data[:min(len(data), 4096)])
	for _, m := range markup {
		if bytes.Contains(head, m) {
			return "", notAttached("The file is SVG, HTML or XML, which may run scripts.")
		}
	}
	return domain.PlainText.MediaType, nil
}

func notAttached(why string) error {
	return &domain.Error{Kind: domain.Unsupported, Path: "file",
		Msg: why + " Attach a PDF, a PNG, JPEG, GIF or WebP picture, or plain text."}
}
