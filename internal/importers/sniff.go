package importers

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"path"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"sanad/internal/domain"
)

// magics are the first bytes of known file types that can't be read.
var magics = []struct{ begin, kind string }{
	{"\xD0\xCF\x11\xE0", "an old Office document, or one with a password"},
	{"{\\rtf", "an RTF document"}, {"\x89PNG", "an image"}, {"\xFF\xD8\xFF", "an image"}, {"GIF8", "an image"},
	{"\x1F\x8B", "a gzip archive"},
}

// sniff returns the file type by content first, then by name; place and name are for the error.
func sniff(place, name string, data []byte) (domain.FileType, error) {
	none := domain.FileType{}
	switch {
	case bytes.HasPrefix(bytes.TrimLeft(bytes.TrimPrefix(data[:min(len(data), 1024)], []byte("\ufeff")),
		"\r\n\t \x00"), []byte("%PDF-")):
		return domain.PDF, nil
	case bytes.HasPrefix(data, []byte("PK\x03\x04")):
		return domain.DOCX, nil
	}
	for _, m := range magics {
		if bytes.HasPrefix(bytes.TrimPrefix(data, []byte("\ufeff")), []byte(m.begin)) {
			return none, notRead(place, "%s is %s.", name, m.kind)
		}
	}
	ext := strings.ToLower(path.Ext(name))
	kind, ok := domain.FileTypeOf(name, domain.DocumentTypes)
	switch {
	case ext == domain.JSON.Extension():
		return none, notRead(place, "%s is an interchange file; upload it alone, without an answer and other files.",
			name)
	case ok && !kind.Text:
		return none, domain.Invalidf(place,
			"%s is no %s file inside, or it is broken; open it in its program, save it again and upload that.", name,
			ext)
	case ext == ".doc" || !ok && len(ext) > 1 && len(ext) <= 6 && !strings.ContainsAny(ext, " "):
		return none, notRead(place, "%s is a %s file.", name, ext)
	case !isUTF16(data) && bytes.IndexByte(data, 0) >= 0:
		return none, notRead(place, "%s holds NUL bytes, so it is no text.", name)
	case !ok:
		kind = domain.PlainText
	}
	if kind.MediaType == domain.PlainText.MediaType && looksHTML(data) {
		kind = domain.HTML
	}
	return kind, nil
}

func notRead(place, format string, args ...any) error {
	return &domain.Error{Kind: domain.Unsupported, Op: "importers.FromForm", Path: place,
		Msg: fmt.Sprintf(format, args...) + " Read are " + domain.ListExtensions(domain.DocumentTypes) +
			"; save it as one of these."}
}

// looksHTML reports whether data is a whole HTML page, whatever its name says.
func looksHTML(data []byte) bool {
	head := bytes.ToLower(bytes.TrimSpace(bytes.TrimPrefix(data[:min(len(data), 512)], []byte("\ufeff"))))
	return bytes.HasPrefix(head, []byte("<!doctype html")) || bytes.HasPrefix(head, []byte("<html"))
}

func isUTF16(data []byte) bool {
	return bytes.HasPrefix(data, []byte{0xFF, 0xFE}) || bytes.HasPrefix(data, []byte{0xFE, 0xFF})
}

// decodeText reads UTF-8, or UTF-16 that begins with a byte order mark.
func decodeText(place, name string, data []byte) (string, error) {
	s, ok := strings.TrimPrefix(string(data), "\ufeff"), true
	if isUTF16(data) {
		s, ok = decode16(data)
	}
	if !ok || !utf8.ValidString(s) {
		return "", domain.Invalidf(place, "%s is not UTF-8 text; open it in an editor and save it as UTF-8.", name)
	}
	if strings.IndexByte(s, 0) >= 0 {
		return "", notRead(place, "%s holds NUL characters, so it is no text.", name)
	}
	return s, nil
}

// decode16 decodes UTF-16 by its byte order mark. It returns false if the data is truncated or has
// an unpaired surrogate.
func decode16(data []byte) (string, bool) {
	var order binary.ByteOrder = binary.LittleEndian
	if data[0] == 0xFE {
		order = binary.BigEndian
	}
	data = data[2:]
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = order.Uint16(data[2*i:])
	}
	runes := utf16.Decode(units)
	for i, n := 0, 0; i < len(runes); i++ {
		if runes[i] == utf8.RuneError && units[n] != utf8.RuneError {
			return "", false
		}
		n += utf16.RuneLen(runes[i])
	}
	return string(runes), len(data)%2 == 0
}
