package auditlog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/words"
)

// wholeStore is the key of a reason that concerns every tenant.
const wholeStore = ""

// freezes are the reasons why tenants are read-only, by tenant. A tenant whose log is not the one that was seen before
// only reads; the others go on (rule LOG-3).
type freezes struct {
	mu      sync.RWMutex
	reasons map[string]string
}

// Of returns why a tenant only reads, "" if it does not.
func (f *freezes) Of(tenant string) string {
	f.mu.RLock()
	defer f.mu.RUnlock()
	if why := f.reasons[wholeStore]; why != "" {
		return why
	}
	return f.reasons[tenant]
}

// all returns every reason, in the order of the tenants.
func (f *freezes) all() string {
	f.mu.RLock()
	defer f.mu.RUnlock()
	var out []string
	for _, tenant := range slices.Sorted(maps.Keys(f.reasons)) {
		out = append(out, f.reasons[tenant])
	}
	return strings.Join(out, "; ")
}

// Tenants returns the tenants that only read.
func (f *freezes) Tenants() []string {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return slices.Sorted(maps.Keys(f.reasons))
}

func (f *freezes) set(reasons map[string]string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.reasons = reasons
}

func (f *freezes) add(tenant, why string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.reasons = maps.Clone(f.reasons)
	if f.reasons == nil {
		f.reasons = map[string]string{}
	}
	f.reasons[tenant] = why
}

// Frozen returns why the store or some of its tenants are read-only: a log is not the one that was seen before. It
// returns "" if nothing is.
func (store *Store) Frozen() string { return store.Freezes.all() }

// FrozenFor returns why a tenant is read-only, "" if it is not.
func (store *Store) FrozenFor(tenant string) string { return store.Freezes.Of(tenant) }

// freeze makes a tenant read-only.
func (store *Store) freeze(tenant, reason string) {
	store.Logger.Error("a tenant only reads", "tenant", tenant, "reason", reason)
	store.Freezes.add(tenant, reason)
}

// FrozenError refuses a change of a tenant that only reads. The reason is for the log of the operator.
func (store *Store) FrozenError(tenant string) error {
	return &domain.Error{Kind: domain.Unavailable, Op: "db.appendEvent", Err: errors.New(store.FrozenFor(tenant)),
		Message: words.Msg("refused_nothing_can_changed")}
}

// changedLog is the reason for a log that has been changed in the database.
func changedLog(tenant, how string) string {
	return fmt.Sprintf("the audit log of tenant %s has been changed: %s", tenant, how)
}

// Stopped returns why no tenant can be changed, "" if at least one that has a log can.
func (store *Store) Stopped(ctx context.Context) (string, error) {
	why := store.Frozen()
	if why == "" || store.FrozenFor(wholeStore) != "" {
		return why, nil
	}
	var going int
	err := store.Read(ctx, "Ready", func(t *sqldb.Tx) error {
		return t.Row("SELECT count(*) FROM log_heads WHERE true"+GoingOn, []any{store.FrozenList()}, &going)
	})
	if err != nil || going > 0 {
		return "", err
	}
	return why, nil
}

// GoingOn leaves out the jobs of tenants that only read; its argument is FrozenList.
const GoingOn = " AND tenant_id NOT IN (SELECT value FROM json_each(?))"

// FrozenList returns the tenants that only read as a JSON list.
func (store *Store) FrozenList() string {
	list, _ := json.Marshal(append([]string{}, store.Freezes.Tenants()...)) // strings always have a form
	return string(list)
}
