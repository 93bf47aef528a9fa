package importers

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"sanad/internal/domain"
)

// A magic tells a kind of file by its first bytes.
type magic struct {
	begin, kind string
	ends        []string         // what names of such files end with
	read        *domain.FileType // nil if it can't be read
}

var (
	pdfMagic = magic{begin: "%PDF-", kind: "a PDF", ends: domain.PDF.Extensions, read: &domain.PDF}
	zipMagic = magic{begin: "PK\x03\x04", kind: "a Word file or another zip", ends: domain.DOCX.Extensions,
		read: &domain.DOCX}
	htmlMagic = magic{kind: "an HTML page", ends: domain.HTML.Extensions, read: &domain.HTML} // see looksHTML
)

// magics are those of other files. A Word file with a password is an old Office document on the outside.
var magics = []magic{
	zipMagic,
	{begin: "\xD0\xCF\x11\xE0", kind: "an old Office document, or one with a password",
		ends: []string{".doc", ".docx", ".xls", ".xlsx", ".ppt", ".pptx"}},
	{begin: "{\\rtf", kind: "an RTF document", ends: []string{".rtf", ".doc"}},
	{begin: "\x89PNG", kind: "an image", ends: []string{".png"}},
	{begin: "\xFF\xD8\xFF", kind: "an image", ends: []string{".jpg", ".jpeg"}},
	{begin: "GIF8", kind: "an image", ends: []string{".gif"}},
	{begin: "\x1F\x8B", kind: "a gzip archive", ends: []string{".gz", ".tgz"}},
}

// magicOf tells a file by its first bytes; false if they say nothing.
func magicOf(data []byte) (magic, bool) {
	head := bytes.TrimPrefix(data[:min(len(data), 1024)], []byte("\ufeff"))
	if bytes.HasPrefix(bytes.TrimLeft(head, "\r\n\t \x00"), []byte(pdfMagic.begin)) {
		return pdfMagic, true
	}
	for _, m := range magics {
		if bytes.HasPrefix(head, []byte(m.begin)) {
			return m, true
		}
	}
	return htmlMagic, looksHTML(data)
}

// nameEnd finds what a name says about its content: its end, if it looks like one of a file's name. "v1.2" and
// "no. five" say nothing.
var nameEnd = regexp.MustCompile(`\.[a-z][a-z0-9]{1,4}$|\.markdown$`)

// checkName refuses a file whose name contradicts its first bytes: whoever opens it later would take it for something
// else (rule F-16). A zip that is named as another kind of zip is left to say that it is not read.
func checkName(place, name string, m magic) error {
	end := nameEnd.FindString(strings.ToLower(name))
	if end == "" || slices.Contains(m.ends, end) || m.begin == zipMagic.begin && !isKnownEnd(end) {
		return nil
	}
	mend := "name it so that it ends with " + m.ends[0] + " and upload it again."
	if m.read == nil {
		mend = "upload the file that was meant. Read are " + domain.ListExtensions(domain.DocumentTypes) + "."
	}
	return domain.Invalidf(place, "%s is %s inside, but its name ends with %s; %s", name, m.kind, end, mend).
		Worded("file_named")
}

// isKnownEnd reports whether an end of names belongs to a kind of file that is read, or that was before Word's zip.
func isKnownEnd(end string) bool {
	_, document := domain.FileTypeOf(end, domain.DocumentTypes)
	_, interchange := domain.FileTypeOf(end, domain.InterchangeTypes)
	return document || interchange || slices.Contains([]string{".doc", ".rtf", ".png", ".jpg", ".jpeg", ".gif"}, end)
}

// sniff returns the file type by content first, then by name; place and name are for the error.
func sniff(place, name string, data []byte) (domain.FileType, error) {
	none := domain.FileType{}
	if m, ok := magicOf(data); ok {
		if err := checkName(place, name, m); err != nil {
			return none, err
		}
		end := nameEnd.FindString(strings.ToLower(name))
		switch {
		case m.read == nil:
			return none, notRead(place, "%s is %s.", name, m.kind)
		case end != "" && !slices.Contains(m.ends, end):
			return none, notRead(place, "%s is a %s file.", name, end)
		}
		return *m.read, nil
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
