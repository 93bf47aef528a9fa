package main

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// writeWhole writes a file that only its owner may read, see put.
func writeWhole(name string, file io.WriterTo) error {
	return put(name, file, func(fs.FileInfo) (mode fs.FileMode, exact bool) { return 0o600, true })
}

// writeReport writes a file for everybody, as far as the umask lets them; a file that is there keeps its mode. See put.
func writeReport(name string, data []byte) error {
	return put(name, bytes.NewReader(data), func(old fs.FileInfo) (mode fs.FileMode, exact bool) {
		if old == nil {
			return 0o644, false
		}
		return old.Mode().Perm(), true
	})
}

// put writes a file whole or not at all: under another name beside it, which then takes its place. A symbolic link
// stays, and its target is written. What is no regular file (a device, a pipe) cannot be replaced and is written to,
// and so are the program's own outputs (/dev/stdout), to which others may write too. mode says which mode the file
// gets, and whether whatever the umask is; it is told of the file that was there, nil if none.
func put(name string, file io.WriterTo, mode func(old fs.FileInfo) (fs.FileMode, bool)) error {
	old, err := os.Stat(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	switch {
	case err != nil:
		old = nil
	case old.IsDir():
		return fmt.Errorf("%s is a folder; name a file in it", name)
	case isFile(old, os.Stdout):
		return writeTo(os.Stdout, file)
	case isFile(old, os.Stderr):
		return writeTo(os.Stderr, file)
	case !old.Mode().IsRegular():
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(writeTo(f, file), f.Close())
	}
	target, err := linkTarget(name)
	if err != nil {
		return err
	}
	bits, exact := mode(old)
	return replace(target, file, bits, exact)
}

// isFile reports whether an open file is the one described.
func isFile(info fs.FileInfo, f *os.File) bool {
	open, err := f.Stat()
	return err == nil && os.SameFile(info, open)
}

func writeTo(w io.Writer, file io.WriterTo) error {
	_, err := file.WriteTo(w)
	return err
}

// linkTarget follows symbolic links and returns the name at their end. The file need not exist.
func linkTarget(name string) (string, error) {
	for range 40 { // as many as Linux follows
		to, err := os.Readlink(name)
		if err != nil {
			return name, nil //nolint:nilerr // it is no link
		}
		if !filepath.IsAbs(to) {
			folder, err := filepath.EvalSymlinks(filepath.Dir(name))
			if err != nil {
				return "", err
			}
			to = filepath.Join(folder, to)
		}
		name = to
	}
	return "", fmt.Errorf("%s: too many symbolic links", name)
}

// replace writes a new file beside the target and renames it. An error names the target, not the new file.
func replace(target string, file io.WriterTo, mode fs.FileMode, exact bool) error {
	tmp := filepath.Join(filepath.Dir(target), ".sanad-"+rand.Text())
	f, err := os.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return called(target, err)
	}
	defer os.Remove(tmp) //nolint:errcheck // already renamed on success
	if exact {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = writeTo(f, file)
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(tmp, target)
	}
	return called(target, err)
}

// called returns an error about a new file beside the target as one about the target.
func called(target string, err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path) && errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: there is no folder %s; make it first", target, filepath.Dir(target))
	case errors.As(err, &path):
		return &fs.PathError{Op: "write", Path: target, Err: path.Err}
	case errors.As(err, &link):
		return &fs.PathError{Op: "write", Path: target, Err: link.Err}
	}
	return err
}
