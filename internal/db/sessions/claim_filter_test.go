package sessions_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db/dbtest"
	"sanad/internal/domain/filter"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
)

// Each declared filter has its SQL: a list that is narrowed by one value of it is read.
func TestEveryFilterHasItsCondition(t *testing.T) {
	h := dbtest.New(t)
	ctx := context.Background()
	s := h.AddSession(t, dbtest.SizedSession(3)).Session
	each(t, "sessions", ledger.SessionFilters, func(q ledger.SessionQuery) error {
		q.Reader, q.Limit = h.Actor.ID, 1
		_, _, err := h.Sessions(ctx, h.Tenant.ID, q)
		return err
	})
	each(t, "claims", ledger.ClaimFilters, func(f ledger.ClaimFilter) error {
		_, err := h.LedgerPage(ctx, h.Tenant.ID, s.ID, f, -1, 1)
		return err
	})
	each(t, "search", ledger.FindFilters, func(q ledger.FindQuery) error {
		q.Text, q.Limit = "policy", 1
		_, _, err := h.Find(ctx, h.Actor, q)
		return err
	})
	each(t, "packs", pack.Filters, func(q pack.Query) error {
		q.Limit = 1
		_, _, err := h.Packs(ctx, h.Tenant.ID, q)
		return err
	})
}

// each reads a list by each of its filters alone, with one value that it takes.
func each[Q any](t *testing.T, what string, list filter.List[Q], read func(Q) error) {
	for _, f := range list {
		v := "1"
		switch f.Kind {
		case filter.Choice:
			v = f.Values[0]
		case filter.Day:
			v = "2026-01-31"
		}
		t.Run(what+" "+f.Name, func(t *testing.T) {
			q, left := list.Read(func(name string) string {
				if name == f.Name {
					return v
				}
				return ""
			})
			require.Empty(t, left)
			require.NoError(t, read(q))
		})
	}
}
