package backup

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sanad/internal/db"
	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/audit"
	"sanad/internal/domain/canonical"
	"sanad/internal/keys"
)

// BackupFormat is the format of a backup's manifest.
const BackupFormat = "sanad.backup/v1"

// Manifest describes the content of a backup; it is canonical JSON (RFC 8785).
type Manifest struct {
	Format     string            `json:"format"`
	MadeAt     string            `json:"made_at"` // RFC 3339
	Program    string            `json:"program"` // version that made it
	Migrations []BackupMigration `json:"migrations"`
	Logs       []BackupLog       `json:"logs"`
	Files      BackupFiles       `json:"files"`
}

// BackupMigration is one step of the copied database's schema.
type BackupMigration struct {
	Version int    `json:"version"`
	Name    string `json:"name"`
	SHA256  string `json:"sha256"`
}

// BackupLog is the newest tree head of a tenant's log in the copied database.
type BackupLog struct {
	Tenant     string `json:"tenant"`
	Epoch      int64  `json:"epoch"`
	Size       int64  `json:"size"`
	Root       string `json:"root"` // base64
	Checkpoint string `json:"checkpoint"`
}

// write stores the manifest atomically, after everything it describes.
func (manifest *Manifest) write(dir string) error {
	data, err := canonical.JSON(manifest)
	if err != nil {
		return err
	}
	if err := writeNew(filepath.Join(dir, manifestFile), data); err != nil {
		return err
	}
	return errors.Join(syncPath(dir), syncPath(filepath.Dir(dir)))
}

// readManifest returns the manifest of a backup and the SHA-256 of its bytes.
func readManifest(dir string) (m Manifest, sum string, err error) {
	path := filepath.Join(dir, manifestFile)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return m, "", fmt.Errorf("%s has no %s: it is no backup, or one that was not finished", dir, manifestFile)
	}
	if err != nil {
		return m, "", err
	}
	if err := canonical.Check(data); err != nil {
		return m, "", fmt.Errorf("%s was changed: %w", path, err)
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return m, "", fmt.Errorf("%s: %w", path, err)
	}
	if m.Format != BackupFormat {
		return m, "", fmt.Errorf("%s has the format %q; this program reads %s", path, m.Format, BackupFormat)
	}
	known, err := sqldb.KnownMigrations(sqldb.SQLiteFile("", db.Schema))
	if err != nil {
		return m, "", err
	}
	if len(m.Migrations) == 0 || m.Migrations[0].SHA256 != known[0].Hash {
		return m, "", fmt.Errorf("%s: %w", dir, sqldb.ErrUnreleased)
	}
	if again, err := canonical.JSON(m); err != nil || !bytes.Equal(again, data) {
		return m, "", errors.Join(fmt.Errorf("%s was changed: it has other fields than %s", path, BackupFormat), err)
	}
	hash := sha256.Sum256(data)
	return m, hex.EncodeToString(hash[:]), nil
}

// VerifyBackup checks a whole backup without changing it: every file's hash, that the database names exactly the
// originals that are there, the schema, that box has the master key of its keys, every evidence pack, and every log.
func VerifyBackup(ctx context.Context, dir string, box *keys.Box) (Manifest, error) {
	m, _, err := readManifest(dir)
	if err != nil {
		return m, err
	}
	dir, err = filepath.Abs(dir)
	if err != nil {
		return m, err
	}
	found := m
	if err := checkBackup(ctx, dir, box, &found); err != nil {
		return m, err
	}
	if !slices.Equal(found.Logs, m.Logs) || !slices.Equal(found.Migrations, m.Migrations) {
		return m, fmt.Errorf("%s is not that of this database", filepath.Join(dir, manifestFile))
	}
	return m, nil
}

// checkBackup checks everything in a backup's folder but the manifest, and fills in the manifest's facts
// about the database.
func checkBackup(ctx context.Context, dir string, box *keys.Box, m *Manifest) error {
	c, err := openCopy(filepath.Join(dir, db.DatabaseFile), filepath.Join(dir, checkpointsDir), box)
	if err != nil {
		return err
	}
	defer c.Close() //nolint:errcheck // only read
	if err := checkFiles(ctx, dir, c, m.Files); err != nil {
		return err
	}
	if m.Migrations, err = knownSchema(ctx, c); err != nil {
		return err
	}
	var word string
	err = c.Look(ctx, func(t *sqldb.Tx) error { return t.Row("PRAGMA quick_check(1)", nil, &word) })
	if err != nil || word != "ok" {
		return errors.Join(fmt.Errorf("the copied database is damaged: %s", word), err)
	}
	if err := c.Read(ctx, "checkMasterKey", c.CheckMasterKey); err != nil {
		return err
	}
	if err := c.CheckPacks(ctx); err != nil {
		return err
	}
	m.Logs, err = checkedLogs(ctx, c)
	return err
}

