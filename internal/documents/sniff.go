package documents

import (
	"bytes"
	"encoding/binary"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"sanad/internal/domain"
	"sanad/internal/domain/filetype"
	"sanad/internal/domain/text"
	"sanad/internal/words"
)

// A magic tells a kind of file by its first bytes.
type magic struct {
	begin  string
	inside string         // id of what such a file is
	ends   []string       // what names of such files end with
	read   *filetype.Type // nil if it can't be read
}

var (
	pdfMagic = magic{begin: "%PDF-", inside: "inside_pdf", ends: filetype.PDF.Extensions, read: &filetype.PDF}
	zipMagic = magic{begin: "PK\x03\x04", inside: "inside_zip", ends: filetype.DOCX.Extensions,
		read: &filetype.DOCX}
	slidesMagic = magic{begin: zipMagic.begin, inside: "inside_slides", ends: filetype.PPTX.Extensions,
		read: &filetype.PPTX}
	// cutMagic is an archive whose list of files is not there: the name says what it was
	cutMagic = magic{begin: zipMagic.begin, inside: "inside_zip", ends: slices.Concat(filetype.DOCX.Extensions,
		filetype.PPTX.Extensions, filetype.ODT.Extensions), read: &filetype.DOCX}
	odtMagic  = magic{inside: "inside_odt", ends: filetype.ODT.Extensions, read: &filetype.ODT}
	htmlMagic = magic{inside: "inside_html", ends: filetype.HTML.Extensions, read: &filetype.HTML} // see looksHTML
)

// magics are those of other files. An Office file with a password is an old Office document on the outside.
var magics = []magic{
	zipMagic,
	{begin: "\xD0\xCF\x11\xE0", inside: "inside_office",
		ends: []string{".doc", ".docx", ".xls", ".xlsx", ".ppt", ".pptx"}},
	{begin: rtfBegin, inside: "inside_rtf", ends: []string{".rtf", ".doc"}, read: &filetype.RTF}, // Word opens both
	{begin: "\x89PNG", inside: "inside_image", ends: []string{".png"}},
	{begin: "\xFF\xD8\xFF", inside: "inside_image", ends: []string{".jpg", ".jpeg"}},
	{begin: "GIF8", inside: "inside_image", ends: []string{".gif"}},
	{begin: "\x1F\x8B", inside: "inside_gzip", ends: []string{".gz", ".tgz"}},
}

// magicOf tells a file by its first bytes; false if they say nothing.
func magicOf(data []byte) (magic, bool) {
	head := bytes.TrimPrefix(data[:min(len(data), 1024)], []byte("\ufeff"))
	if bytes.HasPrefix(bytes.TrimLeft(head, "\r\n\t \x00"), []byte(pdfMagic.begin)) {
		return pdfMagic, true
	}
	if m, ok := archiveMagic(data); ok {
		return m, true
	}
	for _, m := range magics {
		if bytes.HasPrefix(head, []byte(m.begin)) {
			return m, true
		}
	}
	return htmlMagic, looksHTML(data)
}

// archiveMagic tells an OpenDocument text, also one that is a single XML file, and a PowerPoint file from other archives,
// by the names in the list at the archive's end.
func archiveMagic(data []byte) (magic, bool) {
	if !bytes.HasPrefix(data, []byte(zipMagic.begin)) {
		head := data[:min(len(data), flatHead)]
		return odtMagic, bytes.Contains(head, []byte("<office:document")) && bytes.Contains(head, []byte(odtType))
	}
	if bytes.HasPrefix(data[min(len(data), zipNameAt):], []byte("mimetype"+odtType)) {
		return odtMagic, true
	}
	const sign, listed = "PK\x01\x02", 46 // how an entry of the list begins, and where its name does
	end := bytes.LastIndex(data, []byte("PK\x05\x06"))
	if end < 0 || len(data)-end < 20 {
		return cutMagic, true
	}
	stated := bytes.HasPrefix(data[zipNameAt:], []byte("mimetypeapplication/")) // and it is another
	at := int(binary.LittleEndian.Uint32(data[end+16:]))
	for range docxParts {
		if at < 0 || at+listed > end || string(data[at:at+4]) != sign {
			break
		}
		name := data[at+listed : min(end, at+listed+int(binary.LittleEndian.Uint16(data[at+28:])))]
		switch {
		case len(name) >= 4 && strings.EqualFold(string(name[:4]), "ppt/"):
			return slidesMagic, true
		case string(name) == "content.xml" && !stated:
			return odtMagic, true
		}
		at += listed + len(name) + int(binary.LittleEndian.Uint16(data[at+30:])) +
			int(binary.LittleEndian.Uint16(data[at+32:]))
	}
	return zipMagic, false
}

// archives are the kinds of documents that are archives.
var archives = []filetype.Type{filetype.DOCX, filetype.PPTX, filetype.ODT}

const (
	flatHead  = 8 << 10 // bytes in which an OpenDocument text says what it is
	zipNameAt = 30      // where the name of an archive's first file begins
)

// isLocked reports whether a file is an Office document that is encrypted with a password ([MS-OFFCRYPTO], 2.3.4): it has
// a part of that name.
func isLocked(data []byte) bool {
	const name = "E\x00n\x00c\x00r\x00y\x00p\x00t\x00e\x00d\x00P\x00a\x00c\x00k\x00a\x00g\x00e\x00"
	return bytes.HasPrefix(data, []byte("\xD0\xCF\x11\xE0")) && bytes.Contains(data, []byte(name))
}

