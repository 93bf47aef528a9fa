package erasure

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"gocloud.dev/gcerrors"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/erasure"
)

// DropArtifact deletes an artifact of a tenant from the lake. One that is not there is no error.
type DropArtifact func(ctx context.Context, tenant, path string) error

// OweScrub records that deleted text is still in files, in the database file or in its log, until FinishErasures has
// removed it.
func (store *Store) OweScrub(t *sqldb.Tx, files []auditlog.File) error {
	text, err := json.Marshal(append([]auditlog.File{}, files...))
	if err != nil {
		return err
	}
	_, err = t.Exec("INSERT INTO scrub_due (since, files) VALUES (?, ?)", sqldb.Stamp(store.Now()), string(text))
	return err
}

// owed is what is still to be removed of something that was deleted.
type owed struct {
	no    int
	files []auditlog.File
}

// pendingErasure is an erasure whose rows are gone.
type pendingErasure struct {
	erasure.Request
	tenant string
}

// FinishErasures deletes the files of confirmed erasures and of purges, and every trace of deleted text in the
// database. Each step can be repeated, so that a process that was killed finishes at its next start. If a step fails,
// the erasures stay "erasing" and the error says why.
func (store *Store) FinishErasures(ctx context.Context, drop DropArtifact) error {
	store.erasing.Lock()
	defer store.erasing.Unlock()
	pending, due, err := store.pendingErasures(ctx)
	if err != nil || len(pending) == 0 && len(due) == 0 {
		return err
	}
	for _, o := range due {
		if err := store.dropFiles(ctx, o.files, drop); err != nil {
			return sqldb.Fail("FinishErasures", fmt.Errorf("files of what was deleted: %w", err))
		}
	}
	// the names of the files go before the scrub, which removes their traces
	if err := store.endOwed(ctx, due, "UPDATE scrub_due SET files = '[]' WHERE no = ?"); err != nil {
		return err
	}
	if err := store.Scrub(ctx); err != nil {
		return sqldb.Fail("FinishErasures", err)
	}
	errs := []error{store.endOwed(ctx, due, "DELETE FROM scrub_due WHERE no = ?")}
	for i := range pending { // one by one: the log of a tenant may be read-only
		errs = append(errs, store.Write(ctx, sqldb.EveryTenant, "FinishErasures",
			func(t *sqldb.Tx) error { return store.endErasure(t, &pending[i]) }))
	}
	return errors.Join(errs...)
}

func (store *Store) pendingErasures(ctx context.Context) (pending []pendingErasure, due []owed, err error) {
	err = store.Read(ctx, "FinishErasures", func(t *sqldb.Tx) error {
		pending, err = sqldb.Collect(t, `SELECT e.tenant_id, e.id, e.kind, e.files
			FROM erasures e WHERE e.state = 'erasing' ORDER BY e.no`,
			nil, func(r sqldb.Scanner, p *pendingErasure) error {
				return r.Scan(&p.tenant, &p.ID, &p.Kind, &p.Files)
			})
		if err != nil {
			return err
		}
		due, err = sqldb.Collect(t, "SELECT no, files FROM scrub_due ORDER BY no", nil,
			func(r sqldb.Scanner, o *owed) error { return r.Scan(&o.no, sqldb.JSONInto(&o.files)) })
		return err
	})
	return pending, due, err
}

func (store *Store) dropFiles(ctx context.Context, files []auditlog.File, drop DropArtifact) error {
	for _, f := range files {
		if f.In == auditlog.Lake {
			if err := drop(ctx, f.Tenant, f.Key); err != nil {
				return err
			}
			continue
		}
		if err := store.Needs.Files.Delete(ctx, f.Key); err != nil && gcerrors.Code(err) != gcerrors.NotFound {
			return err
		}
		if err := store.Needs.Files.SyncFolder(f.Key); err != nil {
			return err
		}
	}
	return nil
}

// endOwed runs a statement for each row.
func (store *Store) endOwed(ctx context.Context, due []owed, query string) error {
	return store.Write(ctx, sqldb.EveryTenant, "FinishErasures", func(t *sqldb.Tx) error {
		for _, o := range due {
			if _, err := t.Exec(query, o.no); err != nil {
				return err
			}
		}
		return nil
	})
}

func (store *Store) endErasure(t *sqldb.Tx, p *pendingErasure) error {
	n, err := t.Exec("UPDATE erasures SET state = 'done', done_at = ? WHERE tenant_id = ? AND id = ? AND state = 'erasing'",
		sqldb.Stamp(store.Now()), p.tenant, p.ID)
	if err != nil || n == 0 { // another server has finished it
		return err
	}
	auditlog.Record(t, p.tenant, auditlog.Wrote("erasures", []any{p.ID}, "state", "done_at"))
	return store.AppendEvent(t, auditlog.SystemActor(p.tenant),
		auditlog.Event{Action: "erasure.finished", Kind: "erasure", ObjectID: p.ID,
			Details: map[string]any{"kind": string(p.Kind), "files": p.Files}})
}
