package typeset

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"regexp"
)

var streamLength = regexp.MustCompile(`/Length \d+`)

// repack packs fpdf's streams anew: it compresses for speed, which makes files half as large again.
func (f *pdfFile) repack() error {
	for n, body := range f.objects {
		at := bytes.Index(body, []byte("stream\n"))
		if at < 0 || !bytes.HasSuffix(body, []byte("endstream")) || !bytes.Contains(body[:at], []byte("/FlateDecode")) {
			continue
		}
		z, err := zlib.NewReader(bytes.NewReader(body[at+len("stream\n"):]))
		if err != nil {
			return errFile
		}
		data, err := io.ReadAll(z)
		if err != nil {
			return errFile
		}
		packed := deflate(data)
		out := streamLength.ReplaceAll(body[:at:at], fmt.Appendf(nil, "/Length %d", len(packed)))
		out = append(append(out, "stream\n"...), packed...)
		f.objects[n] = append(out, "\nendstream"...)
	}
	return nil
}