// nameEnd finds what a name says about its content: its end, if it looks like one of a file's name. "v1.2" and
// "no. five" say nothing.
var nameEnd = regexp.MustCompile(`\.[a-z][a-z0-9]{1,4}$|\.markdown$`)

// checkName refuses a file whose name contradicts its first bytes: whoever opens it later would take it for something
// else (rule F-16). A zip that is named as another kind of zip is left to say that it is not read.
func checkName(place, name string, m magic) error {
	end := NameEnd(name)
	if end == "" || slices.Contains(m.ends, end) || m.begin == zipMagic.begin && !isKnownEnd(end) {
		return nil
	}
	mend := words.Msg("mend_file_name", "End", m.ends[0])
	if m.read == nil {
		mend = words.Msg("mend_file_other", "Listed", filetype.ListExtensions(filetype.Documents))
	}
	return domain.Refuse(domain.Invalid, place, "refused_file_named", "Name", name, "Inside", words.Msg(m.inside),
		"End", end, "Mend", mend)
}

// isKnownEnd reports whether an end of names belongs to a kind of file that is read, or that was before Word's zip.
func isKnownEnd(end string) bool {
	_, document := filetype.Of(end, filetype.Documents)
	_, interchange := filetype.Of(end, filetype.Interchange)
	return document || interchange || slices.Contains([]string{".doc", ".png", ".jpg", ".jpeg", ".gif"}, end)
}

// KindOf returns the file type by content first, then by name; place and name are for the error.
func KindOf(place, name string, data []byte) (filetype.Type, error) {
	none := filetype.Type{}
	if isLocked(data) {
		return none, domain.Refuse(domain.Invalid, place, "refused_file_locked", "File", name)
	}
	if m, ok := magicOf(data); ok {
		if err := checkName(place, name, m); err != nil {
			return none, err
		}
		end := NameEnd(name)
		switch {
		case m.read == nil:
			return none, notRead(place, words.Msg("refused_file_kind", "Name", name, "Inside", words.Msg(m.inside)))
		case end != "" && !slices.Contains(m.ends, end):
			return none, notRead(place, words.Msg("refused_file_end", "Name", name, "Words", end))
		}
		if kind, ok := filetype.Of(name, archives); ok && m.begin == zipMagic.begin {
			return kind, nil
		}
		return *m.read, nil
	}
	ext := strings.ToLower(path.Ext(name))
	kind, ok := filetype.Of(name, filetype.Documents)
	switch {
	case ext == filetype.JSON.Extension():
		return none, notRead(place, words.Msg("refused_file_interchange", "Name", name))
	case ok && !kind.Text:
		return none, domain.Refuse(domain.Invalid, place, "refused_file_end_broken", "Name", name, "Words", ext)
	case ext == ".doc" || !ok && len(ext) > 1 && len(ext) <= 6 && !strings.ContainsAny(ext, " "):
		return none, notRead(place, words.Msg("refused_file_end", "Name", name, "Words", ext))
	case !text.IsUTF16(data) && !isHTML16(kind, data) && bytes.IndexByte(data, 0) >= 0:
		return none, notRead(place, words.Msg("refused_file_nul", "Name", name))
	case !ok:
		kind = filetype.PlainText
	}
	return kind, nil
}

// CheckName refuses a file whose name contradicts its first bytes (rule F-16).
func CheckName(place, name string, data []byte) error {
	if m, ok := magicOf(data); ok {
		return checkName(place, name, m)
	}
	return nil
}

// NameEnd returns what a name ends with that says what the file is, in lower case with the dot; "" if it says nothing.
func NameEnd(name string) string { return nameEnd.FindString(strings.ToLower(name)) }

// notRead returns that a file is of a kind that is not read, and which are.
func notRead(place string, why domain.Message) error {
	return &domain.Error{Kind: domain.Unsupported, Op: "documents.Read", Path: place,
		Message: words.Msg("refused_file_read", "Why", why, "Listed", filetype.ListExtensions(filetype.Documents))}
}

// looksHTML reports whether data is a whole HTML page, whatever its name says.
func looksHTML(data []byte) bool {
	head := bytes.ToLower(bytes.TrimSpace(bytes.TrimPrefix(data[:min(len(data), 512)], []byte("\ufeff"))))
	return bytes.HasPrefix(head, []byte("<!doctype html")) || bytes.HasPrefix(head, []byte("<html"))
}

// isHTML16 reports whether a file is an HTML page in UTF-16 without a byte order mark.
func isHTML16(kind filetype.Type, data []byte) bool {
	_, ok := barelyUTF16(data)
	return ok && kind.MediaType == filetype.HTML.MediaType
}

// decodeText reads UTF-8, or UTF-16 that begins with a byte order mark.
func decodeText(place, name string, data []byte) (string, error) {
	s, ok := strings.TrimPrefix(string(data), "\ufeff"), true
	if text.IsUTF16(data) {
		s, ok = text.DecodeUTF16(data)
	}
	if !ok || !utf8.ValidString(s) {
		return "", domain.Refuse(domain.Invalid, place, "refused_file_utf8", "Name", name)
	}
	if strings.IndexByte(s, 0) >= 0 {
		return "", notRead(place, words.Msg("refused_file_nul_signs", "Name", name))
	}
	return s, nil
}
