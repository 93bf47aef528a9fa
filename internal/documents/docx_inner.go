package documents

import (
	"bytes"
	"path"
	"slices"
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
		if s, ok := pageOfArchive(data); ok {
			return readInner("inner.html", []byte(s), w)
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

// pageOfArchive returns the page of a web archive (RFC 2557); false if it has none.
func pageOfArchive(data []byte) (string, bool) {
	fields, body, err := readHead(data)
	if err != nil {
		return "", false
	}
	m := &mail{room: mailRoom(data)}
	bodies, err := m.take(newEntity(fields, body, "text/plain"), 0, false)
	i := slices.IndexFunc(bodies, func(b mailBody) bool { return b.html })
	if err != nil || i < 0 {
		return "", false
	}
	return bodies[i].text, true
}
