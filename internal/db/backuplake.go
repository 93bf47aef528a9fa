package db

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// LakeFolder is the lake's folder in a store's folder, by default. A backup includes it; a lake elsewhere is
// not backed up.
const LakeFolder = "lake"

// copyLake copies the artifacts below a store's folder. It runs after the database was copied, so every artifact that
// the database names is there. Files being written have no name yet, and links are not artifacts.
func copyLake(ctx context.Context, dir string, list *sums) error {
	root := filepath.Join(dir, LakeFolder)
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case path == root && errors.Is(err, fs.ErrNotExist):
			return fs.SkipAll
		case err != nil || ctx.Err() != nil:
			return errors.Join(err, ctx.Err())
		case d.IsDir() && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if strings.ContainsAny(rel, "\r\n") {
			return fmt.Errorf("%q has a line break in its name: no artifact of the lake has one", path)
		}
		f, err := os.Open(path) //nolint:gosec // a regular file of the lake's own folder
		if err != nil {
			return err
		}
		return errors.Join(list.copy(filepath.ToSlash(rel), f), f.Close())
	})
}

// inLake reports whether a file of a backup is an artifact of the lake.
func inLake(name string) bool { return strings.HasPrefix(name, LakeFolder+"/") }
