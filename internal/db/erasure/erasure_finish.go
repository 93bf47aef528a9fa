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

// OweScrub records that deleted text is still in the database file or its log, until scrub has run.
func (s *Store) OweScrub(t *sqldb.Tx) error {
	_, err := t.Exec("INSERT INTO scrub_due (one, since) VALUES (1, ?) ON CONFLICT DO NOTHING", sqldb.Stamp(s.Now()))
	return err
}

// pendingErasure is an erasure whose rows are gone.
type pendingErasure struct {
	erasure.Request
	tenant  string
	remains []auditlog.File
}

// FinishErasures deletes the files of confirmed erasures, and every trace of deleted text in the database. Each step
// can be repeated, so that a process that was killed finishes at its next start. If a step fails, the erasures stay
// "erasing" and the error says why.
func (s *Store) FinishErasures(ctx context.Context, drop DropArtifact) error {
	s.erasing.Lock()
	defer s.erasing.Unlock()
	pending, due, err := s.pendingErasures(ctx)
	if err != nil || len(pending) == 0 && !due {
		return err
	}
	for i := range pending {
		if err := s.dropFiles(ctx, &pending[i], drop); err != nil {
			return sqldb.Fail("FinishErasures", fmt.Errorf("files of erasure %s: %w", pending[i].ID, err))
		}
		if err := s.forgetFiles(ctx, &pending[i]); err != nil {
			return err
		}
	}
	if err := s.Scrub(ctx); err != nil {
		return sqldb.Fail("FinishErasures", err)
	}
	errs := []error{s.Write(ctx, sqldb.EveryTenant, "FinishErasures", func(t *sqldb.Tx) error {
		_, err := t.Exec("DELETE FROM scrub_due")
		return err
	})}
	for i := range pending { // one by one: the log of a tenant may be read-only
		errs = append(errs, s.Write(ctx, sqldb.EveryTenant, "FinishErasures",
			func(t *sqldb.Tx) error { return s.endErasure(t, &pending[i]) }))
	}
	return errors.Join(errs...)
}

func (s *Store) pendingErasures(ctx context.Context) (pending []pendingErasure, due bool, err error) {
	err = s.Read(ctx, "FinishErasures", func(t *sqldb.Tx) error {
		pending, err = sqldb.Collect(t, `SELECT e.tenant_id, e.remains, e.id, e.kind, e.files
			FROM erasures e WHERE e.state = 'erasing' ORDER BY e.no`,
			nil, func(r sqldb.Scanner, p *pendingErasure) error {
				var text string
				if err := r.Scan(&p.tenant, &text, &p.ID, &p.Kind, &p.Files); err != nil {
					return err
				}
				return json.Unmarshal([]byte(text), &p.remains)
			})
		if err != nil {
			return err
		}
		n := 0
		err := t.Row("SELECT count(*) FROM scrub_due", nil, &n)
		due = n > 0
		return err
	})
	return pending, due, err
}

func (s *Store) dropFiles(ctx context.Context, p *pendingErasure, drop DropArtifact) error {
	for _, f := range p.remains {
		if f.In == auditlog.Lake {
			if err := drop(ctx, p.tenant, f.Key); err != nil {
				return err
			}
			continue
		}
		if err := s.Needs.Files.Delete(ctx, f.Key); err != nil && gcerrors.Code(err) != gcerrors.NotFound {
			return err
		}
		if err := s.Needs.Files.SyncFolder(f.Key); err != nil {
			return err
		}
	}
	return nil
}

// forgetFiles removes the names of deleted files from the record, before the scrub, which removes their traces.
func (s *Store) forgetFiles(ctx context.Context, p *pendingErasure) error {
	return s.Write(ctx, sqldb.EveryTenant, "FinishErasures", func(t *sqldb.Tx) error {
		_, err := t.Exec("UPDATE erasures SET remains = '[]' WHERE tenant_id = ? AND id = ? AND state = 'erasing'",
			p.tenant, p.ID)
		return err
	})
}

func (s *Store) endErasure(t *sqldb.Tx, p *pendingErasure) error {
	n, err := t.Exec("UPDATE erasures SET state = 'done', done_at = ? WHERE tenant_id = ? AND id = ? AND state = 'erasing'",
		sqldb.Stamp(s.Now()), p.tenant, p.ID)
	if err != nil || n == 0 { // another server has finished it
		return err
	}
	auditlog.Record(t, p.tenant, auditlog.Wrote("erasures", []any{p.ID}, "state", "done_at"))
	return s.AppendEvent(t, auditlog.SystemActor(p.tenant),
		auditlog.Event{Action: "erasure.finished", Kind: "erasure", ObjectID: p.ID,
			Details: map[string]any{"kind": string(p.Kind), "files": p.Files}})
}