// checkFiles compares every file with the list, and the list with want and with the originals that the database names.
func checkFiles(ctx context.Context, dir string, c *db.Store, want BackupFiles) error {
	named := originalsOf(c)
	got, err := eachSum(ctx, dir, func(name, sum string) (int64, error) {
		found, n, err := hashFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			return 0, err
		}
		if found != sum {
			return 0, fmt.Errorf("%s was changed: its SHA-256 is not the one in %s", filepath.Join(dir, name), sumsFile)
		}
		key, isOriginal := strings.CutPrefix(name, originalsDir+"/")
		if !isOriginal {
			return n, nil
		}
		expected, err := named.next(ctx)
		if err == nil && expected != key {
			err = fmt.Errorf("the backup has the original %s where its database names %q", key, expected)
		}
		return n, err
	})
	if err != nil {
		return err
	}
	if got != want {
		return fmt.Errorf("%s was changed: it is not the list that the backup was made with",
			filepath.Join(dir, sumsFile))
	}
	if key, err := named.next(ctx); err != nil || key != "" {
		return errors.Join(fmt.Errorf("the backup lacks the original %s", key), err)
	}
	return nil
}

// knownSchema returns the migrations that made the database. They must be the first of those that this program knows.
func knownSchema(ctx context.Context, s *db.Store) ([]BackupMigration, error) {
	done, err := s.Migrations(ctx)
	if err != nil {
		return nil, err
	}
	known, err := sqldb.KnownMigrations(s.Engine)
	if err != nil {
		return nil, err
	}
	if err := sqldb.CheckBaseline(done, known[0]); err != nil {
		return nil, err
	}
	var out []BackupMigration
	for i, m := range done {
		if i >= len(known) {
			return nil, fmt.Errorf("the database has schema %d, this program knows %d: use the version that wrote it",
				done[len(done)-1].Version, known[len(known)-1].Version)
		}
		if !m.SameAs(known[i]) {
			return nil, fmt.Errorf("the database was made with another migration %d (%s, SHA-256 %s): use the version that made it", m.Version, m.Name, m.Hash)
		}
		out = append(out, BackupMigration{m.Version, m.Name, m.Hash})
	}
	if out == nil {
		return nil, errors.New("the database is empty: it holds no store")
	}
	return out, nil
}

// checkedLogs verifies every log and returns their newest tree heads.
func checkedLogs(ctx context.Context, s *db.Store) ([]BackupLog, error) {
	tenants, files, err := s.AllLogs(ctx)
	if err != nil {
		return nil, err
	}
	if lost := auditlog.Orphans(tenants, files); len(lost) > 0 {
		return nil, fmt.Errorf("there is a checkpoint of tenant %.40q, which the database does not have; see sanad audit verify", lost[0])
	}
	out := make([]BackupLog, 0, len(tenants))
	for _, tenant := range tenants {
		report, err := s.VerifyLog(ctx, tenant)
		if err != nil {
			return nil, err
		}
		if !report.OK() {
			return nil, fmt.Errorf("the audit log of tenant %s does not pass its check: %s; see sanad audit verify",
				tenant, report.Words())
		}
		head, err := headOf(ctx, s, tenant)
		if err != nil {
			return nil, err
		}
		out = append(out, BackupLog{
			Tenant: tenant, Epoch: head.Epoch, Size: head.Size, Root: head.Root.String(),
			Checkpoint: head.Checkpoint,
		})
	}
	return out, nil
}

func headOf(ctx context.Context, s *db.Store, tenant string) (head audit.TreeHead, err error) {
	err = s.Read(ctx, "head", func(t *sqldb.Tx) error {
		head, _, err = auditlog.LogHead(t, tenant)
		return err
	})
	return head, err
}
