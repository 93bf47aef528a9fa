package packs

import (
	"context"
	"errors"
	"time"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/pack"
	"sanad/internal/words"
)

// The states of a purge.
const (
	PurgeAsked   = "asked"
	PurgeDone    = "done"
	PurgeRefused = "refused"
)

const selectPurges = `SELECT g.id, g.pack_id, coalesce(p.title, ''), g.state, g.asked_by, g.asked_name, g.asked_at,
	g.files, g.bytes, g.decision,
	g.confirmed_by, g.confirmed_at FROM pack_purges g LEFT JOIN evidence_packs p ON p.pack_id = g.pack_id
	AND p.tenant_id = g.tenant_id
	WHERE g.tenant_id = ? AND g.state = 'asked'`

func scanPurge(r sqldb.Scanner, g *pack.Purge) error {
	return r.Scan(&g.ID, &g.PackID, &g.Title, &g.State, &g.AskedBy, &g.AskedName, sqldb.TimeInto(&g.AskedAt), &g.Files,
		&g.Bytes, &g.Decision,
		&g.ConfirmedBy, sqldb.TimeOrNoneInto(&g.ConfirmedAt))
}

// waitingPurge returns the waiting request that a condition selects; sql.ErrNoRows if none.
func waitingPurge(t *sqldb.Tx, tenant, condition string, arg any) (pack.Purge, error) {
	return sqldb.First(sqldb.Collect(t, selectPurges+" AND "+condition, []any{tenant, arg}, scanPurge))
}

// Purges lists the waiting requests, oldest first.
func (store *Store) Purges(ctx context.Context, tenant string) (out []pack.Purge, err error) {
	err = store.Read(ctx, "Purges", func(t *sqldb.Tx) error {
		out, err = sqldb.Collect(t, selectPurges+" ORDER BY g.asked_at, g.rowid", []any{tenant}, scanPurge)
		return err
	})
	return out, err
}

// PurgeCandidates lists packs whose retention has ended and that no hold protects, oldest first.
func (store *Store) PurgeCandidates(ctx context.Context, tenant string, limit int) (out []pack.Row, err error) {
	err = store.Read(ctx, "PurgeCandidates", func(t *sqldb.Tx) error {
		out, err = sqldb.Collect(t, "SELECT "+packColumns+
			` FROM evidence_packs p WHERE p.tenant_id = ? AND p.retain_until <= ? AND p.on_hold = 0
			AND p.state <> 'in_review' AND NOT EXISTS (SELECT 1 FROM evidence_packs x
			WHERE x.tenant_id = p.tenant_id AND x.supersedes = p.pack_id)
			ORDER BY p.retain_until, p.no LIMIT ?`, []any{tenant, sqldb.Stamp(store.Now()), max(1, limit)},
			func(r sqldb.Scanner, p *pack.Row) error { return scanPack(r, p) })
		return err
	})
	return out, err
}

// AskPurge is the dry run: it deletes nothing and stores the request for a second person. If the purge is not allowed,
// the error joins all reasons.
func (store *Store) AskPurge(ctx context.Context, a access.Actor, packID string) (g pack.Purge, err error) {
	err = store.Write(ctx, sqldb.OfTenant(a.Tenant), "AskPurge", func(t *sqldb.Tx) error {
		p, err := store.loadPack(t, a.Tenant, packID)
		if err != nil {
			return err
		}
		anybody := access.Actor{Tenant: a.Tenant, ID: "whoever confirms it", Role: access.Admin, Human: true}
		if err := p.mayPurge(store.Now(), a, anybody); err != nil {
			return err
		}
		g, err = waitingPurge(t, a.Tenant, "g.pack_id = ?", packID)
		if !sqldb.NoRow(err) {
			return err
		}
		if g, err = store.dryRun(t, a, p); err != nil {
			return err
		}
		return store.AppendEvent(t, a, packEvent("pack.purge_asked", packID, map[string]any{
			"purge": g.ID, "digest": p.view.Life.Digest, "files": g.Files, "bytes": g.Bytes,
			"with_decision": g.Decision,
		}))
	})
	return sqldb.OrZero(g, err)
}

