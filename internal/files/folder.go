package files

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"syscall"
)

// folder is a place in a folder, of this machine or shared by several. It replaces gocloud.dev's fileblob, which checks
// for a file and then renames over it, follows links, and does not sync files to disk (docs/adr/0009).
type folder struct {
	root      *os.Root
	replacing sync.Mutex // within this process, where a lock of the file system may not exclude
}

// unfinished is the folder of files that are being written, and lockFile the file that is locked while one is replaced;
// no tenant can have these names.
const (
	unfinished = ".unfinished"
	lockFile   = ".lock"
)

// OpenFolder opens a folder, which is created if missing.
func OpenFolder(dir string) (Place, error) {
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
	return &folder{root: root}, nil
}

// Create writes a temporary file and links it into place. Linking fails if the name exists, even in a race with another
// process, and a partly written file never has the final name.
func (f *folder) Create(_ context.Context, key string, data []byte) error {
	if err := f.walk(key); err == nil {
		return ErrExists
	} else if !errors.Is(err, ErrMissing) {
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

// Get returns the SHA-256 of the file's bytes as its version.
func (f *folder) Get(_ context.Context, key string) (data []byte, version string, err error) {
	if err := f.walk(key); err != nil {
		return nil, "", err
	}
	file, err := f.root.Open(key)
	if err != nil {
		return nil, "", ofFileSystem(err)
	}
	defer file.Close() //nolint:errcheck // opened for reading only
	data, err = readAll(file)
	return data, versionOf(data), err
}

func (f *folder) Size(_ context.Context, key string) (int64, error) {
	if err := f.walk(key); err != nil {
		return 0, err
	}
	info, err := f.root.Stat(key)
	if err != nil {
		return 0, ofFileSystem(err)
	}
	return info.Size(), nil
}

func versionOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Replace holds the place's lock, which other processes and machines see, from the comparison to the renaming.
func (f *folder) Replace(ctx context.Context, key string, data []byte, version string) (err error) {
	lock, err := f.root.OpenFile(lockFile, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }() // which unlocks it
	f.replacing.Lock()
	defer f.replacing.Unlock()
	if err := exclude(lock); err != nil {
		return err
	}
	_, now, err := f.Get(ctx, key)
	if errors.Is(err, ErrMissing) || err == nil && now != version {
		return ErrChanged
	}
	if err != nil {
		return err
	}
	temporary := path.Join(unfinished, rand.Text())
	if err := f.write(temporary, data); err != nil {
		return errors.Join(err, f.root.Remove(temporary))
	}
	if err := f.root.Rename(temporary, key); err != nil {
		return errors.Join(ofFileSystem(err), f.root.Remove(temporary))
	}
	return f.syncFolders(key)
}

// Keys leaves out links and what is being written.
func (f *folder) Keys(ctx context.Context, prefix string) (keys []string, err error) {
	err = fs.WalkDir(f.root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || ctx.Err() != nil:
			return errors.Join(err, ctx.Err())
		case name == unfinished:
			return fs.SkipDir
		case d.Type().IsRegular() && name != lockFile && strings.HasPrefix(name, prefix):
			keys = append(keys, name)
		}
		return nil
	})
	slices.Sort(keys) // as a bucket sorts them: a/b after a-b
	return keys, err
}

func (f *folder) Remove(_ context.Context, key string) error {
	if err := f.walk(key); err != nil {
		return err
	}
	if err := f.root.Remove(key); err != nil {
		return ofFileSystem(err)
	}
	return f.syncFolders(key)
}

// walk checks each step of a path: folders, then a file. It refuses every link, because a link may leave the tenant's
// part even if it stays within the lake. If nothing exists at the path, the error is ErrMissing.
func (f *folder) walk(key string) error {
	steps := strings.Split(key, "/")
	for i := range steps {
		info, err := f.root.Lstat(strings.Join(steps[:i+1], "/"))
		last := i == len(steps)-1
		switch {
		case err != nil:
			return ofFileSystem(err)
		case info.Mode()&fs.ModeSymlink != 0:
			return ErrLink
		case last && !info.Mode().IsRegular(), !last && !info.IsDir():
			return ErrNoPlace
		}
	}
	return nil
}

// ofFileSystem returns the error of this package that an error of the file system means.
func ofFileSystem(err error) error {
	switch {
	case errors.Is(err, fs.ErrExist):
		return ErrExists
	case errors.Is(err, fs.ErrNotExist):
		return ErrMissing
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.EISDIR):
		return ErrNoPlace
	case errors.Is(err, syscall.ENAMETOOLONG):
		return ErrTooLong
	}
	return err
}

func (f *folder) Ready(context.Context) error {
	_, err := f.root.Stat(unfinished)
	return err
}

func (f *folder) Close() error { return f.root.Close() }
