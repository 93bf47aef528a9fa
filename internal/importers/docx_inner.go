package importers

import (
	"path"
	"strings"
	"unicode/utf8"
)

// readInner reads a part in another format into a Word file's text: HTML, text, or another Word file. Other formats are
// left out.
func readInner(name string, data []byte, w *word) error {
	switch path.Ext(name) {
	case ".docx", ".docm", ".dotx", ".dotm":
		return readWordWithin(data, w.out, w.left, w.depth+1)
	case ".htm", ".html", ".xhtml":
		s, ok := decodeHTML(data)
		if !ok {
			return nil
		}
		p, err := readHTML(s)
		if err != nil {
			return err
		}
		w.out.append(&p.blockList)
	case ".txt":
		if !utf8.Valid(data) {
			return nil
		}
		for s := range strings.Lines(string(data)) {
			if s = folded(s); s != "" {
				w.out.put(s, 0, 0)
			}
		}
	}
	return nil
}