// mayPurge returns all reasons against a purge as one error, nil if none.
func (p *storedPack) mayPurge(now time.Time, who, second access.Actor) error {
	reasons := pack.MayPurge(p.view.Life, p.view.Content.RetainUntil, now, who, second)
	for _, r := range p.view.Versions {
		if r.Supersedes == p.view.Life.PackID {
			reasons = append(reasons, domain.Refuse(domain.Conflict, "", "fault_purge_later", "Pack", r.PackID))
		}
	}
	if len(reasons) == 0 {
		return nil
	}
	var all words.Sentences
	for _, r := range reasons {
		var e *domain.Error
		if errors.As(r, &e) {
			all = append(all, e.Message)
		}
	}
	return &domain.Error{Kind: domain.KindOf(reasons[0]), Op: "db.Purge", Message: words.Msg("sentences", "All", all)}
}

// dryRun counts what a purge would delete and stores the request.
func (store *Store) dryRun(t *sqldb.Tx, a access.Actor, p *storedPack) (pack.Purge, error) {
	v := p.view
	g := pack.Purge{ID: store.NewID(), PackID: v.Life.PackID, Title: v.Content.Title, State: PurgeAsked, AskedBy: a.ID,
		AskedName: a.User, AskedAt: store.Now().UTC()}
	for _, f := range v.Files {
		g.Files++
		g.Bytes += f.Size
	}
	others := 0
	err := t.Row("SELECT count(*) FROM evidence_packs WHERE tenant_id = ? AND decision_id = ? AND pack_id <> ?",
		[]any{p.tenant, v.Content.DecisionID, g.PackID}, &others)
	if err != nil {
		return pack.Purge{}, err
	}
	g.Decision = others == 0
	_, err = t.Exec(`INSERT INTO pack_purges (id, tenant_id, pack_id, state, asked_by, asked_name, asked_at, files,
		bytes, decision, confirmed_by, confirmed_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '', '')`, g.ID, p.tenant, g.PackID, g.State, g.AskedBy, g.AskedName,
		sqldb.Stamp(g.AskedAt), g.Files, g.Bytes, g.Decision)
	auditlog.Record(t, p.tenant, auditlog.Wrote("pack_purges", []any{g.ID}))
	return g, err
}

// RefusePurge ends a request for a purge; administrators and approvers may, including the person who asked.
func (store *Store) RefusePurge(ctx context.Context, a access.Actor, purgeID string) error {
	return store.Write(ctx, sqldb.OfTenant(a.Tenant), "RefusePurge", func(t *sqldb.Tx) error {
		g, err := waitingPurge(t, a.Tenant, "g.id = ?", purgeID)
		if err != nil {
			return err
		}
		if !access.MayGrant(a) {
			return domain.Refuse(domain.Denied, "", "refused_purge_person")
		}
		if err := store.endPurge(t, a, g.ID, PurgeRefused); err != nil {
			return err
		}
		return store.AppendEvent(t, a, packEvent("pack.purge_refused", g.PackID, map[string]any{"purge": g.ID}))
	})
}

func (store *Store) endPurge(t *sqldb.Tx, a access.Actor, purgeID, state string) error {
	_, err := t.Exec(`UPDATE pack_purges SET state = ?, confirmed_by = ?, confirmed_at = ?
		WHERE tenant_id = ? AND id = ? AND state = 'asked'`,
		state, a.ID, sqldb.Stamp(store.Now()), a.Tenant, purgeID)
	auditlog.Record(t, a.Tenant, auditlog.Wrote("pack_purges", []any{purgeID}, "state", "confirmed_by", "confirmed_at"))
	return err
}

// PackOfPurge returns the pack of a purge.
func (store *Store) PackOfPurge(ctx context.Context, tenant, purgeID string) (packID string, err error) {
	err = store.Read(ctx, "PackOfPurge", func(t *sqldb.Tx) error {
		return t.Row("SELECT pack_id FROM pack_purges WHERE tenant_id = ? AND id = ?", []any{tenant, purgeID}, &packID)
	})
	return packID, err
}
