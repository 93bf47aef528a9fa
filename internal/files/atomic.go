package files

import (
	"errors"
	"os"
	"path/filepath"
)

// WriteAtomically writes a small file with the mode of the file that it replaces, or else for the owner alone. After a
// crash the file is the earlier one or the whole new one, since it is synced under another name in its folder and then
// renamed. The folder's entry isn't synced.
func WriteAtomically(path string, data []byte) error {
	temporary, err := WriteTemporary(path, data)
	if err != nil {
		return err
	}
	if err := os.Rename(temporary, path); err != nil {
		return errors.Join(err, os.Remove(temporary))
	}
	return nil
}

// WriteTemporary writes and syncs a file beside path, to be renamed to it.
func WriteTemporary(path string, data []byte) (name string, err error) {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+"*") // mode 0600
	if err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	_, err = f.Write(data)
	if earlier, statErr := os.Stat(path); statErr == nil {
		err = errors.Join(err, f.Chmod(earlier.Mode().Perm()))
	}
	return f.Name(), errors.Join(err, f.Sync(), f.Close())
}
