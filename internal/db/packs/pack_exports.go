package packs

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/pack"
)

// The states of an export request.
const (
	ExportAsked   = "asked"
	ExportGranted = "granted"
	ExportRefused = "refused"
)

// packFormats are the formats of a pack's copies.
var packFormats = []string{"zip", "json", "markdown", "pdf"}

const packExportColumns = `e.id, e.pack_id, p.title, e.format, e.state, e.asked_by, e.asked_name, e.asked_at, e.reason,
	e.decided_by, e.decided_at,
	e.linked_at, e.expires_at`

const fromPackExports = " FROM pack_exports e JOIN evidence_packs p ON p.pack_id = e.pack_id AND p.tenant_id = e.tenant_id WHERE e.tenant_id = ?"

// scanPackExport reads packExportColumns and any columns after them.
func scanPackExport(r sqldb.Scanner, e *pack.ExportRequest, more ...any) error {
	return r.Scan(append([]any{&e.ID, &e.PackID, &e.Title, &e.Format, &e.State, &e.AskedBy, &e.AskedName,
		sqldb.TimeInto(&e.AskedAt), &e.Reason,
		&e.DecidedBy, sqldb.TimeOrNoneInto(&e.DecidedAt), sqldb.TimeOrNoneInto(&e.LinkedAt),
		sqldb.TimeOrNoneInto(&e.ExpiresAt)}, more...)...)
}

// onePackExport returns the request that a condition selects; sql.ErrNoRows if none.
func onePackExport(t *sqldb.Tx, tenant, condition string, args ...any) (e pack.ExportRequest, err error) {
	return sqldb.First(sqldb.Collect(t, "SELECT "+packExportColumns+fromPackExports+" AND "+condition,
		append([]any{tenant}, args...),
		func(r sqldb.Scanner, e *pack.ExportRequest) error { return scanPackExport(r, e) }))
}

// RequestExport asks for a copy of a signed pack. Repeating it returns the existing request.
func (store *Store) RequestExport(ctx context.Context, a access.Actor,
	packID, format, reason string) (e pack.ExportRequest, err error) {
	err = store.Write(ctx, sqldb.OfTenant(a.Tenant), "RequestExport", func(t *sqldb.Tx) error {
		title, err := exportable(t, a.Tenant, packID, format)
		if err != nil {
			return err
		}
		if err := exportReason(reason, false); err != nil {
			return err
		}
		e, err = onePackExport(t, a.Tenant, "e.pack_id = ? AND e.format = ? AND e.asked_by = ? AND e.state = ?",
			packID, format, a.ID, ExportAsked)
		if !sqldb.NoRow(err) {
			return err
		}
		e = pack.ExportRequest{ID: store.NewID(), PackID: packID, Title: title, Format: format, State: ExportAsked,
			AskedBy: a.ID, AskedName: a.User, AskedAt: store.Now().UTC(), Reason: reason}
		if err := insertPackExport(t, a.Tenant, &e, ""); err != nil {
			return err
		}
		return store.logExport(t, a, "pack.export_asked", &e,
			map[string]any{"reason_commitment": auditlog.Hide(reason)})
	})
	return orNone(e, err)
}

// orNone returns the request only if there is no error.
func orNone(e pack.ExportRequest, err error) (pack.ExportRequest, error) {
	return sqldb.OrZero(e, err)
}

// exportable returns the title of a pack that may be exported, that is a signed one.
func exportable(t *sqldb.Tx, tenant, packID, format string) (title string, err error) {
	var signed string
	if err := t.Row("SELECT title, signed_at FROM evidence_packs WHERE tenant_id = ? AND pack_id = ?",
		[]any{tenant, packID}, &title, &signed); err != nil {
		return "", err
	}
	if !slices.Contains(packFormats, format) {
		return "", domain.Refuse(domain.Invalid, "format", "fault_one_of", "All", "zip, json, markdown, pdf")
	}
	if signed == "" {
		return "", domain.Refuse(domain.Conflict, "", "fault_export_unsigned")
	}
	return title, nil
}

func insertPackExport(t *sqldb.Tx, tenant string, e *pack.ExportRequest, tokenHash string) error {
	var token any
	if tokenHash != "" {
		token = tokenHash
	}
	_, err := t.Exec(`INSERT INTO pack_exports (id, tenant_id, pack_id, format, state, asked_by, asked_name, asked_at,
		decided_by, decided_at,
		token_hash, linked_at, expires_at, reason) VALUES (`+sqldb.Placeholders(14)+")",
		e.ID, tenant, e.PackID, e.Format, e.State, e.AskedBy, e.AskedName, sqldb.Stamp(e.AskedAt), e.DecidedBy,
		sqldb.StampOrNone(e.DecidedAt),
		token, sqldb.StampOrNone(e.LinkedAt), sqldb.StampOrNone(e.ExpiresAt), e.Reason)
	auditlog.Record(t, tenant, auditlog.Wrote("pack_exports", []any{e.ID}))
	return err
}

// logExport logs an event about a request, with its pack as the object.
func (store *Store) logExport(t *sqldb.Tx, a access.Actor, action string, e *pack.ExportRequest,
	more map[string]any) error {
	details := map[string]any{"export": e.ID, "format": e.Format}
	for k, v := range more {
		details[k] = v
	}
	return store.AppendEvent(t, a, packEvent(action, e.PackID, details))
}

// exportReason returns an error if a reason can't be stored.
func exportReason(reason string, needed bool) error {
	if strings.TrimSpace(reason) == "" && needed {
		return domain.Refuse(domain.Invalid, "reason", "fault_reason_missing")
	}
	if utf8.RuneCountInString(reason) > pack.MaxReason {
		return domain.Refuse(domain.TooLarge, "reason", "fault_long", "N", pack.MaxReason)
	}
	return nil
}
