package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"sanad/internal/db"
	"sanad/internal/db/originals"
	"sanad/internal/files"
)

// Restored describes what Restore did.
type Restored struct {
	Manifest Manifest
	Replaced string     // where the previous folder is now; "" if there was none
	Epochs   []NewEpoch // logs that continue in a new epoch
	Unread   []Unread   // logs that were compared with the checkpoints outside only
}

// NewEpoch is a log that continues from an older state than was seen, or may have been seen.
type NewEpoch struct {
	Tenant string
	Why    string
}

// Unread is a log whose newest checkpoint in the previous database cannot be read. If its checkpoint outside is older,
// nobody can tell that events were lost which came after that.
type Unread struct {
	Tenant string // "" for the logs that none of the others names
	Why    string
}

// Restore replaces o's store, which nobody may have open, by the backup in from. It checks the whole backup before it
// touches anything. It builds the new store beside the old one and swaps them by renaming, so that an interrupted
// restore leaves the old one (or, between the two renames, both complete under other names).
//
// A log that has grown since the backup continues in a new epoch, whose first event records the abandoned checkpoint
// and the reason. So does a log without an external checkpoint: nobody can tell that nothing was lost, and two
// different logs must never share an origin; its event records the backup's own checkpoint. Every other log continues
// unchanged. All logins end. The system's log always records the restore.
func Restore(ctx context.Context, from, reason string, o db.Options) (Restored, error) {
	if err := checkReason(reason); err != nil {
		return Restored{}, err
	}
	if o.Keys == nil {
		return Restored{}, errors.New("there is no master key")
	}
	if o.Database != "" {
		return Restored{}, errors.New("a backup is restored into a data folder: leave --database out, then sanad move --from " +
			"that folder --to an empty PostgreSQL database")
	}
	_, sum, err := readManifest(from)
	if err != nil {
		return Restored{}, err
	}
	m, err := VerifyBackup(ctx, from, o.Keys)
	if err != nil {
		return Restored{}, fmt.Errorf("the backup is not good: %w", err)
	}
	o.Checkpoints = o.CheckpointsPlace()
	if o.Dir, err = realPath(o.Dir); err != nil {
		return Restored{}, err
	}
	old, err := LockStore(ctx, o.Dir)
	if err != nil {
		return Restored{}, err
	}
	defer old.Release()
	r := &restoring{Options: o, from: from, reason: reason, manifest: sum, old: old, out: Restored{Manifest: m}}
	r.stamp = freeStamp(o.Dir, o.Now())
	defer r.clean()
	if err := r.run(ctx); err != nil {
		return Restored{}, err
	}
	return r.out, nil
}

// maxReason is the maximum length of a reason in the log, in characters.
const maxReason = 500

func checkReason(reason string) error {
	if strings.TrimSpace(reason) == "" {
		return errors.New("say why: the reason goes into the log")
	}
	if !utf8.ValidString(reason) || utf8.RuneCountInString(reason) > maxReason {
		return fmt.Errorf("the reason is not UTF-8, or longer than %d characters", maxReason)
	}
	return nil
}

// realPath returns the absolute path of a folder that may not exist; for a symbolic link it is the target, which is
// what gets swapped.
func realPath(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return dir, nil
	}
	return real, err
}

// restoring is a restore in progress.
type restoring struct {
	db.Options
	from, reason, manifest string
	stamp                  string // in the names of folders
	old                    *locked
	out                    Restored
}

// freeStamp returns the time as used in folder names, with a number if another restore has used it.
func freeStamp(dir string, at time.Time) string {
	base := at.UTC().Format("20060102T150405Z")
	for stamp, n := base, 2; ; n++ {
		_, err1 := os.Lstat(dir + ".replaced-" + stamp)
		_, err2 := os.Lstat(dir + ".restoring-" + stamp)
		if err1 != nil && err2 != nil {
			return stamp
		}
		stamp = fmt.Sprintf("%s-%d", base, n)
	}
}

