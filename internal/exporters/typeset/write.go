package typeset

import (
	"io"
)

// Write lays out a document and writes it as one PDF file with the attachments embedded. The same input gives the same
// bytes. If it fails, nothing has been written.
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
