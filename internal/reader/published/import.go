package published

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/reader"
	"sanad/internal/words"
)

// version is how a model is made from what is read. It is part of the digest: another way makes another file.
const version = "1"

// Import reads the model of a folder as hubs publish it, and writes it to the folder readers of dataDir as the file
// that Open opens, unless it is there. The digest is that of what was read: config.json, the tensors, tokenizer.json,
// and the labels if they are given. It reads every file whole each time, about a gigabyte a second; who has the path
// opens it without. A folder that does not fit is refused with a domain.Error that names the file, the reason and what
// mends it.
func Import(dir, dataDir string, labels []string) (path, digest string, err error) {
	f, err := openFolder(dir)
	if err != nil {
		return "", "", err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	chosen, err := f.model(labels)
	if err != nil {
		return "", "", err
	}
	digest = hex.EncodeToString(chosen.Digest[:])
	path = filepath.Join(dataDir, "readers", digest+".bin")
	if there, err := Open(path); err == nil {
		same := there.Source() == digest
		if err := there.Close(); err != nil || same {
			return path, digest, err
		}
	}
	return path, digest, f.write(path, chosen)
}

// Examine is Import without writing anything: it reads all that Import would. The path is "" if the model is not
// imported yet.
func Examine(dir, dataDir string, labels []string) (path, digest string, err error) {
	f, err := openFolder(dir)
	if err != nil {
		return "", "", err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	chosen, err := f.model(labels)
	if err != nil {
		return "", "", err
	}
	digest = hex.EncodeToString(chosen.Digest[:])
	path = filepath.Join(dataDir, "readers", digest+".bin")
	if _, err := os.Stat(path); err == nil {
		return path, digest, nil
	}
	return "", digest, asRefusal(chosen.Write(io.Discard))
}

// asRefusal returns an error of writing a model that could be opened: one without a refusal is a fault of its numbers.
func asRefusal(err error) error {
	if refused := (*domain.Error)(nil); err == nil || errors.As(err, &refused) {
		return err
	}
	return refuse("", mendCopy, words.Msg("reader_unusable", "Why", err.Error()))
}

// write writes the model to a file beside its place, and moves it there when it is complete.
func (f *folder) write(path string, chosen *reader.Chosen) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(path), "new-*.tmp")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, file.Close(), os.Remove(file.Name()))
		}
	}()
	if err := asRefusal(chosen.Write(file)); err != nil {
		return err
	}
	for _, source := range f.files {
		if err := source.unchanged(); err != nil {
			return err
		}
	}
	if err := file.Sync(); err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return os.Rename(file.Name(), path)
}

// model reads all of a folder but the numbers of its tensors, and checks it.
func (f *folder) model(given []string) (*reader.Chosen, error) {
	var c config
	if err := f.readJSON(configFile, mostConfig, &c); err != nil {
		return nil, err
	}
	family, err := c.family()
	if err != nil {
		return nil, err
	}
	labels, err := c.labels(given)
	if err != nil {
		return nil, err
	}
	var t tokenizer
	if err := f.readJSON(tokenizerFile, mostTokenizer, &t); err != nil {
		return nil, err
	}
	r, err := t.read()
	if err != nil {
		return nil, err
	}
	if len(r.pieces) > c.Pieces || len(r.pieces) < c.Pieces-mostSpare {
		return nil, refuse(tokenizerFile, mendCopy, words.Msg("reader_table", "N", len(r.pieces), "Most", c.Pieces))
	}
	if r.form.GELU, err = c.gelu(); err != nil {
		return nil, err
	}
	r.form.Epsilon = 1e-12
	if c.Epsilon != nil {
		r.form.Epsilon = float32(*c.Epsilon)
	}
	shape, err := c.shape(family, len(r.pieces))
	if err != nil {
		return nil, err
	}
	if !r.segments {
		shape.Segments = 1
	}
	weights := &weights{family: family, labels: labels}
	if weights.tensors, err = f.tensors(); err != nil {
		return nil, err
	}
	if err := weights.place(&c, shape); err != nil {
		return nil, err
	}
	chosen := &reader.Chosen{
		Shape: shape, Form: r.form, Pieces: r.pieces, Marks: r.marks, Scores: r.scores, Charsmap: r.charsmap, Source: weights,
	}
	if err := chosen.Check(); err != nil {
		return nil, refuse("", mendOther, words.Msg("reader_unsupported", "Why", err.Error()))
	}
	chosen.Digest, err = f.digest(given)
	return chosen, err
}

// mostSpare is how many rows the table of a model may have beyond its tokenizer's pieces: tables are rounded up.
const mostSpare = 1024

// digest returns the digest of all that was read.
func (f *folder) digest(given []string) (sum [sha256.Size]byte, err error) {
	files := slices.Clone(f.files)
	slices.SortFunc(files, func(a, b *source) int { return cmp.Compare(a.name, b.name) })
	lines := []string{"sanad reader " + version, "labels " + strings.Join(given, ",")}
	for _, file := range files {
		digest, err := file.digest()
		if err != nil {
			return sum, err
		}
		lines = append(lines, digest+" "+file.name)
	}
	return sha256.Sum256([]byte(strings.Join(lines, "\n") + "\n")), nil
}

// Model is an imported model, mapped into memory.
type Model struct {
	*reader.Reader
	release func() error
}

// Open opens a file that Import has written. Its digest and contents are checked when they are first needed.
func Open(path string) (*Model, error) {
	contents, release, err := mapped(path)
	if err != nil {
		return nil, err
	}
	r, err := reader.Open(contents)
	if err == nil && r.Source() == "" {
		err = fmt.Errorf("reader: %s was not made from a published model", path)
	}
	if err != nil {
		return nil, errors.Join(err, release())
	}
	return &Model{Reader: r, release: release}, nil
}

// Close gives the file back. Nothing may use the model afterwards.
func (m *Model) Close() error { return m.release() }
