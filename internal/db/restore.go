package db

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/natefinch/atomic"
	"gocloud.dev/blob"

	"sanad/internal/domain"
	"sanad/internal/domain/audit"
)

// Restored says what Restore did.
type Restored struct {
	Manifest Manifest
	Replaced string     // where the folder that was there is now; "" where there was none
	Epochs   []NewEpoch // logs that go on in a new epoch
}

// NewEpoch is a log that goes on from an older state than what was seen of it, or may have been.
type NewEpoch struct {
	Tenant string
	Why    string
}

// Restore puts the backup in from in the place of o's store, which nobody may have open. The whole backup is checked
// before anything is touched. The new store is made beside the old one, and then the two are swapped by renaming, so that
// a restore that is cut off leaves the old one (or, between the two renames, both complete under other names).
//
// A log of which more was seen than the backup has goes on in a new epoch whose first event names the checkpoint that is
// abandoned, and the reason. So does a log of which no checkpoint is kept outside: nobody can tell that nothing was lost,
// and two logs of one origin must never part; there the backup's own checkpoint is named. Every other log goes on as it was.
// All logins end. The system's log tells of the restore in any case.
func Restore(ctx context.Context, from, reason string, o Options) (Restored, error) {
	if err := checkReason(reason); err != nil {
		return Restored{}, err
	}
	if o.Keys == nil {
		return Restored{}, errors.New("there is no master key")
	}
	_, sum, err := readManifest(from)
	if err != nil {
		return Restored{}, err
	}
	m, err := VerifyBackup(ctx, from, o.Keys)
	if err != nil {
		return Restored{}, fmt.Errorf("the backup is not good: %w", err)
	}
	o.Checkpoints = checkpointsFolder(o)
	if o.Dir, err = realPath(o.Dir); err != nil {
		return Restored{}, err
	}
	old, err := lockStore(ctx, o.Dir)
	if err != nil {
		return Restored{}, err
	}
	defer old.release()
	r := &restoring{Options: o, from: from, reason: reason, manifest: sum, old: old, out: Restored{Manifest: m}}
	r.stamp = freeStamp(o.Dir, o.Now())
	defer r.clean()
	if err := r.run(ctx); err != nil {
		return Restored{}, err
	}
	return r.out, nil
}

// maxReason is how many characters of a reason the log takes.
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

// realPath gives the absolute path of a folder that may not be there yet; a symbolic link's goal, which is what is swapped.
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

// restoring is one restore.
type restoring struct {
	Options
	from, reason, manifest string
	stamp                  string // in the names of folders
	old                    *locked
	out                    Restored
}

// freeStamp gives the time, as it stands in names of folders, with a number where another restore took that name.
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

// fresh is the folder in which the new store is made, beside the old one.
func (r *restoring) fresh() string { return r.Dir + ".restoring-" + r.stamp }

// freshCheckpoints is the folder of the new store's checkpoints until the swap.
func (r *restoring) freshCheckpoints() string { return r.fresh() + "-checkpoints" }

// clean removes what is left of a new store that was not swapped in.
func (r *restoring) clean() {
	_ = os.RemoveAll(r.fresh())
	_ = os.RemoveAll(r.freshCheckpoints())
}

func (r *restoring) run(ctx context.Context) error {
	if err := os.MkdirAll(filepath.Dir(r.Dir), 0o700); err != nil {
		return err
	}
	if err := os.Mkdir(r.fresh(), 0o700); err != nil {
		return err
	}
	if err := r.copyBackup(ctx); err != nil {
		return err
	}
	if err := r.old.copyOthers(r.fresh()); err != nil {
		return err
	}
	unseen, err := r.gatherCheckpoints(ctx)
	if err != nil {
		return err
	}
	if err := r.continueLogs(ctx, unseen); err != nil {
		return err
	}
	if err := syncFolders(r.fresh()); err != nil {
		return err
	}
	if err := r.swap(); err != nil {
		return err
	}
	r.old.release()
	if err := r.publishCheckpoints(); err != nil {
		return err
	}
	return r.confirm(ctx)
}

// copyBackup copies database and originals, and compares what it copied with the list once more.
func (r *restoring) copyBackup(ctx context.Context) error {
	o := r.Options
	o.Dir = r.fresh()
	bucket, err := openBucket(ctx, o)
	if err != nil {
		return err
	}
	defer bucket.Close() //nolint:errcheck // each original was closed
	into := &Store{bucket: bucket, originals: originalsFolder(o)}
	_, err = eachSum(ctx, r.from, func(name, sum string) (int64, error) {
		key, isOriginal := strings.CutPrefix(name, originalsDir+"/")
		if !isOriginal && name != databaseFile {
			return 0, nil
		}
		f, err := os.Open(filepath.Join(r.from, filepath.FromSlash(name)))
		if err != nil {
			return 0, err
		}
		defer f.Close() //nolint:errcheck // only read
		var got string
		if isOriginal {
			got, err = into.restoreOriginal(ctx, key, f)
		} else {
			got, _, err = copyNew(filepath.Join(r.fresh(), name), f)
		}
		if err == nil && got != sum {
			err = fmt.Errorf("%s has changed since it was checked", f.Name())
		}
		return 0, err
	})
	return err
}

