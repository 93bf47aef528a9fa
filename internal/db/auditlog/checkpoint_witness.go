package auditlog

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"sanad/internal/db/sqldb"
	"sanad/internal/files"
)

// Witness is where the newest checkpoints are kept outside the database: a folder or a bucket, which several nodes may
// share. A checkpoint is written only in the place of the one that was read, so that two nodes cannot take turns with
// two different logs.
type Witness interface {
	// Read returns a tenant's checkpoint and a version of it for write; both are "" if none.
	Read(tenant string) (text, version string, err error)
	// write replaces the checkpoint that has this version; errWitnessChanged if it has another one.
	write(tenant, text, version string) error
	// Tenants returns the tenants that have checkpoints.
	Tenants() ([]string, error)
	// PutAside renames a tenant's checkpoint (.abandoned), so that it counts no more and is still there.
	PutAside(tenant string) error
	// Ready returns nil if the place can be reached.
	Ready() error
	Close() error
}

const (
	CheckpointSuffix = ".checkpoint"
	AsideSuffix      = ".abandoned"
)

var errWitnessChanged = errors.New("the checkpoint has changed since it was read")

// OpenWitness opens the place of checkpoints: a folder's path, or a URL of files.Open.
func OpenWitness(ctx context.Context, address string) (Witness, error) {
	if !strings.Contains(address, "://") {
		return FolderWitness{Dir: address}, nil
	}
	dir, err := files.FolderOf(address)
	if err != nil {
		return nil, err
	}
	if dir != "" {
		return FolderWitness{Dir: dir}, nil
	}
	place, err := files.Open(ctx, address)
	return bucketWitness{place}, err
}

// FolderWitness keeps checkpoints as files TENANT.checkpoint in a folder.
type FolderWitness struct{ Dir string }

func (folderWitness FolderWitness) Path(tenant string) string {
	return filepath.Join(folderWitness.Dir, tenant+CheckpointSuffix)
}

// Read returns the text as its version.
func (folderWitness FolderWitness) Read(tenant string) (text, version string, err error) {
	data, err := os.ReadFile(folderWitness.Path(tenant))
	if errors.Is(err, fs.ErrNotExist) {
		return "", "", nil
	}
	return string(data), string(data), err
}

// witnessLock is locked while a checkpoint is renamed to its place.
const witnessLock = ".lock"

// write syncs the new file before it takes the folder's lock, under which it compares and renames.
func (folderWitness FolderWitness) write(tenant, text, version string) (err error) {
	if err := os.MkdirAll(folderWitness.Dir, 0o700); err != nil {
		return err
	}
	temporary, err := files.WriteTemporary(folderWitness.Path(tenant), []byte(text))
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(temporary))
		}
	}()
	unlock, err := files.Lock(filepath.Join(folderWitness.Dir, witnessLock))
	if err != nil {
		return err
	}
	defer unlock()
	now, _, err := folderWitness.Read(tenant)
	if err == nil && now != version {
		err = errWitnessChanged
	}
	if err != nil {
		return err
	}
	return os.Rename(temporary, folderWitness.Path(tenant))
}

func (folderWitness FolderWitness) Tenants() ([]string, error) {
	found, err := os.ReadDir(folderWitness.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, f := range found {
		names = append(names, f.Name())
	}
	return witnessed(names), err
}

// witnessed returns the tenants of files' names.
func witnessed(names []string) (out []string) {
	for _, name := range names {
		if tenant, ok := strings.CutSuffix(name, CheckpointSuffix); ok {
			out = append(out, tenant)
		}
	}
	return out
}

func (folderWitness FolderWitness) PutAside(tenant string) error {
	return os.Rename(folderWitness.Path(tenant), folderWitness.Path(tenant)+AsideSuffix)
}

func (FolderWitness) Ready() error { return nil } // it is made when it is needed

func (FolderWitness) Close() error { return nil }

// bucketWitness keeps checkpoints as objects TENANT.checkpoint in a bucket that refuses a write whose condition does
// not hold (If-Match, If-None-Match).
type bucketWitness struct{ place files.Place }

// witnessWait bounds each request to a bucket: a change waits for it before it is acknowledged.
const witnessWait = 5 * time.Second

func (witness bucketWitness) Read(tenant string) (text, version string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), witnessWait)
	defer cancel()
	data, version, err := witness.place.Get(ctx, tenant+CheckpointSuffix)
	if errors.Is(err, files.ErrMissing) {
		return "", "", nil
	}
	return string(data), version, err
}

func (witness bucketWitness) write(tenant, text, version string) error {
	ctx, cancel := context.WithTimeout(context.Background(), witnessWait)
	defer cancel()
	var err error
	if version == "" {
		err = witness.place.Create(ctx, tenant+CheckpointSuffix, []byte(text))
	} else {
		err = witness.place.Replace(ctx, tenant+CheckpointSuffix, []byte(text), version)
	}
	if errors.Is(err, files.ErrExists) || errors.Is(err, files.ErrChanged) {
		return errWitnessChanged
	}
	return err
}

func (witness bucketWitness) Tenants() ([]string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 6*witnessWait)
	defer cancel()
	keys, err := witness.place.Keys(ctx, "")
	return witnessed(keys), err
}

func (witness bucketWitness) PutAside(tenant string) error {
	text, _, err := witness.Read(tenant)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), witnessWait)
	defer cancel()
	aside := tenant + CheckpointSuffix + AsideSuffix
	if err := witness.place.Remove(ctx, aside); err != nil && !errors.Is(err, files.ErrMissing) {
		return err
	}
	if err := witness.place.Create(ctx, aside, []byte(text)); err != nil {
		return err
	}
	return witness.place.Remove(ctx, tenant+CheckpointSuffix)
}

func (witness bucketWitness) Ready() error {
	ctx, cancel := context.WithTimeout(context.Background(), sqldb.ReadyWait)
	defer cancel()
	return witness.place.Ready(ctx)
}

func (witness bucketWitness) Close() error { return witness.place.Close() }

// Force writes a checkpoint whatever is there; for restore, while no server runs.
func Force(w Witness, tenant, text string) error {
	for {
		_, version, err := w.Read(tenant)
		if err != nil {
			return err
		}
		if err := w.write(tenant, text, version); !errors.Is(err, errWitnessChanged) {
			return err
		}
	}
}
