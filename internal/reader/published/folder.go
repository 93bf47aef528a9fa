package published

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// Bounds of what is read.
const (
	mostConfig    = 1 << 20
	mostTokenizer = 48 << 20
	mostIndex     = 4 << 20
	mostHeader    = 16 << 20
	mostShard     = 2 << 30
	mostShards    = 64
	mostTensors   = 4096
	mostDepth     = 16
	mostNumbers   = 400_000_000
)

// Refusal says why a folder is not taken, and what mends it.
type Refusal struct {
	File   string // in the folder; "" if it is the folder itself
	Reason string
	Mend   string
}

func (r *Refusal) Error() string {
	text := r.Reason
	if r.File != "" {
		text = r.File + ": " + text
	}
	return text + "; " + r.Mend
}

// refuse returns a refusal with a reason by format.
func refuse(file, mend, format string, args ...any) *Refusal {
	return &Refusal{File: file, Mend: mend, Reason: fmt.Sprintf(format, args...)}
}

// What mends a folder.
const (
	mendCopy  = "copy the model again, and compare the files' digests with those that its hub shows"
	mendOther = "choose a model that docs/reader.md names, or one of the same kind"
)

// folder is an opened folder of a model.
type folder struct {
	root  *os.Root
	files []*source
}

// source is a file of the folder. It is opened once; what is read comes from this one file.
type source struct {
	*os.File
	name   string
	size   int64
	change time.Time
}

// openFolder opens a folder. Links that lead out of it are not followed.
func openFolder(path string) (*folder, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, refuse("", "give the folder that has config.json, model.safetensors and tokenizer.json",
			"the folder cannot be opened: %v", err)
	}
	return &folder{root: root}, nil
}

// Close closes the folder and its files.
func (f *folder) Close() error {
	faults := []error{f.root.Close()}
	for _, file := range f.files {
		faults = append(faults, file.Close())
	}
	return errors.Join(faults...)
}

// has reports whether the folder has a file.
func (f *folder) has(name string) bool {
	_, err := f.root.Lstat(name)
	return err == nil
}

// open opens a file of at most a number of bytes.
func (f *folder) open(name string, most int64) (*source, error) {
	info, err := f.root.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, refuse(name, "download the whole folder", "the folder does not have this file")
	case err != nil:
		return nil, refuse(name, "copy the files themselves (cp -rL); links that lead out of the folder are not followed",
			"cannot be opened: %v", err)
	case !info.Mode().IsRegular():
		return nil, refuse(name, mendCopy, "is no regular file")
	case info.Size() > most:
		return nil, refuse(name, mendOther, "has %d bytes; at most %d are read", info.Size(), most)
	}
	opened, err := f.root.Open(name)
	if err != nil {
		return nil, refuse(name, mendCopy, "cannot be opened: %v", err)
	}
	file := &source{File: opened, name: name, size: info.Size(), change: info.ModTime()}
	f.files = append(f.files, file)
	if now, err := opened.Stat(); err != nil || !os.SameFile(info, now) || now.Size() != info.Size() {
		return nil, file.changed()
	}
	return file, nil
}

func (s *source) changed() error {
	return refuse(s.name, "wait until the copy is complete, then try again", "changes while it is read")
}

// digest returns the SHA-256 of a file in hexadecimal.
func (s *source) digest() (string, error) {
	sum := sha256.New()
	if n, err := io.Copy(sum, io.NewSectionReader(s, 0, s.size)); err != nil || n != s.size {
		return "", s.changed()
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// unchanged refuses a file that was written to since it was opened.
func (s *source) unchanged() error {
	if now, err := s.Stat(); err != nil || now.Size() != s.size || !now.ModTime().Equal(s.change) {
		return s.changed()
	}
	return nil
}

// readJSON decodes a small file of JSON.
func (f *folder) readJSON(name string, most int64, into any) error {
	file, err := f.open(name, most)
	if err != nil {
		return err
	}
	encoded := make([]byte, file.size)
	if _, err := io.ReadFull(io.NewSectionReader(file, 0, file.size), encoded); err != nil {
		return file.changed()
	}
	return decodeJSON(name, encoded, into)
}

// decodeJSON decodes JSON that is not nested deeper than any published model's.
func decodeJSON(name string, encoded []byte, into any) error {
	depth, quoted := 0, false
	for i := 0; i < len(encoded); i++ {
		switch c := encoded[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth > mostDepth {
				return refuse(name, mendOther, "is nested deeper than %d", mostDepth)
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	if err := json.Unmarshal(encoded, into); err != nil {
		return refuse(name, mendCopy, "is no JSON as it is published: %v", err)
	}
	return nil
}