// restoreOriginal writes an original to the bucket and to the disk. One that is there is replaced: originals never change,
// so that a different one is damaged.
func (s *Store) restoreOriginal(ctx context.Context, key string, f *os.File) (sum string, err error) {
	w, err := s.bucket.NewWriter(ctx, key, &blob.WriterOptions{ContentType: "application/octet-stream"}) // the database has its type
	if err != nil {
		return "", err
	}
	sum, _, err = copyHashed(w, f)
	if err := errors.Join(err, w.Close()); err != nil {
		return "", err
	}
	return sum, s.syncOriginal(key)
}

// gatherCheckpoints puts together, for the new store, the newest checkpoint that is known of each log: of those kept
// outside and the one in the database that is replaced. For a log that neither knows it is the backup's own; those are
// unseen.
func (r *restoring) gatherCheckpoints(ctx context.Context) (unseen []string, err error) {
	if _, err := copyCheckpoints(r.Checkpoints, r.freshCheckpoints()); err != nil {
		return nil, err
	}
	known := witness{dir: r.freshCheckpoints()}
	put := func(tenant, text string) error { return atomic.WriteFile(known.path(tenant), strings.NewReader(text)) }
	for tenant, text := range r.old.heads(ctx) {
		file, err := known.read(tenant)
		if err != nil {
			return nil, err
		}
		a, err1 := audit.Claimed(file)
		b, err2 := audit.Claimed(text)
		if err2 == nil && b.Tenant == tenant && (err1 != nil || later(a, b)) {
			if err := put(tenant, text); err != nil {
				return nil, err
			}
		}
	}
	seen, err := known.tenants()
	if err != nil {
		return nil, err
	}
	for _, l := range r.out.Manifest.Logs {
		if slices.Contains(seen, l.Tenant) || l.Size == 0 && len(seen) > 0 { // an empty log has no checkpoint
			continue
		}
		unseen = append(unseen, l.Tenant)
		if l.Checkpoint != "" {
			if err := put(l.Tenant, l.Checkpoint); err != nil {
				return nil, err
			}
		}
	}
	return unseen, nil
}

// continueLogs opens the new store, which brings its schema up, begins the epochs it needs, and logs the restore.
func (r *restoring) continueLogs(ctx context.Context, unseen []string) (err error) {
	o := r.Options
	o.Dir, o.Checkpoints = r.fresh(), r.freshCheckpoints()
	s, err := Open(ctx, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	files, err := s.witness.tenants()
	if err != nil {
		return err
	}
	tenants, err := s.allTenants(ctx)
	if err != nil {
		return err
	}
	for _, tenant := range tenants {
		_, why, err := s.checkLog(ctx, tenant)
		if err != nil {
			return err
		}
		if why == "" && slices.Contains(unseen, tenant) {
			why = "no checkpoint of it is kept outside, so newer events may have been lost"
		}
		if why == "" {
			continue
		}
		if err := s.startEpoch(ctx, domain.AtCommandLine(tenant), r.reason); err != nil {
			return err
		}
		r.out.Epochs = append(r.out.Epochs, NewEpoch{tenant, why})
	}
	for _, tenant := range orphans(tenants, files) {
		if err := s.putAside(ctx, tenant, r.reason); err != nil {
			return err
		}
		r.out.Epochs = append(r.out.Epochs, NewEpoch{tenant, "the backup does not have this tenant; its checkpoint is put aside"})
	}
	if _, err := s.checkLogs(ctx); err != nil {
		return err
	}
	if why := s.Frozen(); why != "" {
		return errors.New(why)
	}
	return s.logRestore(ctx, r.manifest, r.out.Manifest.MadeAt, r.reason)
}

// logRestore ends all logins, which the backup knows as they were, and logs the restore.
func (s *Store) logRestore(ctx context.Context, manifest, madeAt, reason string) error {
	return s.write(ctx, "Restore", func(t *tx) error {
		if _, err := t.exec("DELETE FROM logins"); err != nil {
			return err
		}
		return s.appendEvent(t, domain.AtCommandLine(SystemTenant), Event{Action: "store.restored", Kind: "log", ObjectID: SystemTenant,
			Details: map[string]any{"reason": reason, "backup": manifest, "made_at": madeAt}})
	})
}

// publishCheckpoints writes the new store's checkpoints where they are kept from now on. Where it is cut off, the next
// start finds an abandoned checkpoint that the log names, and mends the rest.
func (r *restoring) publishCheckpoints() error {
	if err := os.MkdirAll(r.Checkpoints, 0o700); err != nil {
		return err
	}
	files, err := os.ReadDir(r.freshCheckpoints())
	if err != nil {
		return err
	}
	for _, f := range files {
		to := filepath.Join(r.Checkpoints, f.Name())
		tenant, aside := strings.CutSuffix(to, ".abandoned")
		if err := atomic.ReplaceFile(filepath.Join(r.freshCheckpoints(), f.Name()), to); err != nil {
			text, readErr := os.ReadFile(filepath.Join(r.freshCheckpoints(), f.Name())) // another disk
			if err := errors.Join(readErr, atomic.WriteFile(to, strings.NewReader(string(text)))); err != nil {
				return err
			}
		}
		if aside {
			if err := os.Remove(tenant); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return syncPath(r.Checkpoints)
}

// confirm opens the store in its place and looks at every log once more.
func (r *restoring) confirm(ctx context.Context) error {
	s, err := Open(ctx, r.Options)
	if err != nil {
		return err
	}
	_, err = s.checkedLogs(ctx)
	return errors.Join(err, s.Close())
}
