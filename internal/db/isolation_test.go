package db_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/agreement"
	"sanad/internal/domain/ledger"
)

// TestTenantsSeeNothingOfEachOther calls every method with another tenant's ids, and with invalid ids.
func TestTenantsSeeNothingOfEachOther(t *testing.T) {
	h := newFixture(t)
	ctx := context.Background()
	s := fullSession()
	_, _, err := h.InsertSession(ctx, h.actor, assess(s), []db.Original{{
		Document: 0, Data: []byte("x"),
	}}, &db.Receipt{Key: "k", Digest: "d"})
	require.NoError(t, err)
	token := db.HashToken("t")
	require.NoError(t, h.CreateExport(ctx, h.actor, db.Export{
		TokenHash: token, SessionID: s.ID, Format: "pdf", CreatedAt: now, ExpiresAt: now.Add(time.Minute),
	}))
	tenant, other := h.newTenant(t, "other")

	type ask struct{ tenant, session, document, token string }
	asks := map[string]ask{
		"other tenant": {tenant: tenant.ID, session: s.ID, document: s.Documents[0].ID, token: token},
		"unknown tenant": {
			tenant: "8d1b4b5e-0000-4000-8000-000000000000", session: s.ID, document: s.Documents[0].ID,
			token: token,
		},
		"malformed": {tenant: h.tenant.ID, session: "' OR 1=1 --", document: "\x00", token: "%"},
		"empty":     {tenant: h.tenant.ID},
	}
	for name, a := range asks {
		t.Run(name, func(t *testing.T) {
			none := func(err error) {
				t.Helper()
				require.Equal(t, domain.Refuse(domain.NotFound, "", "refused_nothing_address"), err)
			}
			_, err := h.Session(ctx, a.tenant, a.session)
			none(err)
			_, err = h.LedgerPage(ctx, a.tenant, a.session, ledger.ClaimFilter{}, -1, 10)
			none(err)
			_, err = h.ClaimPage(ctx, a.tenant, a.session, 0)
			none(err)
			_, err = h.SecondOpinion(ctx, a.tenant, a.session, agreement.Question{After: -1, Limit: 10})
			none(err)
			_, err = h.DocumentPage(ctx, access.Actor{Tenant: a.tenant}, a.document, -1, 1, 10)
			none(err)
			_, _, err = h.Original(ctx, a.tenant, a.document)
			none(err)
			_, err = h.Export(ctx, a.tenant, a.token, now)
			none(err)
			actor := access.Actor{Tenant: a.tenant, User: "u", Role: access.Admin}
			none(h.CreateExport(ctx, actor, db.Export{TokenHash: "x", SessionID: a.session}))
			_, err = h.UpdateSession(ctx, actor, a.session, db.Event{},
				func(*ledger.Session) (*ledger.Ledger, *db.Receipt, error) {
					t.Fatal("applied")
					return nil, nil, nil
				})
			none(err)
		})
	}
	_, _, err = h.InsertSession(ctx, access.Actor{Tenant: "nope"}, assess(fullSession()), nil, nil)
	require.Equal(t, domain.NotFound, domain.KindOf(err))

	for _, q := range []ledger.SessionQuery{{Limit: 10}, {Limit: 10, Text: "إجازة"}, {Limit: 10, Text: h.tenant.ID}} {
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

// TestPeopleOfOtherTenants asks for another tenant's members, logins and tokens: the answer is the same as for ids that
// nobody has.
func TestPeopleOfOtherTenants(t *testing.T) {
	p := newPeople(t)
	p.add(t, p.tenant, "root", access.Admin)
	u := p.add(t, p.tenant, "u", access.Viewer)
	l, k := p.signIn(t, p.tenant, u, "l"), p.token(t, p.tenant, u, access.Viewer, "k")
	salem := p.add(t, p.other, "salem", access.Admin)
	before := p.state(t)
	for name, id := range map[string]struct{ user, login, token string }{
		"other tenant": {u.ID, l.ID, k.ID},
		"unknown": {"8d1b4b5e-0000-4000-8000-000000000000", "8d1b4b5e-0000-4000-8000-000000000000",
			"8d1b4b5e-0000-4000-8000-000000000000"},
		"malformed": {"' OR 1=1 --", "%", oddID()},
	} {
		t.Run(name, func(t *testing.T) {
			by := as(p.other, salem, access.Admin)
			for _, err := range []error{
				p.SetRole(p.ctx, by, id.user, access.Admin),
				p.SetMemberDisabled(p.ctx, by, id.user, true),
				p.SetPassword(p.ctx, by, id.user, db.NewPassword{PHC: "phc"}),
				p.SetTOTP(p.ctx, by, id.user, nil, nil),
				p.EndLogin(p.ctx, by, id.login),
				p.FreshenLogin(p.ctx, by, id.login, "hash"),
				p.SwitchTenant(p.ctx, by, id.login, p.other.ID),
				p.RevokeToken(p.ctx, by, id.token),
			} {
				isNotFound(t, err)
			}
			_, err := p.AddToken(p.ctx, by, access.Token{
				UserID: id.user, Name: "n", Role: access.Viewer, Hash: "h", ExpiresAt: p.now.Add(1),
			})
			is(t, domain.Invalid, err) // nobody makes a token for another person, whether that person exists or not
			require.Equal(t, before, p.state(t))
		})
	}
	members, err := p.Members(p.ctx, p.other.ID)
	require.NoError(t, err)
	require.Equal(t, []access.Member{member(salem, access.Admin)}, members)
	tokens, err := p.Tokens(p.ctx, p.other.ID)
	require.NoError(t, err)
	require.Empty(t, tokens)
}

// oddID returns an id of a single control character: a NUL, except where PostgreSQL refuses it (TestTextWithNUL).
func oddID() string {
	if dbtest.OnPostgres() {
		return "\x01"
	}
	return "\x00"
}

// TestTextWithNUL checks that a text with a NUL is looked up in vain or refused, on either engine, and is no fault of
// the store.
func TestTextWithNUL(t *testing.T) {
	p := newPeople(t)
	u := p.add(t, p.tenant, "u", access.Admin)
	_, err := p.Session(p.ctx, p.tenant.ID, "\x00")
	isNotFound(t, err)
	for name, err := range map[string]error{
		"RevokeToken": p.RevokeToken(p.ctx, as(p.tenant, u, access.Admin), "\x00"),
		"SetRole":     p.SetRole(p.ctx, as(p.tenant, u, access.Admin), "\x00", access.Viewer),
	} {
		require.Contains(t, []domain.Kind{domain.NotFound, domain.Invalid}, domain.KindOf(err), name)
	}
}
