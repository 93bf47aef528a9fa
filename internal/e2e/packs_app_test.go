package e2e

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/cmd/web/demo"
	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/domain/pack"
	"sanad/internal/handlers"
	"sanad/internal/importers"
)

// bureau is an app with several people in one tenant. Its clock can be moved, as a one-time code works only once.
type bureau struct {
	*app
	tenant  db.Tenant
	people  map[string]access.Actor
	cookies map[string]string // of those who are signed in
	packs   map[string]string // newest pack by decision
	later   atomic.Int64
}

// person is somebody of a bureau, with their role there.
type person struct {
	login, name string
	role        access.Role
}

// startPeople serves an app for these people, in the first of the tenants, which are given by short and full name.
func startPeople(t *testing.T, people []person, signedIn bool, tenants ...[2]string) *bureau {
	t.Helper()
	ctx, o := context.Background(), &bureau{people: map[string]access.Actor{}, cookies: map[string]string{}, packs: map[string]string{}}
	o.app = newApp(t, func() time.Time { return today.Add(time.Duration(o.later.Load())) })
	for i, name := range tenants {
		added, err := o.store.AddTenant(ctx, name[0], name[1])
		require.NoError(t, err)
		if i == 0 {
			o.tenant = added
		}
	}
	phc, err := auth.NewHasher(2).Hash(ctx, officePassword)
	require.NoError(t, err)
	for _, p := range people {
		u, err := o.store.AddUser(ctx, access.AtCommandLine(o.tenant.ID), db.User{Login: p.login, Name: p.name, Password: phc}, p.role)
		require.NoError(t, err)
		o.people[p.login] = access.Actor{Tenant: o.tenant.ID, ID: u.ID, User: u.Name, Role: p.role, Human: true}
		if signedIn {
			o.cookies[p.login] = o.device(t, p.login, "", "")
		}
	}
	o.serve(t, handlers.Options{})
	return o
}

// device signs a person in on a device and returns its cookie.
func (o *bureau) device(t *testing.T, login, agent, address string) string {
	t.Helper()
	secret, who := auth.NewSecret(), o.people[login]
	require.NoError(t, o.store.CreateLogin(context.Background(), who, access.Login{
		TokenHash: db.HashToken(secret), UserID: who.ID, TenantID: o.tenant.ID, CreatedAt: o.now(), SeenAt: o.now(),
		FreshAt: o.now(), Agent: agent, Address: address,
	}))
	return secret
}

// startBureau has the demo's decisions and packs, and five people: maryam reads, yousef drafts, sara and nasser
// approve, khalid administers.
func startBureau(t *testing.T) *bureau {
	t.Helper()
	o := startPeople(t, []person{
		{"maryam", "مريم الهاملي", access.Viewer}, {"yousef", "Yousef Al Balushi", access.Reviewer},
		{"sara", "Sara Al Dosari", access.Approver},
		{"nasser", "ناصر الكعبي", access.Approver}, {"khalid", "Khalid Al Marri", access.Admin},
	}, true, [2]string{"fund", "Gulf Development Fund"})
	o.seed(t)
	return o
}

// seed imports what sanad demo imports.
func (o *bureau) seed(t *testing.T) {
	t.Helper()
	ctx := context.Background()
	o.importDemo(t, o.people["yousef"])
	packs := demo.Packs{Store: o.store, Tenant: o.tenant, Drafter: o.people["yousef"], Approver: o.people["sara"]}
	require.NoError(t, packs.Seed(ctx))
	rows, _, err := o.store.Packs(ctx, o.tenant.ID, pack.Query{Limit: 50})
	require.NoError(t, err)
	for _, r := range rows { // newest first
		if o.packs[r.DecisionID] == "" {
			o.packs[r.DecisionID] = r.PackID
		}
	}
}

// broken creates a draft that breaks rules, for a new decision, and returns its id.
func (o *bureau) broken(t *testing.T) string {
	t.Helper()
	ctx, who := context.Background(), o.people["yousef"]
	data, err := demo.FS.ReadFile("decision-tender-reply.json")
	require.NoError(t, err)
	d, _, err := importers.ReadDecision(data)
	require.NoError(t, err)
	d.DecisionID, d.Title = "dec_second_tender", "Submit the bid for tender 2026-90418"
	_, _, err = o.store.AddDecision(ctx, who, d, nil)
	require.NoError(t, err)
	v, err := o.store.CreatePack(ctx, who, d.DecisionID, db.Answering{})
	require.NoError(t, err)
	v, err = o.store.UpdatePack(ctx, who, v.Life.PackID, v.Life.Revision, db.Answering{}, func(k *pack.Content) error {
		m := k.Memo
		m.TitleAR, m.BodyEN = "", strings.Repeat("word ", 601)
		return k.SetMemo(m)
	})
	require.NoError(t, err)
	return v.Life.PackID
}

// as signs the browser in as a person.
func (b *tab) as(o *bureau, login string) { b.t.Helper(); b.setCookie(o.cookies[login]) }

// acknowledge ticks the box of each alarm in the form that approves a pack.
func (b *tab) acknowledge() {
	b.t.Helper()
	const boxes = `document.querySelectorAll("form[action$='/approve'] input[name=acknowledged]")`
	require.NotZero(b.t, eval[int](b, `(`+boxes+`.forEach(x => x.checked = true), `+boxes+`.length)`))
}
