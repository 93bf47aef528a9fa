package packs

import (
	"context"
	"database/sql"
	"time"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/pack"
)

const (
	linkAge  = 15 * time.Minute // lifetime of a link (rule WEB-9)
	grantAge = 24 * time.Hour   // how long a grant can be used
)

// ExportLink creates the link of a granted request, for the person who asked: once, within a day of the grant. It works
// for 15 minutes. tokenHash is HashToken of the link's token.
func (store *Store) ExportLink(ctx context.Context, a access.Actor,
	exportID, tokenHash string) (e pack.ExportRequest, err error) {
	err = store.Write(ctx, sqldb.OfTenant(a.Tenant), "ExportLink", func(t *sqldb.Tx) (err error) {
		if e, err = onePackExport(t, a.Tenant, "e.id = ? AND e.asked_by = ?", exportID, a.ID); err != nil {
			return err
		}
		now := store.Now().UTC()
		if e.State != ExportGranted {
			return domain.Refuse(domain.Conflict, "", "fault_export_not_granted")
		}
		if err := stillGranted(t, a, &e); err != nil {
			return err
		}
		switch {
		case !e.LinkedAt.IsZero():
			return domain.Refuse(domain.Conflict, "", "refused_export_linked")
		case !now.Before(e.DecidedAt.Add(grantAge)):
			return domain.Refuse(domain.Conflict, "", "refused_export_old")
		}
		e.LinkedAt, e.ExpiresAt = now, now.Add(linkAge)
		_, err = t.Exec("UPDATE pack_exports SET token_hash = ?, linked_at = ?, expires_at = ? WHERE tenant_id = ? AND id = ?",
			tokenHash, sqldb.Stamp(e.LinkedAt), sqldb.Stamp(e.ExpiresAt), a.Tenant, e.ID)
		if err != nil {
			return err
		}
		auditlog.Record(t, a.Tenant, auditlog.Wrote("pack_exports", []any{e.ID}, "token_hash", "linked_at",
			"expires_at"))
		return store.logExport(t, a, "pack.export_linked", &e, nil)
	})
	return orNone(e, err)
}

// MakePackExport combines request, grant and link, for approvers and admins.
func (store *Store) MakePackExport(ctx context.Context, a access.Actor,
	packID, format, reason, tokenHash string) (e pack.ExportRequest, err error) {
	err = store.Write(ctx, sqldb.OfTenant(a.Tenant), "MakePackExport", func(t *sqldb.Tx) error {
		title, err := exportable(t, a.Tenant, packID, format)
		if err != nil {
			return err
		}
		if !a.Role.AtLeast(access.Approver) {
			return domain.Refuse(domain.Denied, "", "refused_export_ask")
		}
		if err := exportReason(reason, false); err != nil {
			return err
		}
		now := store.Now().UTC()
		e = pack.ExportRequest{
			ID: store.NewID(), PackID: packID, Title: title, Format: format, State: ExportGranted, AskedBy: a.ID,
			AskedName: a.User, AskedAt: now, Reason: reason,
			DecidedBy: a.ID, DecidedAt: now, LinkedAt: now, ExpiresAt: now.Add(linkAge),
		}
		if err := insertPackExport(t, a.Tenant, &e, tokenHash); err != nil {
			return err
		}
		return store.logExport(t, a, "pack.export_linked", &e,
			map[string]any{"own": true, "reason_commitment": auditlog.Hide(reason)})
	})
	return orNone(e, err)
}

// stillGranted returns NotFound if the person who granted a copy may no longer do so: their role was lowered, or they
// have left. The maker of a link of their own needs the role that it took (rule P-18).
func stillGranted(t *sqldb.Tx, a access.Actor, e *pack.ExportRequest) error {
	by := a
	if e.DecidedBy != a.ID {
		var err error
		if by, err = reads.Asker(t, a.Tenant, e.DecidedBy); err != nil {
			return err
		}
	}
	if !by.Role.AtLeast(access.Approver) {
		return sql.ErrNoRows
	}
	return nil
}

