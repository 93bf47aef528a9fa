package webpage

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"sanad/internal/domain/text"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
)

// DecodeHTML returns the text of an HTML page in the encoding that it states: by a byte order mark, in a meta element
// or in an XML declaration (HTML, 13.2.3). A page that states none is UTF-8. It returns false if the bytes are no text
// in that encoding.
func DecodeHTML(data []byte) (string, bool) {
	if text.IsUTF16(data) {
		return text.DecodeUTF16(data)
	}
	if order, ok := BarelyUTF16(data); ok {
		return text.DecodeUTF16(append(order, data...))
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if utf8.Valid(data) {
		return string(data), true
	}
	e, utf8Stated := stated(data)
	switch {
	case utf8Stated: // as browsers do, a few broken signs are replaced
		s := strings.ToValidUTF8(string(data), "\uFFFD")
		return s, strings.Count(s, "\uFFFD")*fewBroken <= len(data)
	case e == nil:
		return "", false
	}
	out, err := e.NewDecoder().Bytes(data)
	if err != nil {
		return "", false
	}
	s := string(out)
	return s, strings.Count(s, "\uFFFD")*100 <= len(s)
}

// fewBroken is of how many bytes of a page at most one may be no UTF-8, although the page states it.
const fewBroken = 1000

// htmlHeadBytes is how far into a page the statement of its encoding is looked for. Browsers look at 1,024 bytes at
// first, and read the page again where it follows later.
const htmlHeadBytes = 64 << 10

var metaPattern = regexp.MustCompile(`(?i)<meta\s[^>]{0,300}charset[^>]{0,100}>`)

// stated returns the encoding that a page states, nil if it states none; or that it states UTF-8. Without a statement
// the library guesses UTF-8 for a page with signs of it, and windows-1252 for any other: it is asked about both.
func stated(data []byte) (e encoding.Encoding, isUTF8 bool) {
	meta := metaPattern.Find(data[:min(len(data), htmlHeadBytes)])
	inXML := statedInXML(data)
	e, name, _ := charset.DetermineEncoding(append(slices.Clone(meta), "é    "...), inXML) // what ends it is not looked at
	_, other, _ := charset.DetermineEncoding(append(slices.Clone(meta), "     "...), inXML)
	switch {
	case name != other:
		return nil, false
	case name == "utf-8":
		return nil, true
	}
	return e, false
}

// BarelyUTF16 reports whether a page is UTF-16 without a byte order mark, and returns the mark that it lacks.
func BarelyUTF16(data []byte) ([]byte, bool) {
	switch {
	case bytes.HasPrefix(data, []byte("<\x00")) && len(data) > 3 && data[3] == 0:
		return []byte{0xFF, 0xFE}, true
	case bytes.HasPrefix(data, []byte("\x00<\x00")):
		return []byte{0xFE, 0xFF}, true
	}
	return nil, false
}

// statedInXML returns the encoding of an XML declaration as a Content-Type, "" if none.
func statedInXML(data []byte) string {
	head := data[:min(len(data), 200)]
	if !bytes.HasPrefix(head, []byte("<?xml")) {
		return ""
	}
	_, rest, ok := bytes.Cut(head, []byte("encoding="))
	if !ok || len(rest) < 2 {
		return ""
	}
	name, _, ok := bytes.Cut(rest[1:], rest[:1])
	if !ok {
		return ""
	}
	return "text/html; charset=" + string(name)
}
