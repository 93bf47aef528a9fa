package e2e

import (
	"context"
	"io"
	"log/slog"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/cmd/web/demo"
	sanadapp "sanad/internal/app"
	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/pack"
	"sanad/internal/handlers"
	"sanad/internal/importers"
	"sanad/internal/keys"
)

// bureau is an app with the demo's decisions and packs, and five people: maryam reads, yousef drafts, sara and nasser
// approve, khalid administers.
type bureau struct {
	*app
	tenant  db.Tenant
	people  map[string]domain.Actor
	cookies map[string]string
	packs   map[string]string // newest pack by decision
	later   atomic.Int64
}

func (o *bureau) now() time.Time { return today.Add(time.Duration(o.later.Load())) }

var bureauPeople = []struct {
	login, name string
	role        domain.Role
}{
	{"maryam", "مريم الهاملي", domain.Viewer}, {"yousef", "Yousef Al Balushi", domain.Reviewer},
	{"sara", "Sara Al Dosari", domain.Approver},
	{"nasser", "ناصر الكعبي", domain.Approver}, {"khalid", "Khalid Al Marri", domain.Admin},
}

func startBureau(t *testing.T) *bureau {
	t.Helper()
	ctx, o := context.Background(), &bureau{people: map[string]domain.Actor{}, cookies: map[string]string{},
		packs: map[string]string{}}
	box, err := keys.New(make([]byte, keys.MasterSize))
	newID := ids()
	require.NoError(t, err)
	dir := dbtest.Dir(t)
	store, err := db.Open(ctx, db.Options{Dir: dir, Database: dbtest.Database(dir), Now: o.now, NewID: newID, Keys: box})
	require.NoError(t, err)
	o.app = &app{store: store, sessions: map[string]string{}, newID: newID}
	o.tenant, err = store.AddTenant(ctx, "fund", "Gulf Development Fund")
	require.NoError(t, err)
	hasher := auth.NewHasher(2)
	phc, err := hasher.Hash(ctx, officePassword)
	require.NoError(t, err)
	for _, p := range bureauPeople {
		u, err := store.AddUser(ctx, domain.AtCommandLine(o.tenant.ID),
			db.User{Login: p.login, Name: p.name, Password: phc}, p.role)
		require.NoError(t, err)
		o.people[p.login] = domain.Actor{Tenant: o.tenant.ID, ID: u.ID, User: u.Name, Role: p.role, Human: true}
		secret := auth.NewSecret()
		require.NoError(t, store.CreateLogin(ctx, o.people[p.login], access.Login{
			TokenHash: db.HashToken(secret), UserID: u.ID, TenantID: o.tenant.ID, CreatedAt: o.now(), SeenAt: o.now(),
			FreshAt: o.now(),
		}))
		o.cookies[p.login] = secret
	}
	srv := httptest.NewServer(handlers.New(handlers.Options{
		Store: store, Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Now: o.now, NewID: newID,
		Keys: box, Hasher: hasher, Authorizer: access.ByRole{},
	}))
	t.Cleanup(func() {
		srv.Close()
		require.NoError(t, store.Close())
	})
	o.url = srv.URL
	o.seed(t)
	return o
}

// seed imports what sanad demo imports.
func (o *bureau) seed(t *testing.T) {
	t.Helper()
	ctx := context.Background()
	for _, name := range demo.Files {
		data, err := demo.FS.ReadFile(name)
		require.NoError(t, err)
		read, err := importers.Read(data, importers.Options{})
		require.NoError(t, err)
		in := sanadapp.Importer{Store: o.store, Actor: o.people["yousef"], Now: o.now(), NewID: o.newID}
		taken, err := in.Import(ctx, read, nil)
		require.NoError(t, err)
		o.sessions[name] = taken.SessionID
	}
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
