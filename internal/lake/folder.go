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

// folder is a lake in a folder of this machine. It isn't gocloud.dev's fileblob, which looks whether a file is there and
// then renames over it, follows links, and leaves it to the system when a file reaches the disk (docs/adr/0009).
type folder struct{ root *os.Root }

// unfinished is the folder of files that are being written; no tenant has its name.
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

// put writes a file beside the others and links it to its place: that fails where there is one, also in a race with another
// process, and what is half written never has a name.
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
	if err := errors.Join(f.root.Remove(temporary), plain(err)); err != nil {
		return err
	}
	return f.syncFolders(key)
}

// write writes a new file and brings it to the disk.
func (f *folder) write(name string, data []byte) error {
	file, err := f.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	return errors.Join(err, file.Sync(), file.Close())
}

// syncFolders brings a file's name, and those of the folders it is in, to the disk.
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
		return nil, plain(err)
	}
	defer file.Close() //nolint:errcheck // only read
	return readAll(file)
}

// walk looks at each step of a path: folders, then a file. A link on the way is refused wherever it leads: it could leave
// the tenant's part and stay in the lake. Nothing at all is errMissing.
func (f *folder) walk(key string) error {
	steps := strings.Split(key, "/")
	for i := range steps {
		info, err := f.root.Lstat(strings.Join(steps[:i+1], "/"))
		last := i == len(steps)-1
		switch {
		case err != nil:
			return plain(err)
		case info.Mode()&fs.ModeSymlink != 0:
			return errLink
		case last && !info.Mode().IsRegular(), !last && !info.IsDir():
			return errNoPlace
		}
	}
	return nil
}

// plain names what the system says of a path.
func plain(err error) error {
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
