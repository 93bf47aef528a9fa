package people

import (
	"cmp"
	"context"
	"errors"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/canonical"
)

const fromRequests = `SELECT id, kind, object_id, content, reason, state, asked_by, asked_name, asked_at,
	expires_at, decided_by, decided_name, decided_at FROM change_requests WHERE tenant_id = ?`

func scanRequest(r sqldb.Scanner, x *access.Request) error {
	return r.Scan(&x.ID, &x.Change.Kind, &x.Change.Object, sqldb.JSONInto(&x.Change), &x.Reason, &x.State, &x.AskedBy,
		&x.AskedName, sqldb.TimeInto(&x.AskedAt), sqldb.TimeInto(&x.ExpiresAt), &x.DecidedBy, &x.DecidedName,
		sqldb.TimeOrNoneInto(&x.DecidedAt))
}

// ChangeRequests lists a tenant's requests for changes: those that wait first, then the newest. Each says what keeps a
// from confirming it.
func (store *Store) ChangeRequests(ctx context.Context, a access.Actor, limit int) (out []access.Request, err error) {
	err = store.Read(ctx, "ChangeRequests", func(t *sqldb.Tx) error {
		out, err = sqldb.Collect(t, fromRequests+" ORDER BY state <> 'asked', no DESC LIMIT ?",
			[]any{a.Tenant, max(1, limit)},
			scanRequest)
		if err != nil {
			return err
		}
		return store.bar(t, a, out)
	})
	return out, err
}

// ChangeRequest returns one request.
func (store *Store) ChangeRequest(ctx context.Context, a access.Actor, id string) (r access.Request, err error) {
	err = store.Read(ctx, "ChangeRequest", func(t *sqldb.Tx) error {
		found, err := sqldb.Collect(t, fromRequests+" AND id = ?", []any{a.Tenant, id}, scanRequest)
		if err == nil {
			err = store.bar(t, a, found)
		}
		r, err = sqldb.First(found, err)
		return err
	})
	return r, err
}

// bar says what keeps a from confirming requests, and which have lapsed although nobody has recorded it yet.
func (store *Store) bar(t *sqldb.Tx, a access.Actor, in []access.Request) error {
	known := map[string]access.Makers{} // by who asked
	for i := range in {
		r := &in[i]
		r.Change.Password, r.Change.Link = "", ""
		if r.State != access.Asked {
			continue
		}
		if !store.Now().Before(r.ExpiresAt) {
			r.State, r.DecidedAt = access.Lapsed, r.ExpiresAt
			continue
		}
		makers, found := known[r.AskedBy]
		if !found {
			var err error
			if makers, err = reads.MakersOf(t, a.Tenant, r.AskedBy); err != nil {
				return err
			}
			known[r.AskedBy] = makers
		}
		r.Bars = access.BarOf(r, a, makers)
	}
	return nil
}

// ask stores a request for a change. The same request by the same person is stored once; another one about the same
// object is refused until the first is decided.
func (store *Store) ask(ctx context.Context, by access.Actor, c *access.Change) error {
	reason, err := access.ChangeReason(cmp.Or(by.Why, c.Reason))
	if err != nil {
		return err
	}
	now := store.Now().UTC()
	r := access.Request{ID: store.NewID(), Change: *c, Reason: reason, State: access.Asked, AskedBy: by.ID,
		AskedName: by.User,
		AskedAt:   now, ExpiresAt: now.Add(access.RequestFor)}
	err = store.Write(ctx, sqldb.OfTenant(by.Tenant), "AskChange", func(t *sqldb.Tx) error {
		if err := store.lapse(t, by.Tenant); err != nil {
			return err
		}
		content, err := canonical.JSON(c)
		if err != nil {
			return err
		}
		old, err := sqldb.Collect(t, fromRequests+" AND kind = ? AND object_id = ? AND state = 'asked'",
			[]any{by.Tenant, string(c.Kind), c.Object}, scanRequest)
		if err != nil {
			return err
		}
		if len(old) > 0 {
			before, err := canonical.JSON(old[0].Change)
			if err == nil && (old[0].AskedBy != by.ID || string(before) != string(content)) {
				err = domain.Refuse(domain.Conflict, "", "fault_change_waits")
			}
			r = old[0]
			return err
		}
		_, err = t.Exec(`INSERT INTO change_requests (id, tenant_id, kind, object_id, content, reason, state, asked_by,
			asked_name, asked_at, expires_at, decided_by, decided_name, decided_at)
			VALUES (?, ?, ?, ?, ?, ?, 'asked', ?, ?, ?, ?, '', '', '')`,
			r.ID, by.Tenant, string(c.Kind), c.Object, string(content), reason, by.ID, by.User,
			sqldb.Stamp(r.AskedAt), sqldb.Stamp(r.ExpiresAt))
		if err != nil {
			return err
		}
		auditlog.Record(t, by.Tenant, auditlog.Wrote("change_requests", []any{r.ID}))
		return store.AppendEvent(t, by, requestEvent("change.asked", &r, map[string]any{
			"reason_commitment": auditlog.Hide(reason), "expires_at": sqldb.Stamp(r.ExpiresAt)}))
	})
	if err != nil {
		return err
	}
	r.Change.Password = ""
	return &AskedError{Request: r}
}

