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
	h := dbtest.New(t)
	ctx := context.Background()
	s := dbtest.FullSession()
	_, _, err := h.InsertSession(ctx, h.Actor, dbtest.Assess(s), []db.Original{{
		Document: 0, Data: []byte("x"),
	}}, &db.Receipt{Key: "k", Digest: "d"})
	require.NoError(t, err)
	token := db.HashToken("t")
	require.NoError(t, h.CreateExport(ctx, h.Actor, db.Export{
		TokenHash: token, SessionID: s.ID, Format: "pdf", CreatedAt: dbtest.Now, ExpiresAt: dbtest.Now.Add(time.Minute),
	}))
	tenant, other := h.NewTenant(t, "other")

	type ask struct{ tenant, session, document, token string }
	asks := map[string]ask{
		"other tenant": {tenant: tenant.ID, session: s.ID, document: s.Documents[0].ID, token: token},
		"unknown tenant": {
			tenant: "8d1b4b5e-0000-4000-8000-000000000000", session: s.ID, document: s.Documents[0].ID,
			token: token,
		},
		"malformed": {tenant: h.Tenant.ID, session: "' OR 1=1 --", document: "\x00", token: "%"},
		"empty":     {tenant: h.Tenant.ID},
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
			_, err = h.Export(ctx, a.tenant, a.token, dbtest.Now)
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
	_, _, err = h.InsertSession(ctx, access.Actor{Tenant: "nope"}, dbtest.Assess(dbtest.FullSession()), nil, nil)
	require.Equal(t, domain.NotFound, domain.KindOf(err))

	for _, q := range []ledger.SessionQuery{{Limit: 10}, {Limit: 10, Text: "إجازة"}, {Limit: 10, Text: h.Tenant.ID}} {
		rows, next, err := h.Sessions(ctx, other.Tenant, q)
		require.NoError(t, err)
		require.Empty(t, rows)
		require.Empty(t, next)
	}
	home, err := h.Home(ctx, other)
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
	found, err = h.CitedChunks(ctx, h.Tenant.ID, []string{hash})
	require.NoError(t, err)
	require.Len(t, found[hash], 1)
	at := found[hash][0]
	c, err := h.CitedText(ctx, h.Tenant.ID, at)
	require.NoError(t, err)
	require.Equal(t, s.Documents[0].Chunks[0].Text, c.Text)
	_, err = h.CitedText(ctx, other.Tenant, at)
	dbtest.RequireNotFound(t, err)
}

// TestPeopleOfOtherTenants asks for another tenant's members, logins and tokens: the answer is the same as for ids that
// nobody has.
func TestPeopleOfOtherTenants(t *testing.T) {
	p := dbtest.NewPeople(t)
	p.AddPerson(t, p.Tenant, "root", access.Admin)
	u := p.AddPerson(t, p.Tenant, "u", access.Viewer)
	l, k := p.SignIn(t, p.Tenant, u, "l"), p.MakeToken(t, p.Tenant, u, access.Viewer, "k")
	salem := p.AddPerson(t, p.Other, "salem", access.Admin)
	before := p.State(t)
	for name, id := range map[string]struct{ user, login, token string }{
		"other tenant": {u.ID, l.ID, k.ID},
		"unknown": {"8d1b4b5e-0000-4000-8000-000000000000", "8d1b4b5e-0000-4000-8000-000000000000",
			"8d1b4b5e-0000-4000-8000-000000000000"},
		"malformed": {"' OR 1=1 --", "%", dbtest.OddID()},
	} {
		t.Run(name, func(t *testing.T) {
			by := dbtest.As(p.Other, salem, access.Admin)
			for _, err := range []error{
				p.SetRole(p.Ctx, by, id.user, access.Admin),
				p.SetMemberDisabled(p.Ctx, by, id.user, true),
				p.SetPassword(p.Ctx, by, id.user, db.NewPassword{PHC: "phc"}),
				p.SetTOTP(p.Ctx, by, id.user, nil, nil),
				p.EndLogin(p.Ctx, by, id.login),
				p.FreshenLogin(p.Ctx, by, id.login, "hash"),
				p.SwitchTenant(p.Ctx, by, id.login, p.Other.ID),
				p.RevokeToken(p.Ctx, by, id.token),
			} {
				dbtest.RequireNotFound(t, err)
			}
			_, err := p.AddToken(p.Ctx, by, access.Token{
				UserID: id.user, Name: "n", Role: access.Viewer, Hash: "h", ExpiresAt: p.At.Add(1),
			})
			dbtest.RequireKind(t, domain.Invalid,
				err) // nobody makes a token for another person, whether that person exists or not
			require.Equal(t, before, p.State(t))
		})
	}
	members, err := p.Members(p.Ctx, p.Other.ID)
	require.NoError(t, err)
	require.Equal(t, []access.Member{dbtest.Member(salem, access.Admin)}, members)
	tokens, err := p.Tokens(p.Ctx, p.Other.ID)
	require.NoError(t, err)
	require.Empty(t, tokens)
}

// TestTextWithNUL checks that a text with a NUL is looked up in vain or refused, on either engine, and is no fault of
// the store.
func TestTextWithNUL(t *testing.T) {
	p := dbtest.NewPeople(t)
	u := p.AddPerson(t, p.Tenant, "u", access.Admin)
	_, err := p.Session(p.Ctx, p.Tenant.ID, "\x00")
	dbtest.RequireNotFound(t, err)
	for name, err := range map[string]error{
		"RevokeToken": p.RevokeToken(p.Ctx, dbtest.As(p.Tenant, u, access.Admin), "\x00"),
		"SetRole":     p.SetRole(p.Ctx, dbtest.As(p.Tenant, u, access.Admin), "\x00", access.Viewer),
	} {
		require.Contains(t, []domain.Kind{domain.NotFound, domain.Invalid}, domain.KindOf(err), name)
	}
}