// stagingDir returns the folder beside the old store in which the new store is built.
func (r *restoring) stagingDir() string { return r.Dir + ".restoring-" + r.stamp }

// freshCheckpoints returns the folder of the new store's checkpoints until the swap.
func (r *restoring) freshCheckpoints() string { return r.stagingDir() + "-checkpoints" }

// clean removes a new store that was not swapped in.
func (r *restoring) clean() {
	_ = os.RemoveAll(r.stagingDir())
	_ = os.RemoveAll(r.freshCheckpoints())
}

func (r *restoring) run(ctx context.Context) error {
	if err := os.MkdirAll(filepath.Dir(r.Dir), 0o700); err != nil {
		return err
	}
	if err := os.Mkdir(r.stagingDir(), 0o700); err != nil {
		return err
	}
	if err := r.copyBackup(ctx); err != nil {
		return err
	}
	if err := r.old.copyOthers(r.stagingDir()); err != nil {
		return err
	}
	unseen, err := r.gatherCheckpoints(ctx)
	if err != nil {
		return err
	}
	if err := r.continueLogs(ctx, unseen); err != nil {
		return err
	}
	if err := syncFolders(r.stagingDir()); err != nil {
		return err
	}
	if err := r.swap(); err != nil {
		return err
	}
	r.old.Release()
	if err := r.publishCheckpoints(ctx); err != nil {
		return err
	}
	return r.confirm(ctx)
}

// copyBackup copies the database, the originals and the lake, and compares the copies with the list.
func (r *restoring) copyBackup(ctx context.Context) error {
	o := r.Options
	o.Dir = r.stagingDir()
	var bucket originals.Files
	if err := bucket.Open(ctx, o.Bucket, o.Dir); err != nil {
		return err
	}
	defer bucket.Close() //nolint:errcheck // each original was closed
	var lake files.Place // nil if it is in the new folder
	var err error
	if o.Lake != "" {
		if lake, err = files.Open(ctx, o.Lake); err != nil {
			return err
		}
		defer lake.Close() //nolint:errcheck // each artifact is on the disk
	}
	_, err = eachSum(ctx, r.from, func(name, sum string) (int64, error) {
		key, isOriginal := strings.CutPrefix(name, originalsDir+"/")
		if !isOriginal && name != db.DatabaseFile && !inLake(name) {
			return 0, nil
		}
		f, err := os.Open(filepath.Join(r.from, filepath.FromSlash(name)))
		if err != nil {
			return 0, err
		}
		defer f.Close() //nolint:errcheck // only read
		var got string
		switch artifact, isArtifact := strings.CutPrefix(name, LakeFolder+"/"); {
		case isOriginal:
			got, err = restoreOriginal(ctx, &bucket, key, f)
		case isArtifact && lake != nil:
			got, err = restoreArtifact(ctx, lake, artifact, f)
		default:
			got, _, err = copyNew(filepath.Join(r.stagingDir(), filepath.FromSlash(name)), f)
		}
		if err == nil && got != sum {
			err = fmt.Errorf("%s has changed since it was checked", f.Name())
		}
		return 0, err
	})
	return err
}

// restoreOriginal writes an original to the bucket and to disk. An existing one is replaced: originals never change, so
// a different one is damaged.
func restoreOriginal(ctx context.Context, bucket *originals.Files, key string, f *os.File) (sum string, err error) {
	// the database has the media type
	w, err := bucket.NewWriter(ctx, key, originals.Private("application/octet-stream"))
	if err != nil {
		return "", err
	}
	sum, _, err = copyHashed(w, f)
	if err := errors.Join(err, w.Close()); err != nil {
		return "", err
	}
	return sum, bucket.Sync(key)
}

// confirm opens the restored store and checks every log again.
func (r *restoring) confirm(ctx context.Context) error {
	s, err := db.Open(ctx, r.Options)
	if err != nil {
		return err
	}
	_, err = checkedLogs(ctx, s)
	return errors.Join(err, s.Close())
}