// OwnPackExport returns the linked copy of an export for its maker, also once it has expired; NotFound for anybody else,
// and once the person who granted it may no longer grant.
func (store *Store) OwnPackExport(ctx context.Context, a access.Actor,
	exportID string) (e pack.ExportRequest, err error) {
	err = store.Read(ctx, "OwnPackExport", func(t *sqldb.Tx) (err error) {
		e, err = onePackExport(t, a.Tenant, "e.id = ? AND e.asked_by = ? AND e.linked_at > ''", exportID, a.ID)
		if err != nil {
			return err
		}
		return stillGranted(t, a, &e)
	})
	return orNone(e, err)
}

// PackExport returns the link for a token's hash to its maker; NotFound for anybody else, once it has expired, and once
// the person who granted it may no longer grant.
func (store *Store) PackExport(ctx context.Context, a access.Actor,
	tokenHash string) (e pack.ExportRequest, err error) {
	err = store.Read(ctx, "PackExport", func(t *sqldb.Tx) (err error) {
		e, err = onePackExport(t, a.Tenant, "e.token_hash = ? AND e.asked_by = ? AND e.expires_at > ?", tokenHash,
			a.ID, sqldb.Stamp(store.Now()))
		if err != nil {
			return err
		}
		return stillGranted(t, a, &e)
	})
	return orNone(e, err)
}

// LogPackExport logs a download; call it before sending the first byte. sha256 is the file's, in hex.
func (store *Store) LogPackExport(ctx context.Context, a access.Actor, e pack.ExportRequest, sha256 string) error {
	return store.Write(ctx, sqldb.OfTenant(a.Tenant), "LogPackExport", func(t *sqldb.Tx) error {
		stored, err := onePackExport(t, a.Tenant, "e.id = ? AND e.asked_by = ? AND e.expires_at > ?", e.ID, a.ID,
			sqldb.Stamp(store.Now()))
		if err != nil {
			return err
		}
		if err := stillGranted(t, a, &stored); err != nil {
			return err
		}
		return store.logExport(t, a, "pack.exported", &stored, map[string]any{"sha256": sha256})
	})
}

// PackExports lists requests, newest first: if waiting, those that wait for a's decision, else those that a has made.
func (store *Store) PackExports(ctx context.Context, a access.Actor, waiting bool,
	limit int) (out []pack.ExportRequest, err error) {
	err = store.Read(ctx, "PackExports", func(t *sqldb.Tx) error {
		if waiting {
			out, _, err = exportsFor(t, a, "e.asked_at DESC, e.rowid DESC", limit)
			return err
		}
		out, err = sqldb.Collect(t, "SELECT "+packExportColumns+fromPackExports+
			" AND e.asked_by = ? ORDER BY e.asked_at DESC, e.rowid DESC LIMIT ?",
			[]any{a.Tenant, a.ID, max(1, limit)},
			func(r sqldb.Scanner, e *pack.ExportRequest) error { return scanPackExport(r, e) })
		return err
	})
	return out, err
}

// exportsFor lists the requests that an actor may decide about, and counts all of them.
func exportsFor(t *sqldb.Tx, a access.Actor, order string, limit int) (out []pack.ExportRequest, n int, err error) {
	if !access.MayGrant(a) {
		return nil, 0, nil
	}
	out, err = sqldb.Collect(t, "SELECT "+packExportColumns+", count(*) OVER ()"+fromPackExports+
		" AND e.state = 'asked' AND e.asked_by <> ? ORDER BY "+order+" LIMIT ?",
		[]any{a.Tenant, a.ID, max(1, limit)},
		func(r sqldb.Scanner, e *pack.ExportRequest) error { return scanPackExport(r, e, &n) })
	return out, n, err
}

// PackOfExport returns the pack of a request for a copy.
func (store *Store) PackOfExport(ctx context.Context, tenant, exportID string) (packID string, err error) {
	err = store.Read(ctx, "PackOfExport", func(t *sqldb.Tx) error {
		return t.Row("SELECT pack_id FROM pack_exports WHERE tenant_id = ? AND id = ?", []any{tenant, exportID},
			&packID)
	})
	return packID, err
}
