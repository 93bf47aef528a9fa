package wordfile

import (
	"bytes"
	"errors"
	"path"
	"slices"
	"strings"

	"sanad/internal/documents/block"
	"sanad/internal/documents/mailfile"
	"sanad/internal/documents/webpage"
	"sanad/internal/documents/workbook"
	"sanad/internal/domain/text"
	"sanad/internal/isolated"
)

// errNotRead says that a part in another format cannot be read.
var errNotRead = errors.New("a part in another format is not read")

// readInner reads a part in another format into a Word file's text: HTML, alone or with its pictures, RTF, text, or
// another Word file. Others are errNotRead.
func readInner(name string, data []byte, w *word) error {
	if bytes.HasPrefix(data, []byte(RTFBegin)) { // whatever its name says
		return ReadRTFInto(data, &w.out.List)
	}
	switch path.Ext(name) {
	case ".docx", ".docm", ".dotx", ".dotm":
		return readWordWithin(data, w.out, w.left, w.depth+1)
	case ".htm", ".html", ".xhtml":
		s, ok := webpage.DecodeHTML(data)
		if !ok {
			return errNotRead
		}
		p, err := webpage.Parse(s)
		if err != nil {
			return err
		}
		w.out.Append(&p.List)
		return nil
	case ".mht", ".mhtml":
		s, err := pageOfArchive(data)
		if err != nil {
			return err
		}
		return readInner("inner.html", []byte(s), w)
	case ".txt":
		all, guessed, ok := workbook.DecodeCells(data)
		if !ok {
			return errNotRead
		}
		if guessed != "" {
			w.out.Warn("warning_csv_encoding", "Name", path.Base(name), "Encoding", guessed)
		}
		for s := range strings.Lines(all) {
			if s = text.OneLine(s); s != "" {
				w.out.Put(s, 0, 0)
			}
		}
		return nil
	}
	return errNotRead
}

// pageOfArchive returns the page of a web archive (RFC 2557). Errors are errNotRead, block.ErrLocked and bounds.
func pageOfArchive(data []byte) (string, error) {
	fields, body, err := mailfile.ReadHead(data)
	if err != nil {
		return "", errNotRead
	}
	m := &mailfile.Mail{Room: mailfile.Room(data)}
	bodies, err := m.Take(mailfile.NewEntity(fields, body, "text/plain"), 0, false)
	i := slices.IndexFunc(bodies, func(b mailfile.Body) bool { return b.Html })
	var bound *isolated.Bound
	switch {
	case errors.Is(err, block.ErrLocked) || errors.As(err, &bound):
		return "", err
	case err != nil || i < 0:
		return "", errNotRead
	}
	return bodies[i].Text, nil
}
