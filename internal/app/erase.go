package app

import (
	"context"
	"errors"

	"sanad/internal/db"
	"sanad/internal/lake"
)

// FinishErasures deletes the files of confirmed erasures and their traces in the database. A caller that goes away does
// not stop it. l may be nil, if there is no lake.
func FinishErasures(ctx context.Context, store *db.Store, l *lake.Lake) error {
	return store.FinishErasures(context.WithoutCancel(ctx), func(ctx context.Context, tenant, path string) error {
		if l == nil {
			return errors.New("the lake is not configured")
		}
		return l.Of(tenant).Remove(ctx, path)
	})
}

// Retain erases what tenants' retention periods have ended for, finishes what was begun before, and ends requests for
// changes and invitations that nobody answered in time. It returns how many objects it erased.
func Retain(ctx context.Context, store *db.Store, l *lake.Lake) (int, error) {
	n, err := store.EraseDue(ctx)
	return n, errors.Join(err, FinishErasures(ctx, store, l), store.LapseChanges(ctx),
		store.LapseInvitations(ctx))
}
