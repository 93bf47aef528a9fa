package wordfile

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"sanad/internal/documents/mailfile"
	"sanad/internal/documents/webpage"
	"sanad/internal/domain/text"
)

// readInner reads a part in another format into a Word file's text: HTML, alone or with its pictures, RTF, text, or
// another Word file. Other formats are left out.
func readInner(name string, data []byte, w *word) error {
	if bytes.HasPrefix(data, []byte(RTFBegin)) { // whatever its name says
		return readRTFInto(data, w.out)
	}
	switch path.Ext(name) {
	case ".docx", ".docm", ".dotx", ".dotm":
		return readWordWithin(data, w.out, w.left, w.depth+1)
	case ".htm", ".html", ".xhtml":
		s, ok := webpage.DecodeHTML(data)
		if !ok {
			return nil
		}
		p, err := webpage.Parse(s)
		if err != nil {
			return err
		}
		w.out.Append(&p.List)
	case ".mht", ".mhtml":
		if s, ok := pageOfArchive(data); ok {
			return readInner("inner.html", []byte(s), w)
		}
	case ".txt":
		if !utf8.Valid(data) {
			return nil
		}
		for s := range strings.Lines(string(data)) {
			if s = text.OneLine(s); s != "" {
				w.out.Put(s, 0, 0)
			}
		}
	}
	return nil
}

// pageOfArchive returns the page of a web archive (RFC 2557); false if it has none.
func pageOfArchive(data []byte) (string, bool) {
	fields, body, err := mailfile.ReadHead(data)
	if err != nil {
		return "", false
	}
	m := &mailfile.Mail{Room: mailfile.Room(data)}
	bodies, err := m.Take(mailfile.NewEntity(fields, body, "text/plain"), 0, false)
	i := slices.IndexFunc(bodies, func(b mailfile.Body) bool { return b.Html })
	if err != nil || i < 0 {
		return "", false
	}
	return bodies[i].Text, true
}
