package release

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"strings"
	"time"
)

// File is a file in an archive: where it is read from, and what it is called there.
type File struct {
	From, Name string
	Program    bool
}

// Archive writes files into one folder of an archive, .tar.gz or .zip by its name. All have the time given and no
// owner, so that the same files give the same bytes.
func Archive(path, folder string, files []File, at time.Time) (err error) {
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	if strings.HasSuffix(path, ".zip") {
		return writeZip(out, folder, files, at)
	}
	z, err := gzip.NewWriterLevel(out, gzip.BestCompression)
	if err != nil {
		return err
	}
	if err := writeTar(z, folder, files, at); err != nil {
		return err
	}
	return z.Close()
}

func writeTar(w io.Writer, folder string, files []File, at time.Time) error {
	t := tar.NewWriter(w)
	for _, f := range files {
		data, err := os.ReadFile(f.From)
		if err != nil {
			return err
		}
		if err := t.WriteHeader(&tar.Header{Name: folder + "/" + f.Name, Mode: int64(f.mode()), Size: int64(len(data)),
			ModTime: at, Format: tar.FormatUSTAR}); err != nil {
			return err
		}
		if _, err := t.Write(data); err != nil {
			return err
		}
	}
	return t.Close()
}

func writeZip(w io.Writer, folder string, files []File, at time.Time) error {
	z := zip.NewWriter(w)
	for _, f := range files {
		data, err := os.ReadFile(f.From)
		if err != nil {
			return err
		}
		h := &zip.FileHeader{Name: folder + "/" + f.Name, Method: zip.Deflate, Modified: at.UTC()}
		h.SetMode(f.mode())
		part, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := part.Write(data); err != nil {
			return err
		}
	}
	return z.Close()
}

func (f File) mode() os.FileMode {
	if f.Program {
		return 0o755
	}
	return 0o644
}
