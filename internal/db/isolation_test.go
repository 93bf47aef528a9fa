package db_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
)

// TestTenantsSeeNothingOfEachOther asks every method for another tenant's things, and for ids that are no ids.
func TestTenantsSeeNothingOfEachOther(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	s := fullSession()
	_, _, err := h.InsertSession(ctx, h.actor, assess(s), []db.Original{{Document: 0, Data: []byte("x")}}, &db.Receipt{Key: "k", Digest: "d"})
	require.NoError(t, err)
	token := db.HashToken("t")
	require.NoError(t, h.CreateExport(ctx, h.actor, db.Export{TokenHash: token, SessionID: s.ID, Format: "pdf", CreatedAt: now, ExpiresAt: now.Add(time.Minute)}))
	tenant, other := h.newTenant(t, "other")

	type ask struct{ tenant, session, document, token string }
	asks := map[string]ask{
		"other tenant":   {tenant.ID, s.ID, s.Documents[0].ID, token},
		"unknown tenant": {"8d1b4b5e-0000-4000-8000-000000000000", s.ID, s.Documents[0].ID, token},
		"malformed":      {h.tenant.ID, "' OR 1=1 --", "\x00", "%"},
		"empty":          {h.tenant.ID, "", "", ""},
	}
	for name, a := range asks {
		t.Run(name, func(t *testing.T) {
			none := func(err error) {
				t.Helper()
				require.Equal(t, domain.NotFoundf("There is nothing at this address."), err)
			}
			_, err := h.Session(ctx, a.tenant, a.session)
			none(err)
			_, err = h.LedgerPage(ctx, a.tenant, a.session, db.ClaimFilter{}, -1, 10)
			none(err)
			_, err = h.ClaimPage(ctx, a.tenant, a.session, 0)
			none(err)
			_, err = h.DocumentPage(ctx, a.tenant, a.document, -1, 10)
			none(err)
			_, _, err = h.Original(ctx, a.tenant, a.document)
			none(err)
			_, err = h.Export(ctx, a.tenant, a.token, now)
			none(err)
			actor := domain.Actor{Tenant: a.tenant, User: "u", Role: domain.Admin}
			none(h.CreateExport(ctx, actor, db.Export{TokenHash: "x", SessionID: a.session}))
			_, err = h.UpdateSession(ctx, actor, a.session, db.Event{}, func(*ledger.Session) (*ledger.Ledger, *db.Receipt, error) {
				t.Fatal("applied")
				return nil, nil, nil
			})
			none(err)
		})
	}
	_, _, err = h.InsertSession(ctx, domain.Actor{Tenant: "nope"}, assess(fullSession()), nil, nil)
	require.Equal(t, domain.NotFound, domain.KindOf(err))

	for _, q := range []db.SessionQuery{{Limit: 10}, {Limit: 10, Text: "إجازة"}, {Limit: 10, Text: h.tenant.ID}} {
		rows, next, err := h.Sessions(ctx, other.Tenant, q)
		require.NoError(t, err)
		require.Empty(t, rows)
		require.Empty(t, next)
	}
	home, err := h.Home(ctx, other.Tenant)
	require.NoError(t, err)
	require.Empty(t, home.Queue)
	require.Empty(t, home.CoverageByDay)
	require.Zero(t, home.Sessions+home.Claims+home.Reviewed+home.Unjudged)
	events, err := h.Events(ctx, other.Tenant, 0, 10)
	require.NoError(t, err)
	require.Empty(t, events)
	r, err := h.Receipt(ctx, other.Tenant, "k")
	require.NoError(t, err)
	require.Nil(t, r)
	hash := s.Documents[0].Chunks[0].Hash[:8]
	found, err := h.CitedChunks(ctx, other.Tenant, []string{hash})
	require.NoError(t, err)
	require.Empty(t, found)
	found, err = h.CitedChunks(ctx, h.tenant.ID, []string{hash})
	require.NoError(t, err)
	require.Len(t, found[hash], 1)
}
