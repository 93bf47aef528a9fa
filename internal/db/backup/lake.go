package backup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"sanad/internal/db"
	"sanad/internal/files"
)

// LakeFolder is the lake's folder in a store's folder, by default. A backup includes it, or Options.Lake; another lake
// is not backed up.
const LakeFolder = "lake"

// copyLake copies the artifacts of Options.Lake, else those below the store's folder. It runs after the database was
// copied, so every artifact that the database names is there. Files being written have no name yet, and links are not
// artifacts.
func copyLake(ctx context.Context, o db.Options, list *sums) error {
	if o.Lake != "" {
		return copySharedLake(ctx, o.Lake, list)
	}
	dir := o.Dir
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

// copySharedLake copies all artifacts of a lake that is elsewhere.
func copySharedLake(ctx context.Context, address string, list *sums) (err error) {
	lake, err := files.Open(ctx, address)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lake.Close()) }()
	keys, err := lake.Keys(ctx, "")
	if err != nil {
		return err
	}
	for _, key := range keys {
		if !filepath.IsLocal(filepath.FromSlash(key)) || strings.ContainsAny(key, "\r\n") {
			return fmt.Errorf("%q is no name of an artifact", key)
		}
		data, _, err := lake.Get(ctx, key)
		if errors.Is(err, files.ErrMissing) { // erased meanwhile
			continue
		}
		if err == nil {
			err = list.copy(LakeFolder+"/"+key, bytes.NewReader(data))
		}
		if err != nil {
			return fmt.Errorf("the artifact %s cannot be copied: %w", key, err)
		}
	}
	return nil
}

// restoreArtifact writes an artifact to a lake that is elsewhere. One that is there is replaced if it differs:
// artifacts never change, so it is damaged.
func restoreArtifact(ctx context.Context, lake files.Place, key string, f *os.File) (sum string, err error) {
	var data bytes.Buffer
	if sum, _, err = copyHashed(&data, f); err != nil {
		return "", err
	}
	err = lake.Create(ctx, key, data.Bytes())
	if !errors.Is(err, files.ErrExists) {
		return sum, err
	}
	there, _, err := lake.Get(ctx, key)
	if err != nil || bytes.Equal(there, data.Bytes()) {
		return sum, err
	}
	if err := lake.Remove(ctx, key); err != nil {
		return "", err
	}
	return sum, lake.Create(ctx, key, data.Bytes())
}
