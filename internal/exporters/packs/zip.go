package packs

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"maps"
	"time"

	"sanad/internal/domain"
	"sanad/internal/domain/pack"
	"sanad/internal/words"
)

// VerifyPage is the name of the page that checks a pack in a browser. It is a static file, which callers of Zip
// add to the files.
const VerifyPage = "verify.html"

// guideName is the name of the file that explains how to check a pack; Zip writes it.
const guideName = "VERIFY.md"

// ZipNames lists the files of a downloaded pack, in their order in the zip (rule F-11).
var ZipNames = []string{
	"pack.json", "pack.md", "pack.pdf", "pack.dsse.json", "pack.sigstore.json", "pack.tlog-proof", "salts.json",
	"tenant.pub", guideName, VerifyPage,
}

// Zip writes the download of a signed pack: the files of ZipNames and no others; it creates VERIFY.md itself.
// The same files produce the same bytes: their order is fixed, and their time is the pack's. It writes only once
// everything is ready; a missing file is an error.
func Zip(w io.Writer, files map[string][]byte) error {
	c, err := pack.Parse(files["pack.json"])
	if err != nil {
		return fmt.Errorf("packs.Zip: %w", err)
	}
	made, err := time.Parse(time.RFC3339, c.CreatedAt)
	if err != nil {
		return fmt.Errorf("packs.Zip: %w", err)
	}
	guide, err := verifyGuide(c, files)
	if err != nil {
		return err
	}
	with := maps.Clone(files)
	with[guideName] = guide
	return Layout(w, made, with)
}

// Layout writes the files of ZipNames, whatever they hold, as a zip of the one layout that verifiers take (rule
// F-11). It writes only once everything is ready; a missing file is an error.
func Layout(w io.Writer, made time.Time, files map[string][]byte) error {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range ZipNames {
		data := files[name]
		if len(data) == 0 {
			return &domain.Error{Kind: domain.Internal, Op: "packs.Layout",
				Message: words.Msg("refused_pack_lacks_file", "Name", name)}
		}
		if err := addFile(z, name, made.UTC(), data); err != nil {
			return err
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

// addFile adds a file. A PDF is compressed already.
func addFile(z *zip.Writer, name string, made time.Time, data []byte) error {
	h := zip.FileHeader{Name: name, Method: zip.Deflate, Modified: made}
	if name == "pack.pdf" {
		h.Method = zip.Store
	}
	h.SetMode(0o644)
	f, err := z.CreateHeader(&h)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return err
}
