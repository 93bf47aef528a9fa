package importers

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
)

// decodeHTML returns the text of an HTML page in the encoding that it states: by a byte order mark, in a meta element or
// in an XML declaration (HTML, 13.2.3). A page that states none is UTF-8. It returns false if the bytes are no text in
// that encoding.
func decodeHTML(data []byte) (string, bool) {
	if isUTF16(data) {
		return decode16(data)
	}
	if order, ok := barelyUTF16(data); ok {
		return decode16(append(order, data...))
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if utf8.Valid(data) {
		return string(data), true
	}
	encoding := stated(data)
	if encoding == nil {
		return "", false
	}
	out, err := encoding.NewDecoder().Bytes(data)
	if err != nil {
		return "", false
	}
	s := string(out)
	return s, strings.Count(s, "\uFFFD")*100 <= len(s) // some signs may be broken
}

// htmlHeadBytes is how far into a page the statement of its encoding is looked for.
const htmlHeadBytes = 1024

// stated returns the encoding that a page states, nil if it states none or UTF-8. Without a statement the library guesses
// UTF-8 for a page with one sign of it, and windows-1252 for any other: it is given such a page.
func stated(data []byte) encoding.Encoding {
	const sign = "é    " // what ends a page is not looked at
	head := make([]byte, 0, htmlHeadBytes)
	for _, c := range data[:min(len(data), htmlHeadBytes-len(sign))] {
		if c >= utf8.RuneSelf {
			c = '?'
		}
		head = append(head, c)
	}
	e, name, _ := charset.DetermineEncoding(append(head, sign...), statedInXML(data))
	if name == "utf-8" {
		return nil
	}
	return e
}

// barelyUTF16 reports whether a page is UTF-16 without a byte order mark, and returns the mark that it lacks.
func barelyUTF16(data []byte) ([]byte, bool) {
	switch {
	case bytes.HasPrefix(data, []byte("<\x00")) && len(data) > 3 && data[3] == 0:
		return []byte{0xFF, 0xFE}, true
	case bytes.HasPrefix(data, []byte("\x00<\x00")):
		return []byte{0xFE, 0xFF}, true
	}
	return nil, false
}

// statedInXML returns the encoding of an XML declaration as a Content-Type, "" if there is none.
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
