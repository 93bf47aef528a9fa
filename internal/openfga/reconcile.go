package openfga

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"time"

	"sanad/internal/db"
	"sanad/internal/domain/access"
)

// every is how often roles are compared without a signal: the command line changes them too, and sends none.
const every = time.Minute

// afterFault is the retry interval while OpenFGA is down.
const afterFault = 5 * time.Second

// Changed signals that roles changed in the database. It never blocks; Follow acts on it.
func (a *Authorizer) Changed() {
	select {
	case a.changed <- struct{}{}:
	default: // a signal is already pending, and covers this change too
	}
}

// Follow keeps the roles in OpenFGA equal to those in the store until ctx ends.
func (a *Authorizer) Follow(ctx context.Context, store *db.Store, log *slog.Logger) {
	for {
		wait := every
		if err := a.Reconcile(ctx, store); err != nil && ctx.Err() == nil {
			log.Error("the roles could not be written to OpenFGA", "err", err)
			wait = afterFault
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-a.changed:
			timer.Stop()
		case <-timer.C:
		}
	}
}

// Reconcile writes the differences between the roles in the store and those in OpenFGA, tenant by tenant. A failure in
// one tenant does not stop the others. The database is the only source of roles, so it always wins.
func (a *Authorizer) Reconcile(ctx context.Context, store *db.Store) error {
	var errs []error
	for after, more := "", true; more; {
		ids, err := store.TenantIDs(ctx, after)
		errs = append(errs, err)
		for _, id := range ids {
			errs = append(errs, a.reconcileTenant(ctx, store, id))
			after = id
		}
		more = len(ids) > 0
	}
	err := errors.Join(errs...)
	if err != nil {
		a.setBehind("the roles in OpenFGA may be older than those in the database")
	} else {
		a.setBehind("")
	}
	return err
}

func (a *Authorizer) reconcileTenant(ctx context.Context, store *db.Store, tenant string) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	want, err := storedRoles(ctx, store, tenant)
	if err != nil {
		return err
	}
	have, err := a.client.roles(ctx, tenant)
	if err != nil {
		return err
	}
	return a.client.writeTuples(ctx, differences(tenant, want, have))
}

// storedRoles returns the roles of a tenant in the database, by user id.
func storedRoles(ctx context.Context, store *db.Store, tenant string) (map[string]access.Role, error) {
	out := map[string]access.Role{}
	for after := ""; ; {
		page, err := store.Relations(ctx, tenant, after)
		if err != nil || len(page) == 0 {
			return out, err
		}
		for _, r := range page {
			out[r.ID], after = r.Role, r.ID
		}
	}
}

// differences returns the changes that make have equal to want, one per user, ordered by user id.
func differences(tenant string, want map[string]access.Role, have map[string][]access.Role) []change {
	ids := slices.AppendSeq(slices.Collect(maps.Keys(want)), maps.Keys(have))
	slices.Sort(ids)
	var out []change
	for _, id := range slices.Compact(ids) {
		var c change
		role, member := want[id]
		for _, r := range have[id] {
			if r != role {
				c.remove = append(c.remove, roleTuple(tenant, id, r))
			}
		}
		if member && !slices.Contains(have[id], role) {
			c.add = append(c.add, roleTuple(tenant, id, role))
		}
		if c.size() > 0 {
			out = append(out, c)
		}
	}
	return out
}

func roleTuple(tenant, id string, role access.Role) tuple {
	return tuple{User: "user:" + id, Relation: string(role), Object: "tenant:" + tenant}
}
