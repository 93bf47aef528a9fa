package lake

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"
	"syscall"
)

// folder is a lake in a local folder. It replaces gocloud.dev's fileblob, which checks for a file and then renames over
// it, follows links, and does not sync files to disk (docs/adr/0009).
type folder struct{ root *os.Root }

// unfinished is the folder of files that are being written; no tenant can have this name.
const unfinished = ".unfinished"

func newFolder(dir string) (*folder, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	if err := root.MkdirAll(unfinished, 0o700); err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return &folder{root}, nil
}

// put writes a temporary file and links it into place. Linking fails if the name exists, even in a race with another
// process, and a partly written file never has the final name.
func (f *folder) put(_ context.Context, key string, data []byte) error {
	if err := f.walk(key); err == nil {
		return errExists
	} else if !errors.Is(err, errMissing) {
		return err
	}
	temporary := path.Join(unfinished, rand.Text())
	if err := f.write(temporary, data); err != nil {
		return errors.Join(err, f.root.Remove(temporary))
	}
	err := f.root.MkdirAll(path.Dir(key), 0o700)
	if err == nil {
		err = f.root.Link(temporary, key)
	}
	if err := errors.Join(f.root.Remove(temporary), ofFileSystem(err)); err != nil {
		return err
	}
	return f.syncFolders(key)
}

// write writes a new file and syncs it to disk.
func (f *folder) write(name string, data []byte) error {
	file, err := f.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	return errors.Join(err, file.Sync(), file.Close())
}

// syncFolders syncs the folders on a file's path, so that the names survive a crash.
func (f *folder) syncFolders(key string) error {
	for dir := path.Dir(key); ; dir = path.Dir(dir) {
		d, err := f.root.Open(dir)
		if err != nil {
			return err
		}
		if err := errors.Join(d.Sync(), d.Close()); err != nil {
			return err
		}
		if dir == "." {
			return nil
		}
	}
}

func (f *folder) get(_ context.Context, key string) ([]byte, error) {
	if err := f.walk(key); err != nil {
		return nil, err
	}
	file, err := f.root.Open(key)
	if err != nil {
		return nil, ofFileSystem(err)
	}
	defer file.Close() //nolint:errcheck // opened for reading only
	return readAll(file)
}

func (f *folder) remove(_ context.Context, key string) error {
	if err := f.walk(key); err != nil {
		return err
	}
	if err := f.root.Remove(key); err != nil {
		return ofFileSystem(err)
	}
	return f.syncFolders(key)
}

// walk checks each step of a path: folders, then a file. It refuses every link, because a link may leave the tenant's
// part even if it stays within the lake. If nothing exists at the path, the error is errMissing.
func (f *folder) walk(key string) error {
	steps := strings.Split(key, "/")
	for i := range steps {
		info, err := f.root.Lstat(strings.Join(steps[:i+1], "/"))
		last := i == len(steps)-1
		switch {
		case err != nil:
			return ofFileSystem(err)
		case info.Mode()&fs.ModeSymlink != 0:
			return errLink
		case last && !info.Mode().IsRegular(), !last && !info.IsDir():
			return errNoPlace
		}
	}
	return nil
}

// ofFileSystem returns the error of this package that an error of the file system means.
func ofFileSystem(err error) error {
	switch {
	case errors.Is(err, fs.ErrExist):
		return errExists
	case errors.Is(err, fs.ErrNotExist):
		return errMissing
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.EISDIR):
		return errNoPlace
	case errors.Is(err, syscall.ENAMETOOLONG):
		return errTooLong
	}
	return err
}

func (f *folder) ready(context.Context) error {
	_, err := f.root.Stat(unfinished)
	return err
}

func (f *folder) close() error { return f.root.Close() }
