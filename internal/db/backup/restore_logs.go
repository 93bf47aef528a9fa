package backup

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sanad/internal/db"
	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/audit"
	"sanad/internal/files"
)

// gatherCheckpoints collects, for the new store, the newest known checkpoint of each log: from the external ones and
// from the database being replaced. If neither has one, it is the backup's own, and the log is unseen. (An empty log
// has no checkpoint; it is unseen only if no checkpoints are known at all.)
func (r *restoring) gatherCheckpoints(ctx context.Context) (unseen []string, err error) {
	outside, err := auditlog.OpenWitness(ctx, r.Checkpoints)
	if err != nil {
		return nil, err
	}
	_, err = copyCheckpoints(outside, r.freshCheckpoints())
	if err := errors.Join(err, outside.Close()); err != nil {
		return nil, err
	}
	known := auditlog.FolderWitness{Dir: r.freshCheckpoints()}
	put := func(tenant, text string) error { return files.WriteAtomically(known.Path(tenant), []byte(text)) }
	heads, unread := r.old.heads(ctx)
	r.out.Unread = unread
	for _, h := range heads {
		file, _, err := known.Read(h.Tenant)
		if err != nil {
			return nil, err
		}
		if outside, err := audit.Claimed(file); err == nil && !auditlog.Later(outside, h.Checkpoint) {
			continue
		}
		if err := put(h.Tenant, h.text); err != nil {
			return nil, err
		}
	}
	seen, err := known.Tenants()
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

// continueLogs opens the new store, which migrates it, starts the necessary epochs, and logs the restore.
func (r *restoring) continueLogs(ctx context.Context, unseen []string) (err error) {
	o := r.Options
	o.Dir, o.Checkpoints = r.stagingDir(), r.freshCheckpoints()
	s, err := db.Open(ctx, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	tenants, files, err := s.AllLogs(ctx)
	if err != nil {
		return err
	}
	for _, tenant := range tenants {
		_, why, err := s.CheckLog(ctx, tenant)
		if err != nil {
			return err
		}
		if why == "" && slices.Contains(unseen, tenant) {
			why = "no checkpoint of it is kept outside, so newer events may have been lost"
		}
		if why == "" {
			continue
		}
		if err := s.BeginEpoch(ctx, access.AtCommandLine(tenant), r.reason); err != nil {
			return err
		}
		r.out.Epochs = append(r.out.Epochs, NewEpoch{tenant, why})
	}
	for _, tenant := range auditlog.Orphans(tenants, files) {
		if err := s.PutAside(ctx, tenant, r.reason); err != nil {
			return err
		}
		r.out.Epochs = append(r.out.Epochs,
			NewEpoch{tenant, "the backup does not have this tenant; its checkpoint is put aside"})
	}
	if _, err := s.CheckLogs(ctx); err != nil {
		return err
	}
	if why := s.Frozen(); why != "" {
		return errors.New(why)
	}
	return logRestore(ctx, s, r.manifest, r.out.Manifest.MadeAt, r.reason)
}

// logRestore ends all logins, since those of the backup may be outdated, and logs the restore.
func logRestore(ctx context.Context, s *db.Store, manifest, madeAt, reason string) error {
	return s.Write(ctx, sqldb.EveryTenant, "Restore", func(t *sqldb.Tx) error {
		if _, err := t.Exec("DELETE FROM logins"); err != nil {
			return err
		}
		return s.AppendEvent(t, access.AtCommandLine(reads.SystemTenant),
			auditlog.Event{Action: "store.restored", Kind: "log", ObjectID: reads.SystemTenant,
				Details: map[string]any{"reason": reason, "backup": manifest, "made_at": madeAt}})
	})
}

// publishCheckpoints writes the new store's checkpoints to their permanent place. If it is interrupted, the next start
// finds an abandoned checkpoint that the log names, and writes the rest.
func (r *restoring) publishCheckpoints(ctx context.Context) (err error) {
	outside, err := auditlog.OpenWitness(ctx, r.Checkpoints)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, outside.Close()) }()
	found, err := os.ReadDir(r.freshCheckpoints())
	if err != nil {
		return err
	}
	if folder, ok := outside.(auditlog.FolderWitness); ok {
		if err := os.MkdirAll(folder.Dir, 0o700); err != nil {
			return err
		}
	}
	for _, f := range found {
		name, aside := strings.CutSuffix(f.Name(), auditlog.AsideSuffix)
		tenant, ok := strings.CutSuffix(name, auditlog.CheckpointSuffix)
		if !ok {
			continue
		}
		text, err := os.ReadFile(filepath.Join(r.freshCheckpoints(), f.Name()))
		if err == nil {
			err = auditlog.Force(outside, tenant, string(text))
		}
		if err == nil && aside {
			err = outside.PutAside(tenant)
		}
		if err != nil {
			return err
		}
	}
	if folder, ok := outside.(auditlog.FolderWitness); ok {
		return syncPath(folder.Dir)
	}
	return nil
}
