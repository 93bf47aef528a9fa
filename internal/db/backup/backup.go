// Package backup copies whole stores: backup, restore, move between engines, and the change of the master key. It lies
// above the store.
package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	"sanad/internal/db"
	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/keys"
)

// The parts of a backup (rule DB-4). sumsFile lists everything but the manifest, in the form that sha256sum -c reads.
// The manifest has the hash of that list and is written last, so an incomplete backup has none.
const (
	manifestFile   = "manifest.json"
	sumsFile       = "SHA256SUMS"
	originalsDir   = "originals"
	checkpointsDir = "checkpoints"
)

// Backup copies the store of o into the folder to, which must be new or empty, while another process may be writing. It
// copies the database as of one moment, then the originals that the database names (they are stored before it names
// them, and never change). Then it checks the whole copy, with each log against the checkpoint that was outside the
// database before the copying began. It changes nothing in the store, not even an older schema. program names the
// version that makes the backup. If Backup fails, it leaves nothing in the folder.
func Backup(ctx context.Context, to, program string, o db.Options) (m Manifest, err error) {
	if o.Keys == nil {
		return Manifest{}, errors.New("there is no master key")
	}
	path, err := filepath.Abs(filepath.Join(o.Dir, db.DatabaseFile))
	if err != nil {
		return Manifest{}, err
	}
	if _, err := os.Stat(path); err != nil && o.Database == "" {
		return Manifest{}, fmt.Errorf("%s is no data folder: %w", o.Dir, err)
	}
	source, err := sqldb.EngineOf(o.Database, path, db.Schema)
	if err != nil {
		return Manifest{}, err
	}
	if err := checkSource(ctx, source, o.Keys); err != nil {
		return Manifest{}, sqldb.At(placeOf(o, path), err)
	}
	if to, err = filepath.Abs(to); err != nil {
		return Manifest{}, err
	}
	undo, err := freshFolder(to)
	if err != nil {
		return Manifest{}, err
	}
	defer func() {
		if err != nil {
			undo()
		}
	}()
	m = Manifest{Format: BackupFormat, MadeAt: sqldb.Stamp(o.Now()), Program: program}
	if err := copyStore(ctx, source, to, o, &m); err != nil {
		return Manifest{}, err
	}
	if err := checkBackup(ctx, to, o.Keys, &m); err != nil {
		return Manifest{}, err
	}
	return m, m.write(to)
}

// placeOf names where a store's database is.
func placeOf(o db.Options, path string) string {
	if o.Database != "" {
		return "the PostgreSQL database"
	}
	return path
}

// freshFolder creates a folder or accepts an empty one; undo removes everything that was put into it.
func freshFolder(name string) (undo func(), err error) {
	found, err := os.ReadDir(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return func() { _ = os.RemoveAll(name) }, os.MkdirAll(name, 0o700)
	case err != nil:
		return nil, err
	case len(found) > 0:
		return nil, fmt.Errorf("%s is not empty; a backup goes into a new folder", name)
	}
	return func() {
		found, _ := os.ReadDir(name)
		for _, f := range found {
			_ = os.RemoveAll(filepath.Join(name, f.Name()))
		}
	}, nil
}

// copyStore copies the parts in an order that keeps them consistent: the checkpoints are never ahead of the database,
// and the database never names an original that is missing.
func copyStore(ctx context.Context, source sqldb.Engine, to string, o db.Options, m *Manifest) error {
	list, err := newSums(to)
	if err != nil {
		return err
	}
	defer list.file.Close() //nolint:errcheck // finish closes it and checks the error
	outside, err := copyDatabase(ctx, source, to, o)
	if err != nil {
		return err
	}
	if err := list.take(db.DatabaseFile); err != nil {
		return err
	}
	for _, tenant := range outside {
		if err := list.take(checkpointsDir + "/" + tenant + auditlog.CheckpointSuffix); err != nil {
			return err
		}
	}
	if err := copyOriginals(ctx, to, o, list); err != nil {
		return err
	}
	if err := copyLake(ctx, o, list); err != nil {
		return err
	}
	if err := syncFolders(to); err != nil {
		return err
	}
	m.Files, err = list.finish()
	return err
}

// checkSource checks, before anything is copied, that the database's schema is known and that box opens its keys.
func checkSource(ctx context.Context, source sqldb.Engine, box *keys.Box) error {
	d, err := sqldb.Inspect(ctx, sqldb.Config{Engine: source})
	if err != nil {
		return err
	}
	if d == nil {
		return errors.New("there is no store")
	}
	c := db.NewStore(db.Options{Keys: box})
	c.DB = d
	defer c.Close() //nolint:errcheck // only read
	if _, err := knownSchema(ctx, c); err != nil {
		return err
	}
	return c.Read(ctx, "checkMasterKey", c.CheckMasterKey)
}

// openCopy opens a database that nobody writes, without creating files beside it.
func openCopy(path, checkpoints string, box *keys.Box) (*db.Store, error) {
	return openAs(path, checkpoints, box,
		url.Values{"mode": {"ro"}, "immutable": {"1"}, "_dqs": {"0"},
			"_pragma": {"query_only(1)", "trusted_schema(0)"}})
}

// openAs returns a read-only store on one database file.
func openAs(path, checkpoints string, box *keys.Box, query url.Values) (*db.Store, error) {
	d, err := sqldb.OpenFile(path, db.Schema, query)
	if err != nil {
		return nil, err
	}
	s := db.NewStore(db.Options{Keys: box})
	s.DB = d
	s.Checkpoints.Witness = auditlog.FolderWitness{Dir: checkpoints}
	return s, nil
}
