package auditlog

import (
	"context"
	"slices"
	"strings"
	"time"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/audit"
)

// committedMark begins a value of an event's own fields (from, object.id) that is a commitment (rule LOG-14).
const committedMark = "hmac-sha256:"

// HideName returns an id that a caller chose. Its salt is the tenant's.
func HideName(id string) hidden { return hidden{text: id, kind: tenantKind} }

// namedKinds are the kinds of objects whose ids callers choose.
var namedKinds = []string{"decision"}

// addressKind is the kind of the salts for addresses of clients, of which there is one for each month.
const addressKind = "addresses"

// tenantKind is the kind of the salt for ids that callers choose.
const tenantKind = "tenant"

func monthOf(at time.Time) string { return at.UTC().Format("2006-01") }

// marks are commitments as they stand in the own fields of events that are appended together.
type marks map[hidden]string

// of returns the commitment to a text.
func (m marks) of(t *sqldb.Tx, tenant string, h hidden) (string, error) {
	if h.kind == tenantKind {
		h.id = tenant
	}
	if mark, known := m[h]; known {
		return mark, nil
	}
	text, err := commitment(t, tenant, h)
	if err != nil || text == "" {
		return "", err
	}
	m[h] = committedMark + text
	return m[h], nil
}

// name replaces the client's address and an id that a caller chose by commitments, and adds what they stand for.
func (m marks) name(t *sqldb.Tx, e *audit.Event, at time.Time, names *sqldb.Bulk) error {
	address, object := e.From, ""
	var err error
	if e.From, err = m.of(t, e.Tenant, HideWith(addressKind, monthOf(at), address)); err != nil {
		return err
	}
	if slices.Contains(namedKinds, e.Object.Kind) {
		object = e.Object.ID
		if e.Object.ID, err = m.of(t, e.Tenant, HideName(object)); err != nil {
			return err
		}
	}
	if address != "" || object != "" {
		names.Add(e.Tenant, e.Seq, address, object)
	}
	return nil
}

// NamedColumns are the columns of events with what they name by commitments, as far as it is still stored.
const NamedColumns = eventColumns + `,
	coalesce((SELECT n.address FROM event_names n WHERE n.tenant_id = events.tenant_id AND n.seq = events.seq), ''),
	coalesce((SELECT n.object_id FROM event_names n WHERE n.tenant_id = events.tenant_id AND n.seq = events.seq), '')`

// ScanNamed scans an event with what the log names by commitments only.
func ScanNamed(r sqldb.Scanner, e *audit.StoredEvent) error {
	return r.Scan(&e.Seq, &e.ID, &e.At, &e.Actor, &e.Role, &e.Action, &e.Kind, &e.ObjectID, &e.Bytes, &e.Address,
		&e.Named)
}

// ForgetAddresses deletes the addresses of clients that a tenant's log names by commitments, of all months before that
// of a time, with the salts of these months: then nobody can tell them. It returns how many events named one.
func (store *Store) ForgetAddresses(ctx context.Context, by access.Actor, before time.Time) (forgotten int, err error) {
	first, err := time.Parse("2006-01", monthOf(before))
	if err != nil {
		return 0, sqldb.Fail("ForgetAddresses", err)
	}
	err = store.Write(ctx, sqldb.OfTenant(by.Tenant), "ForgetAddresses", func(t *sqldb.Tx) error {
		const before = " WHERE tenant_id = ?1 AND seq IN (SELECT seq FROM events WHERE tenant_id = ?1 AND at < ?2)"
		if err := t.Row("SELECT count(*) FROM event_names"+before+" AND address <> ''",
			[]any{by.Tenant, sqldb.Stamp(first)},
			&forgotten); err != nil {
			return err
		}
		for _, query := range []string{
			"DELETE FROM event_names" + before + " AND object_id = ''",
			"UPDATE event_names SET address = ''" + before,
		} {
			if _, err := t.Exec(query, by.Tenant, sqldb.Stamp(first)); err != nil {
				return err
			}
		}
		if _, err := t.Exec("DELETE FROM text_salts WHERE tenant_id = ? AND kind = ? AND object_id < ?", by.Tenant,
			addressKind, monthOf(first)); err != nil {
			return err
		}
		return store.AppendEvent(t, by, Event{Action: "log.addresses_forgotten", Kind: "tenant", ObjectID: by.Tenant,
			Details: map[string]any{"before": monthOf(first), "events": forgotten}})
	})
	return forgotten, err
}

// objectIDs returns how the log may name an object: by its id, or by the commitment to it.
func objectIDs(t *sqldb.Tx, tenant, kind, id string) ([]any, error) {
	out := []any{id}
	if id == "" || kind != "" && !slices.Contains(namedKinds, kind) || strings.HasPrefix(id, committedMark) {
		return out, nil
	}
	var salt []byte
	err := t.Row("SELECT salt FROM text_salts WHERE tenant_id = ? AND kind = ? AND object_id = ?",
		[]any{tenant, tenantKind, tenant}, &salt)
	if sqldb.NoRow(err) {
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	return append(out, committedMark+hmacHex(salt, id)), nil
}

// ActorOf returns the id of whoever last did something to an object, "" if the log has no such event.
func ActorOf(t *sqldb.Tx, tenant, action, kind, id string) (actor string, err error) {
	ids, err := objectIDs(t, tenant, kind, id)
	if err != nil {
		return "", err
	}
	err = t.Row("SELECT actor FROM events WHERE tenant_id = ? AND object_kind = ? AND action = ? AND object_id IN ("+
		sqldb.Placeholders(len(ids))+") ORDER BY seq DESC LIMIT 1", append([]any{tenant, kind, action}, ids...), &actor)
	if sqldb.NoRow(err) {
		return "", nil
	}
	return actor, err
}

// ForgetName takes the name of an object that is gone, which a caller chose, out of the names of events.
func ForgetName(t *sqldb.Tx, tenant, objectID string) error {
	_, err := t.Exec("UPDATE event_names SET object_id = '' WHERE tenant_id = ? AND object_id = ?", tenant, objectID)
	return err
}
