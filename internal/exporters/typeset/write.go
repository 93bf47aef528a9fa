package typeset

import (
	"io"
)

// Write sets a document and writes it as one PDF file with the attachments in it. The same input gives the same
// bytes. It writes nothing unless all of it went well.
func Write(w io.Writer, d *Doc, attachments []Attachment) error {
	f, err := lay(d)
	if err != nil {
		return err
	}
	raw, err := f.draw()
	if err != nil {
		return err
	}
	file, err := f.finish(raw, attachments)
	if err != nil {
		return err
	}
	_, err = w.Write(file)
	return err
}
