package documents

import (
	"bytes"
	"encoding/base64"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"path"
	"strings"
	"unicode/utf8"

	"sanad/internal/domain/text"
)

// readInner reads a part in another format into a Word file's text: HTML, alone or with its pictures, RTF, text, or
// another Word file. Other formats are left out.
func readInner(name string, data []byte, w *word) error {
	if bytes.HasPrefix(data, []byte(rtfBegin)) { // whatever its name says
		return readRTFInto(data, w.out)
	}
	switch path.Ext(name) {
	case ".docx", ".docm", ".dotx", ".dotm":
		return readWordWithin(data, w.out, w.left, w.depth+1)
	case ".htm", ".html", ".xhtml":
		s, ok := decodeHTML(data)
		if !ok {
			return nil
		}
		p, err := htmlPage(s)
		if err != nil {
			return err
		}
		w.out.append(&p.blockList)
	case ".mht", ".mhtml":
		if inner := htmlOfMail(data); inner != nil {
			return readInner("inner.html", inner, w)
		}
	case ".txt":
		if !utf8.Valid(data) {
			return nil
		}
		for s := range strings.Lines(string(data)) {
			if s = text.OneLine(s); s != "" {
				w.out.put(s, 0, 0)
			}
		}
	}
	return nil
}

// mostInMail is how many parts of a web archive are looked at.
const mostInMail = 100

// htmlOfMail returns the page of a web archive (RFC 2557), nil if it has none.
func htmlOfMail(data []byte) []byte {
	m, err := mail.ReadMessage(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	kind, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	switch {
	case err != nil:
		return nil
	case kind == "text/html":
		return decodedPart(m.Body, m.Header.Get("Content-Transfer-Encoding"))
	}
	parts := multipart.NewReader(m.Body, params["boundary"])
	for range mostInMail {
		p, err := parts.NextRawPart()
		if err != nil {
			return nil
		}
		if kind, _, _ := mime.ParseMediaType(p.Header.Get("Content-Type")); kind == "text/html" {
			return decodedPart(p, p.Header.Get("Content-Transfer-Encoding"))
		}
	}
	return nil
}

// decodedPart returns the bytes of a part of a mail, which are no more than it has; nil if they are broken.
func decodedPart(r io.Reader, encoding string) []byte {
	switch strings.ToLower(encoding) {
	case "quoted-printable":
		r = quotedprintable.NewReader(r)
	case "base64":
		r = base64.NewDecoder(base64.StdEncoding, r)
	}
	out, err := io.ReadAll(r)
	if err != nil {
		return nil
	}
	return out
}