// requestEvent returns an event about a request: which object and role, but no name and no content.
func requestEvent(action string, r *access.Request, more map[string]any) auditlog.Event {
	details := map[string]any{"kind": string(r.Change.Kind)}
	switch {
	case r.Change.Kind == access.AddPerson:
		details["user"] = r.Change.UserID
	case r.Change.Kind == access.InvitePerson && r.Change.LinkDays == 0: // a login name is in no event
	case r.Change.Object != "":
		details["object"] = r.Change.Object
	}
	if r.Change.Deputy != nil {
		details["deputy"] = r.Change.Deputy.ID
	}
	if r.Change.Role != "" {
		details["role"] = string(r.Change.Role)
	}
	for k, v := range more {
		details[k] = v
	}
	return auditlog.Event{Action: action, Kind: "change", ObjectID: r.ID, Details: details}
}

// waiting returns a request that can still be decided.
func (store *Store) waiting(t *sqldb.Tx, tenant, id string) (access.Request, error) {
	r, err := sqldb.First(sqldb.Collect(t, fromRequests+" AND id = ?", []any{tenant, id}, scanRequest))
	switch {
	case err != nil:
		return r, err
	case r.State != access.Asked:
		return r, domain.Refuse(domain.Conflict, "", "fault_change_decided")
	case !store.Now().Before(r.ExpiresAt):
		return r, domain.Refuse(domain.Conflict, "", "fault_change_lapsed")
	}
	return r, nil
}

// decide stores the end of a request, without the hash of a password or link that it held, and logs it.
func (store *Store) decide(t *sqldb.Tx, a access.Actor, r *access.Request, state access.RequestState) error {
	r.State, r.DecidedBy, r.DecidedName, r.DecidedAt = state, a.ID, a.User, store.Now().UTC()
	if state == access.Lapsed {
		r.DecidedBy, r.DecidedName = "", ""
	}
	r.Change.Password, r.Change.Link = "", ""
	content, err := canonical.JSON(r.Change)
	if err != nil {
		return err
	}
	if _, err := t.Exec(`UPDATE change_requests SET state = ?, content = ?, decided_by = ?, decided_name = ?, decided_at = ?
		WHERE tenant_id = ? AND id = ?`, string(state), string(content), r.DecidedBy, r.DecidedName, sqldb.Stamp(r.DecidedAt),
		a.Tenant, r.ID); err != nil {
		return err
	}
	auditlog.Record(t, a.Tenant, auditlog.Wrote("change_requests", []any{r.ID}, "state", "content", "decided_by",
		"decided_name",
		"decided_at"))
	action := map[access.RequestState]string{access.Confirmed: "change.confirmed", access.Refused: "change.refused",
		access.Withdrawn: "change.withdrawn", access.Lapsed: "change.lapsed"}[state]
	return store.AppendEvent(t, a, requestEvent(action, r, map[string]any{"asked_by": r.AskedBy}))
}

