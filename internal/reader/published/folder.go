package published

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"sanad/internal/domain"
	"sanad/internal/words"
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

// refuse says why a folder is not taken, and what mends it. The file is one of the folder, "" for the folder itself.
func refuse(file string, mend, why domain.Message) error {
	return domain.Refuse(domain.Invalid, file, "refused_reader", "Why", why, "Mend", mend)
}

// What mends a folder.
var (
	mendCopy  = words.Msg("reader_mend_copy")
	mendOther = words.Msg("reader_mend_other")
	mendFloat = words.Msg("reader_mend_float")
)

// mostShown is how many characters of a name are shown that a folder gives: it may be hostile.
const mostShown = 100

// shown returns a name of the folder as it stands between quotation marks.
func shown(name string) string {
	if runes := []rune(name); len(runes) > mostShown {
		name = string(runes[:mostShown])
	}
	return words.Quoted(name)
}

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
		return nil, refuse("", words.Msg("reader_mend_folder"), words.Msg("reader_no_folder", "Why", err.Error()))
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
		return nil, refuse(name, words.Msg("reader_mend_whole"), words.Msg("reader_no_file"))
	case err != nil:
		return nil, refuse(name, words.Msg("reader_mend_links"), words.Msg("reader_unopened", "Why", err.Error()))
	case !info.Mode().IsRegular():
		return nil, refuse(name, mendCopy, words.Msg("reader_irregular"))
	case info.Size() > most:
		return nil, refuse(name, mendOther, words.Msg("reader_large", "N", int(info.Size()), "Most", int(most)))
	}
	opened, err := f.root.Open(name)
	if err != nil {
		return nil, refuse(name, mendCopy, words.Msg("reader_unopened", "Why", err.Error()))
	}
	file := &source{File: opened, name: name, size: info.Size(), change: info.ModTime()}
	f.files = append(f.files, file)
	if now, err := opened.Stat(); err != nil || !os.SameFile(info, now) || now.Size() != info.Size() {
		return nil, file.changed()
	}
	return file, nil
}

func (s *source) changed() error {
	return refuse(s.name, words.Msg("reader_mend_wait"), words.Msg("reader_changing"))
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
				return refuse(name, mendOther, words.Msg("reader_deep", "N", mostDepth))
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	if err := json.Unmarshal(encoded, into); err != nil {
		return refuse(name, mendCopy, words.Msg("reader_json", "N", offsetIn(encoded, err)))
	}
	return nil
}

// offsetIn is the byte from which on JSON is not what was expected.
func offsetIn(encoded []byte, err error) int {
	var broken *json.SyntaxError
	var other *json.UnmarshalTypeError
	switch {
	case errors.As(err, &broken):
		return int(broken.Offset)
	case errors.As(err, &other):
		return int(other.Offset)
	}
	return len(encoded)
}
