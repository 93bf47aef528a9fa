package documents

import (
	"bytes"
	"encoding/binary"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"sanad/internal/documents/block"
	"sanad/internal/documents/mailfile"
	"sanad/internal/documents/webpage"
	"sanad/internal/documents/wordfile"
	"sanad/internal/documents/workbook"
	"sanad/internal/domain"
	"sanad/internal/domain/filetype"
	"sanad/internal/domain/text"
	"sanad/internal/words"
)

// A magic tells a kind of file by its first bytes.
type magic struct {
	begin  string
	inside string         // id of what such a file is
	why    string         // id of why it is not read, "" for the usual one
	ends   []string       // what names of such files end with
	read   *filetype.Type // nil if it can't be read
}

var (
	pdfMagic = magic{begin: "%PDF-", inside: "inside_pdf", ends: filetype.PDF.Extensions, read: &filetype.PDF}
	zipMagic = magic{begin: "PK\x03\x04", inside: "inside_zip", ends: filetype.DOCX.Extensions,
		read: &filetype.DOCX}
	outlookMagic = magic{begin: "\xD0\xCF\x11\xE0", inside: "inside_outlook", ends: filetype.Outlook.Extensions,
		read: &filetype.Outlook} // see looksOutlook
	officeMagic = magic{begin: "\xD0\xCF\x11\xE0", inside: "inside_office",
		ends: []string{".doc", ".docx", ".xls", ".xlsx", ".ppt", ".pptx"}}
	odtMagic  = magic{inside: "inside_odt", ends: filetype.ODT.Extensions, read: &filetype.ODT}
	htmlMagic = magic{inside: "inside_html", ends: filetype.HTML.Extensions, read: &filetype.HTML} // see looksHTML
)

// magics are those of other files. An Office file with a password is an old Office document on the outside.
var magics = []magic{
	zipMagic,
	officeMagic,
	{begin: wordfile.RTFBegin, inside: "inside_rtf", ends: []string{".rtf", ".doc"},
		read: &filetype.RTF}, // Word opens both
	{begin: "\x89PNG", inside: "inside_image", ends: filetype.PNG.Extensions, read: &filetype.PNG},
	{begin: "\xFF\xD8\xFF", inside: "inside_image", ends: filetype.JPEG.Extensions, read: &filetype.JPEG},
	{begin: "II*\x00", inside: "inside_image", ends: filetype.TIFF.Extensions, read: &filetype.TIFF},
	{begin: "MM\x00*", inside: "inside_image", ends: filetype.TIFF.Extensions, read: &filetype.TIFF},
	{begin: "GIF8", inside: "inside_image", ends: []string{".gif"}},
	{begin: "\x1F\x8B", inside: "inside_gzip", ends: []string{".gz", ".tgz"}},
	{begin: "\x78\x9F\x3E\x22", inside: "inside_tnef", ends: []string{".dat", ".tnef"}},
}

// zipKinds are the kinds of zip archives that are told by the folder of their main part.
var zipKinds = []struct {
	folder string
	magic  magic
}{
	{"word/", magic{begin: zipMagic.begin, inside: "inside_word", ends: filetype.DOCX.Extensions, read: &filetype.DOCX}},
	{"ppt/", magic{begin: zipMagic.begin, inside: "inside_slides", ends: filetype.PPTX.Extensions, read: &filetype.PPTX}},
	{"xl/", magic{begin: zipMagic.begin, inside: "inside_sheet", ends: filetype.XLSX.Extensions, read: &filetype.XLSX}},
}

// lockedID is the message that a file needs a password.
const lockedID = "refused_file_locked"

// officeKinds are the kinds of old Office documents, by the names of streams in them.
var officeKinds = []struct {
	stream string
	magic  magic
}{
	{"EncryptedPackage", magic{begin: officeMagic.begin, inside: "inside_office", why: lockedID,
		ends: slices.Concat(filetype.DOCX.Extensions, filetype.PPTX.Extensions, filetype.XLSX.Extensions)}},
	{"Workbook", magic{begin: officeMagic.begin, inside: "inside_office", why: "refused_file_old_sheet",
		ends: []string{".xls", ".xlt"}}},
}

// kindWithin tells the kind of an archive or an old Office document by what lies in it; name is asked where that says
// nothing.
func kindWithin(m magic, name string, data []byte) magic {
	switch m.begin {
	case zipMagic.begin:
		stated := bytes.HasPrefix(data[min(len(data), zipNameAt):], []byte("mimetype"))
		if stated && bytes.HasPrefix(data[zipNameAt:], []byte("mimetype"+wordfile.ODTType)) {
			return odtMagic
		}
		for _, part := range zipNames(data) {
			for _, k := range zipKinds {
				if strings.HasPrefix(part, k.folder) {
					return k.magic
				}
			}
			if part == "content.xml" && !stated {
				return odtMagic
			}
		}
		if slices.Contains(odtMagic.ends, filetype.NameEnd(name)) && !stated {
			return odtMagic
		}
		for _, k := range zipKinds {
			if slices.Contains(k.magic.ends, filetype.NameEnd(name)) {
				return k.magic
			}
		}
	case officeMagic.begin:
		for _, k := range officeKinds {
			if bytes.Contains(data, inUTF16(k.stream)) {
				return k.magic
			}
		}
	}
	return m
}