// ConfirmChange makes a change that somebody else asked for, in their name. If it cannot be made any more, it stays.
func (store *Store) ConfirmChange(ctx context.Context, second access.Actor, id string) (r access.Request, err error) {
	err = store.writeRoles(ctx, "ConfirmChange", func(t *sqldb.Tx) error {
		if r, err = store.waiting(t, second.Tenant, id); err != nil {
			return err
		}
		makers, err := reads.MakersOf(t, second.Tenant, r.AskedBy)
		if err != nil {
			return err
		}
		if err := access.MayConfirm(&r, second, makers); err != nil {
			return err
		}
		by, err := changer(t, second.Tenant, &r, sqldb.Stamp(store.Now()))
		if err != nil {
			return err
		}
		auditlog.LogOf.Of(t).Request, r.Change.Reason = r.ID, r.Reason
		if err := store.makeChange(t, by, &r.Change); err != nil {
			return err
		}
		auditlog.LogOf.Of(t).Request = ""
		return store.decide(t, second, &r, access.Confirmed)
	})
	return sqldb.OrZero(r, err)
}

// changer returns who asked as an actor, in whose name the change is made; Denied unless still an administrator.
func changer(t *sqldb.Tx, tenant string, r *access.Request, now string) (access.Actor, error) {
	by, err := reads.Asker(t, tenant, r.AskedBy)
	if err != nil {
		return by, err
	}
	if by.Role == "" { // a machine
		by.Human = false
		err = t.Row("SELECT role FROM api_tokens "+
			"WHERE tenant_id = ? AND id = ? AND user_id IS NULL AND revoked_at = '' AND expires_at > ?",
			[]any{tenant, r.AskedBy, now}, &by.Role)
		if err != nil && !sqldb.NoRow(err) {
			return by, err
		}
	}
	by.User = r.AskedName
	if !by.Role.AtLeast(access.Admin) {
		return by, domain.Refuse(domain.Denied, "", "refused_change_asker")
	}
	return by, nil
}

// RefuseChange ends a request that somebody else asked for.
func (store *Store) RefuseChange(ctx context.Context, a access.Actor, id string) (access.Request, error) {
	return store.endRequest(ctx, "RefuseChange", a, id, access.Refused, access.MayRefuse)
}

// WithdrawChange takes back one's own request.
func (store *Store) WithdrawChange(ctx context.Context, a access.Actor, id string) (access.Request, error) {
	return store.endRequest(ctx, "WithdrawChange", a, id, access.Withdrawn, access.MayWithdraw)
}

func (store *Store) endRequest(ctx context.Context, op string, a access.Actor, id string, state access.RequestState,
	may func(*access.Request, access.Actor) error) (r access.Request, err error) {
	err = store.Write(ctx, sqldb.EveryTenant, op, func(t *sqldb.Tx) error {
		if r, err = store.waiting(t, a.Tenant, id); err != nil {
			return err
		}
		if err := may(&r, a); err != nil {
			return err
		}
		return store.decide(t, a, &r, state)
	})
	return sqldb.OrZero(r, err)
}

// LapseChanges ends the requests that nobody decided in time, in every tenant.
func (store *Store) LapseChanges(ctx context.Context) error {
	var tenants []string
	err := store.Read(ctx, "LapseChanges", func(t *sqldb.Tx) (err error) {
		tenants, err = sqldb.Collect(t, "SELECT DISTINCT tenant_id FROM change_requests "+
			"WHERE state = 'asked' AND expires_at <= ? ORDER BY tenant_id",
			[]any{sqldb.Stamp(store.Now())}, sqldb.ScanText)
		return err
	})
	for _, tenant := range tenants { // the log of one may be read-only
		err = errors.Join(err, store.Write(ctx, sqldb.OfTenant(tenant), "LapseChanges",
			func(t *sqldb.Tx) error { return store.lapse(t, tenant) }))
	}
	return err
}

func (store *Store) lapse(t *sqldb.Tx, tenant string) error {
	late, err := sqldb.Collect(t, fromRequests+" AND state = 'asked' AND expires_at <= ? ORDER BY no",
		[]any{tenant, sqldb.Stamp(store.Now())},
		scanRequest)
	for i := range late {
		if err = store.decide(t, auditlog.SystemActor(tenant), &late[i], access.Lapsed); err != nil {
			return err
		}
	}
	return err
}
