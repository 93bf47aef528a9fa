package backup

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// BackupFiles summarises the list of a backup's files.
type BackupFiles struct {
	Count      int64  `json:"count"`
	Bytes      int64  `json:"bytes"`
	SumsSHA256 string `json:"sums_sha256"` // of the file SHA256SUMS
}

// sums writes the list of a backup's files in the format of sha256sum: hash, two spaces, name.
type sums struct {
	dir   string
	file  *os.File
	hash  hash.Hash
	files BackupFiles
}

func newSums(dir string) (*sums, error) {
	f, err := os.OpenFile(filepath.Join(dir, sumsFile), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	return &sums{dir: dir, file: f, hash: sha256.New()}, err
}

// take adds an existing file to the list.
func (l *sums) take(name string) error {
	sum, n, err := hashFile(filepath.Join(l.dir, filepath.FromSlash(name)))
	if err != nil {
		return err
	}
	return l.add(name, sum, n)
}

// copy writes a new file and adds it to the list.
func (l *sums) copy(name string, r io.Reader) error {
	sum, n, err := copyNew(filepath.Join(l.dir, filepath.FromSlash(name)), r)
	if err != nil {
		return err
	}
	return l.add(name, sum, n)
}

func (l *sums) add(name, sum string, n int64) error {
	l.files.Count++
	l.files.Bytes += n
	_, err := fmt.Fprintf(io.MultiWriter(l.file, l.hash), "%s  %s\n", sum, name)
	return err
}

func (l *sums) finish() (BackupFiles, error) {
	l.files.SumsSHA256 = hex.EncodeToString(l.hash.Sum(nil))
	return l.files, errors.Join(l.file.Sync(), l.file.Close())
}

// copyNew writes a file, which must not exist yet, and syncs it to disk.
func copyNew(path string, r io.Reader) (sum string, n int64, err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", 0, err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", 0, err
	}
	sum, n, err = copyHashed(f, r)
	return sum, n, errors.Join(err, f.Sync(), f.Close())
}

// copyHashed copies and returns the SHA-256 of the copied bytes.
func copyHashed(w io.Writer, r io.Reader) (sum string, n int64, err error) {
	h := sha256.New()
	n, err = io.Copy(io.MultiWriter(w, h), r)
	return hex.EncodeToString(h.Sum(nil)), n, err
}

func hashFile(path string) (sum string, n int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer f.Close() //nolint:errcheck // only read
	return copyHashed(io.Discard, f)
}

// eachSum reads the list of a backup in order and returns the same totals as finish did when writing it.
func eachSum(ctx context.Context, dir string, do func(name, sum string) (n int64, err error)) (BackupFiles, error) {
	f, err := os.Open(filepath.Join(dir, sumsFile))
	if err != nil {
		return BackupFiles{}, err
	}
	defer f.Close() //nolint:errcheck // only read
	h := sha256.New()
	var files BackupFiles
	lines := bufio.NewScanner(io.TeeReader(f, h))
	for lines.Scan() {
		sum, name, ok := strings.Cut(lines.Text(), "  ")
		if !ok || !filepath.IsLocal(filepath.FromSlash(name)) {
			return BackupFiles{}, fmt.Errorf("%s: line %d names no file of the backup", f.Name(), files.Count+1)
		}
		n, err := do(name, sum)
		if err := errors.Join(err, ctx.Err()); err != nil {
			return BackupFiles{}, err
		}
		files.Count++
		files.Bytes += n
	}
	files.SumsSHA256 = hex.EncodeToString(h.Sum(nil))
	return files, lines.Err()
}
