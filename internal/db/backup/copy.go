package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"sanad/internal/db"
	"sanad/internal/db/auditlog"
	"sanad/internal/db/originals"
	"sanad/internal/db/sqldb"
	"sanad/internal/files"
)

// copyCheckpoints copies the checkpoints of a witness into a folder and returns the ids of their tenants.
func copyCheckpoints(source auditlog.Witness, to string) ([]string, error) {
	if err := os.MkdirAll(to, 0o700); err != nil {
		return nil, err
	}
	target := auditlog.FolderWitness{Dir: to}
	tenants, err := source.Tenants()
	if err != nil {
		return nil, err
	}
	slices.Sort(tenants)
	for _, tenant := range tenants {
		text, _, err := source.Read(tenant)
		if err != nil {
			return nil, err
		}
		if err := writeNew(target.Path(tenant), []byte(text)); err != nil {
			return nil, err
		}
	}
	return tenants, nil
}

// copyDatabase copies the checkpoints and then the database, and returns the tenants with checkpoints. A log that
// begins in between would be in the copy without its checkpoint, and one copied later could be ahead of the copy, so
// both are copied again. The check of the whole copy refuses a log that still lacks its checkpoint after the last
// attempt.
func copyDatabase(ctx context.Context, source sqldb.Engine, to string, o db.Options) ([]string, error) {
	const attempts = 5
	from, err := auditlog.OpenWitness(ctx, o.CheckpointsPlace())
	if err != nil {
		return nil, err
	}
	defer from.Close() //nolint:errcheck // only read
	database := filepath.Join(to, db.DatabaseFile)
	for n := 1; ; n++ {
		copied, err := copyCheckpoints(from, filepath.Join(to, checkpointsDir))
		if err != nil {
			return nil, err
		}
		can, err := source.CopyTo(ctx, database)
		if !can && err == nil {
			err = copySnapshot(ctx, source, database, o.Now)
		}
		if err == nil {
			err = errors.Join(os.Chmod(database, 0o600), syncPath(database))
		}
		if err != nil {
			return nil, sqldb.At("copying the database to "+to, err)
		}
		now, err := from.Tenants()
		if err != nil || len(now) == len(copied) || n == attempts {
			return copied, err
		}
		if err := errors.Join(os.Remove(database), os.RemoveAll(filepath.Join(to, checkpointsDir))); err != nil {
			return nil, err
		}
	}
}

// copyOriginals copies every original that the copied database names, in the database's order.
func copyOriginals(ctx context.Context, to string, o db.Options, list *sums) error {
	var bucket originals.Files
	if err := bucket.Open(ctx, o.Bucket, o.Dir); err != nil {
		return err
	}
	defer bucket.Close() //nolint:errcheck // only read
	c, err := openCopy(filepath.Join(to, db.DatabaseFile), filepath.Join(to, checkpointsDir), o.Keys)
	if err != nil {
		return err
	}
	defer c.Close() //nolint:errcheck // only read
	named := originalsOf(c)
	for {
		key, err := named.next(ctx)
		if err != nil || key == "" {
			return err
		}
		r, err := bucket.NewReader(ctx, key, nil)
		if err != nil {
			return fmt.Errorf("the original document %s cannot be read: %w; put it back from an older backup first",
				key, err)
		}
		err = list.copy(originalsDir+"/"+key, r)
		if err := errors.Join(err, r.Close()); err != nil {
			return fmt.Errorf("the original document %s cannot be copied: %w", key, err)
		}
	}
}

// originalKeys iterates over the keys of the originals that a database names: those of documents, in order of their
// ids, then all others, in order of the keys.
type originalKeys struct {
	store  *db.Store
	page   []original
	last   string
	others bool // the documents are through
}

const (
	ofDocuments = `SELECT id, blob FROM documents WHERE id > ? AND library_id = '' AND blob <> '' AND status = 'ready'
		ORDER BY id LIMIT ?`
	// ofOthers finds files of the library, with those of it that only documents of sessions have by now, files that a
	// person attached to a pack, and those whose document is gone while a pack keeps them.
	ofOthers = `SELECT x.blob, x.blob FROM (SELECT blob FROM pack_attachments UNION SELECT blob FROM library_versions
			UNION SELECT blob FROM documents WHERE library_id <> '' AND blob <> '' AND status = 'ready') AS x
		WHERE x.blob > ? AND x.blob NOT IN (SELECT blob FROM documents WHERE library_id = '' AND status = 'ready')
		ORDER BY x.blob LIMIT ?`
)

type original struct{ id, key string }

func originalsOf(s *db.Store) *originalKeys { return &originalKeys{store: s} }

// originalsPage is how many keys are read at a time.
const originalsPage = 1_000

// next returns the next key, "" after the last.
func (x *originalKeys) next(ctx context.Context) (key string, err error) {
	if len(x.page) == 0 && !x.others {
		if err := x.read(ctx, ofDocuments); err != nil {
			return "", err
		}
		if len(x.page) == 0 {
			x.others, x.last = true, ""
		}
	}
	if len(x.page) == 0 {
		if err := x.read(ctx, ofOthers); err != nil || len(x.page) == 0 {
			return "", err
		}
	}
	o := x.page[0]
	x.page, x.last = x.page[1:], o.id
	if !filepath.IsLocal(filepath.FromSlash(o.key)) {
		return "", fmt.Errorf("%s names an original outside the bucket", o.id)
	}
	return o.key, nil
}

func (x *originalKeys) read(ctx context.Context, query string) error {
	return x.store.Read(ctx, "originals", func(t *sqldb.Tx) (err error) {
		x.page, err = sqldb.Collect(t, query, []any{x.last, originalsPage},
			func(r sqldb.Scanner, o *original) error { return r.Scan(&o.id, &o.key) })
		return err
	})
}

// syncFolders syncs the entries of a folder and of those below it to disk.
func syncFolders(root string) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		return syncPath(path)
	})
}

// syncPath syncs a file, or the entries of a folder, to disk.
func syncPath(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// writeNew writes a small file atomically; it must not exist yet.
func writeNew(path string, data []byte) error {
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("%s: %w", path, fs.ErrExist)
	}
	return files.WriteAtomically(path, data)
}