// inUTF16 writes ASCII in the encoding of names of streams.
func inUTF16(s string) []byte {
	var out []byte
	for i := range len(s) {
		out = append(out, s[i], 0)
	}
	return out
}

// zipNames returns the first names of an archive's directory, in lower case; none if it is broken. It reads no part,
// and holds nothing else of the directory.
func zipNames(data []byte) (out []string) {
	const end, entry = "PK\x05\x06", "PK\x01\x02"
	at := bytes.LastIndex(data, []byte(end))
	if at < 0 || len(data)-at < 22 {
		return nil
	}
	next := int(binary.LittleEndian.Uint32(data[at+16:]))
	for len(out) < block.ArchiveFiles && next+46 <= at && string(data[next:next+4]) == entry {
		size := int(binary.LittleEndian.Uint16(data[next+28:]))
		if next+46+size > at {
			break
		}
		name := strings.ReplaceAll(string(data[next+46:next+46+size]), `\`, "/")
		out = append(out, strings.TrimPrefix(strings.ToLower(name), "/"))
		next += 46 + size + int(binary.LittleEndian.Uint16(data[next+30:])) + int(binary.LittleEndian.Uint16(data[next+32:]))
	}
	return out
}

// magicOf tells a file by its first bytes, and an archive by what lies in it; false if they say nothing.
func magicOf(name string, data []byte) (magic, bool) {
	head := bytes.TrimPrefix(data[:min(len(data), 1024)], []byte("\ufeff"))
	if bytes.HasPrefix(bytes.TrimLeft(head, "\r\n\t \x00"), []byte(pdfMagic.begin)) {
		return pdfMagic, true
	}
	if bytes.HasPrefix(data, []byte(outlookMagic.begin)) && mailfile.LooksOutlook(data) {
		return outlookMagic, true
	}
	if isFlatODT(data) {
		return odtMagic, true
	}
	for _, m := range magics {
		if bytes.HasPrefix(head, []byte(m.begin)) {
			return kindWithin(m, name, data), true
		}
	}
	return htmlMagic, looksHTML(data)
}

// zipNameAt is where the name of an archive's first file begins. OpenDocument states there what it is.
const zipNameAt = 30

// isFlatODT reports whether a file is an OpenDocument text that is a single XML file.
func isFlatODT(data []byte) bool {
	head := data[:min(len(data), flatHead)]
	return bytes.Contains(head, []byte("<office:document")) && bytes.Contains(head, []byte(wordfile.ODTType))
}

const flatHead = 8 << 10 // bytes in which such a file says what it is

// checkName refuses a file whose name contradicts its first bytes: whoever opens it later would take it for something
// else (rule F-16). A zip that is named as another kind of zip is left to say that it is not read.
func checkName(place, name string, m magic) error {
	end := filetype.NameEnd(name)
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
	if m, ok := magicOf(name, data); ok {
		if err := checkName(place, name, m); err != nil {
			return none, err
		}
		end := filetype.NameEnd(name)
		switch {
		case m.why == lockedID:
			return none, domain.Refuse(domain.Invalid, place, m.why, "File", name)
		case m.why != "":
			return none, domain.Refuse(domain.Unsupported, place, m.why, "File", name)
		case m.read == nil:
			return none, notRead(place, words.Msg("refused_file_kind", "Name", name, "Inside", words.Msg(m.inside)))
		case end != "" && !slices.Contains(m.ends, end):
			return none, notRead(place, words.Msg("refused_file_end", "Name", name, "Words", end))
		}
		return *m.read, nil
	}
	ext := strings.ToLower(path.Ext(name))
	kind, ok := filetype.Of(name, filetype.Documents)
	isMail := kind.MediaType == filetype.Mail.MediaType || kind.MediaType == filetype.WebArchive.MediaType
	switch {
	case isMail && mailfile.LooksMail(data):
		return kind, nil
	case ext == filetype.JSON.Extension():
		return none, notRead(place, words.Msg("refused_file_interchange", "Name", name))
	case ok && !kind.Text:
		return none, domain.Refuse(domain.Invalid, place, "refused_file_end_broken", "Name", name, "Words", ext)
	case ext == ".doc" || !ok && len(ext) > 1 && len(ext) <= 6 && !strings.ContainsAny(ext, " "):
		return none, notRead(place, words.Msg("refused_file_end", "Name", name, "Words", ext))
	case !text.IsUTF16(data) && !isHTML16(kind, data) && !isSheet16(kind, data) && bytes.IndexByte(data, 0) >= 0:
		return none, notRead(place, words.Msg("refused_file_nul", "Name", name))
	case !ok:
		kind = filetype.PlainText
	}
	return kind, nil
}

// CheckName refuses a file whose name contradicts its first bytes (rule F-16).
func CheckName(place, name string, data []byte) error {
	if m, ok := magicOf(name, data); ok {
		return checkName(place, name, m)
	}
	return nil
}

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
	_, ok := webpage.BarelyUTF16(data)
	return ok && kind.MediaType == filetype.HTML.MediaType
}

// isSheet16 reports whether a file is a text of cells in UTF-16 without a byte order mark.
func isSheet16(kind filetype.Type, data []byte) bool {
	return filetype.IsSheet(kind.MediaType) && workbook.BareUTF16(data) != nil
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
