package interop

import (
	"context"
	"io"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/keys"
	"sanad/internal/openfga"
)

// office is a real store with people in two tenants, and a real OpenFGA server with their roles.
type office struct {
	fga    *fgaServer
	store  *db.Store
	asks   *openfga.Authorizer
	config openfga.Config
	here   string // tenant with one user of each role
	there  string // another
	people map[access.Role]db.User
}

func newOffice(t testing.TB) *office {
	t.Helper()
	ctx := context.Background()
	o := &office{fga: startOpenFGA(t), people: map[access.Role]db.User{}}
	o.config = openfga.Config{URL: o.fga.url, Token: fgaKey}
	var err error
	o.config.Store, o.config.Model, err = openfga.Init(ctx, o.config, "sanad")
	require.NoError(t, err)
	o.asks, err = openfga.New(o.config)
	require.NoError(t, err)
	box, err := keys.New(make([]byte, keys.MasterSize))
	require.NoError(t, err)
	o.store, err = db.Open(ctx, db.Options{Dir: dbtest.Dir(t), Now: time.Now, NewID: uuid.NewString, Keys: box,
		RolesChanged: o.asks.Changed})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, o.store.Close()) })
	o.here, o.there = o.tenant(t, "here"), o.tenant(t, "there")
	for _, role := range access.Roles {
		o.people[role] = o.user(t, o.here, string(role), role)
	}
	require.NoError(t, o.asks.Reconcile(ctx, o.store))
	return o
}

func (o *office) tenant(t testing.TB, slug string) string {
	t.Helper()
	made, err := o.store.EnsureTenant(context.Background(), slug, slug)
	require.NoError(t, err)
	return made.ID
}

func (o *office) user(t testing.TB, tenant, login string, role access.Role) db.User {
	t.Helper()
	u := db.User{Login: login, Name: "Person " + login, Password: "x"}
	u, err := o.store.AddUser(context.Background(), access.AtCommandLine(tenant), u, role)
	require.NoError(t, err)
	return u
}

// actor returns the user with this role as an actor.
func (o *office) actor(role access.Role) access.Actor {
	return access.Actor{Tenant: o.here, ID: o.people[role].ID, Role: role, Human: true}
}

func (o *office) may(t testing.TB, who access.Actor, what access.Action, on access.Object) bool {
	t.Helper()
	may, err := o.asks.Allowed(context.Background(), who, what, on)
	require.NoError(t, err)
	return may
}

// objects returns an object of each kind that routes use, and of kinds without a rule in the model.
func objects(tenant string) []access.Object {
	out := []access.Object{{}, {Kind: "tenant", ID: tenant}}
	for _, kind := range []string{"session", "document", "evidence_pack", "user", "token"} {
		out = append(out, access.Object{Kind: kind, ID: uuid.NewString()})
	}
	return out
}

// TestOpenFGA tests a real OpenFGA server with a real store whose roles are copied to it.
func TestOpenFGA(t *testing.T) {
	Need(t, "go")
	o := newOffice(t)
	for _, c := range []struct {
		name string
		do   func(*testing.T)
	}{
		{"agrees with the roles", o.agrees},
		{"another tenant is closed", o.anotherTenant},
		{"the role in the database caps", o.caps},
		{"an operator's stricter model is obeyed", o.stricter},
		{"a role change arrives", o.roleChange},
		{"who is disabled has no role", o.disabled},
		{"a machine's token has a role until it ends", o.machine},
		{"a nudge is enough", o.nudge},
		{"many users", o.many},
		{"init again changes nothing", o.initAgain},
		{"a wrong key is no", o.wrongKey},
		{"down, and up again", o.down},
	} {
		if !t.Run(c.name, c.do) {
			return // the next ones depend on it
		}
	}
}

// agrees checks every combination of action, role and kind of object: the answer must equal the built-in Authorizer's.
// It asks once as the user, and once claiming the role admin, so that OpenFGA alone decides.
func (o *office) agrees(t *testing.T) {
	asked := 0
	for _, role := range access.Roles {
		for _, what := range append(access.Actions(), access.Public, "unknown") {
			for _, on := range objects(o.here) {
				who := o.actor(role)
				want, err := access.ByRole{}.Allowed(context.Background(), who, what, on)
				require.NoError(t, err)
				require.Equal(t, want, o.may(t, who, what, on), "%s %s %s", role, what, on.Kind)
				who.Role = access.Admin
				require.Equal(t, want, o.may(t, who, what, on), "OpenFGA alone: %s %s %s", role, what, on.Kind)
				asked += 2
			}
		}
	}
	t.Logf("%d answers agree", asked)
}

// anotherTenant checks that a role in one tenant is worth nothing in another, whatever an actor claims.
func (o *office) anotherTenant(t *testing.T) {
	stranger := o.user(t, o.there, "stranger", access.Admin)
	require.NoError(t, o.asks.Reconcile(context.Background(), o.store))
	for _, what := range access.Actions() {
		for _, on := range append(objects(o.here), objects(o.there)...) {
			out := access.Actor{Tenant: o.there, ID: o.people[access.Admin].ID, Role: access.Admin, Human: true}
			require.False(t, o.may(t, out, what, on), "our admin there: %s %s", what, on.Kind)
			in := access.Actor{Tenant: o.here, ID: stranger.ID, Role: access.Admin, Human: true}
			require.False(t, o.may(t, in, what, on), "their admin here: %s %s", what, on.Kind)
		}
		require.False(t, o.may(t, access.AtCommandLine(o.here), what, access.Object{}),
			"the operator has no role over HTTP")
	}
}

// caps checks that a token has the lower of its own role and its person's, and that a demotion takes effect before it
// is written to OpenFGA.
func (o *office) caps(t *testing.T) {
	token := o.actor(access.Admin)
	token.Token, token.Role = uuid.NewString(), access.Viewer
	for _, what := range access.Actions() {
		want, _ := access.ByRole{}.Allowed(context.Background(), token, what, access.Object{})
		require.Equal(t, want, o.may(t, token, what, access.Object{}), "%s", what)
	}
}

// stricter checks that OpenFGA's decision counts: a model that excludes people from a session is obeyed.
func (o *office) stricter(t *testing.T) {
	model := o.fga.writeStricterModel(t, o.config.Store, "session", "can_read_ledger")
	config := o.config
	config.Model = model
	strict, err := openfga.New(config)
	require.NoError(t, err)
	blocked, open := access.Object{Kind: "session", ID: uuid.NewString()}, access.Object{Kind: "session",
		ID: uuid.NewString()}
	o.fga.writeTuple(t, o.config.Store, model, "user:"+o.people[access.Admin].ID, "blocked", "session:"+blocked.ID)
	for _, c := range []struct {
		role access.Role
		on   access.Object
		may  bool
	}{{access.Admin, blocked, false}, {access.Admin, open, true}, {access.Viewer, blocked, true}} {
		may, err := strict.Allowed(context.Background(), o.actor(c.role), access.ReadLedger, c.on)
		require.NoError(t, err)
		require.Equal(t, c.may, may, "%+v", c)
	}
}

// roleChange promotes and demotes a user with the store's own method.
func (o *office) roleChange(t *testing.T) {
	ctx := context.Background()
	id := o.people[access.Viewer].ID
	for _, c := range []struct {
		role access.Role
		may  bool
	}{{access.Approver, true}, {access.Viewer, false}} {
		require.NoError(t, o.store.SetRole(ctx, access.AtCommandLine(o.here), id, c.role))
		asNow := access.Actor{Tenant: o.here, ID: id, Role: c.role, Human: true}
		require.False(t, o.may(t, asNow, access.ReviewClaim, access.Object{}),
			"no more is allowed before the role is in both places")
		require.NoError(t, o.asks.Reconcile(ctx, o.store))
		require.Equal(t, c.may, o.may(t, asNow, access.ReviewClaim, access.Object{}))
		require.True(t, o.may(t, asNow, access.ReadLedger, access.Object{}))
	}
}

func (o *office) disabled(t *testing.T) {
	ctx := context.Background()
	id := o.people[access.Reviewer].ID
	set := map[string]func(bool) error{
		"here": func(off bool) error {
			return o.store.SetMemberDisabled(ctx, access.AtCommandLine(o.here), id, off)
		},
		"everywhere": func(off bool) error {
			return o.store.SetUserDisabled(ctx, access.AtCommandLine(o.here), id, off)
		},
	}
	for where, disable := range set {
		for _, off := range []bool{true, false} {
			require.NoError(t, disable(off))
			require.NoError(t, o.asks.Reconcile(ctx, o.store))
			require.Equal(t, !off, o.may(t, o.actor(access.Reviewer), access.ReviewClaim, access.Object{}), where)
		}
	}
}

func (o *office) machine(t *testing.T) {
	ctx := context.Background()
	by := access.AtCommandLine(o.here)
	token, err := o.store.AddToken(ctx, by, access.Token{Name: "import", Role: access.Reviewer, Hash: "machine",
		ExpiresAt: time.Now().Add(time.Hour)})
	require.NoError(t, err)
	require.NoError(t, o.asks.Reconcile(ctx, o.store))
	who := access.Actor{Tenant: o.here, ID: token.ID, Role: access.Reviewer, Token: token.ID}
	require.True(t, o.may(t, who, access.ImportLedger, access.Object{}))
	require.False(t, o.may(t, who, access.ManageUsers, access.Object{}))
	require.NoError(t, o.store.RevokeToken(ctx, by, token.ID))
	require.NoError(t, o.asks.Reconcile(ctx, o.store))
	require.False(t, o.may(t, who, access.ImportLedger, access.Object{}))
}

// nudge makes Follow act on a change in the store without waiting a minute.
func (o *office) nudge(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		o.asks.Follow(ctx, o.store, slog.New(slog.NewTextHandler(io.Discard, nil)))
	}()
	u := o.user(t, o.here, "late", access.Reviewer)
	who := access.Actor{Tenant: o.here, ID: u.ID, Role: access.Reviewer, Human: true}
	require.Eventually(t, func() bool { return o.may(t, who, access.ReviewClaim, access.Object{}) }, 20*time.Second,
		20*time.Millisecond)
	require.NoError(t, o.store.SetMemberDisabled(ctx, access.AtCommandLine(o.here), u.ID, true))
	require.Eventually(t, func() bool { return !o.may(t, who, access.ReviewClaim, access.Object{}) }, 20*time.Second,
		20*time.Millisecond)
	cancel()
	<-done
}

// many writes more tuples than fit into one page of a read or one transaction of a write.
func (o *office) many(t *testing.T) {
	ctx := context.Background()
	tenant := o.tenant(t, "large")
	var users []db.User
	for range 130 {
		users = append(users, o.user(t, tenant, "u"+uuid.NewString()[:8], access.Viewer))
	}
	allAre := func(role access.Role) {
		require.NoError(t, o.asks.Reconcile(ctx, o.store))
		for _, u := range users {
			who := access.Actor{Tenant: tenant, ID: u.ID, Role: access.Admin, Human: true}
			require.True(t, o.may(t, who, access.ReadLedger, access.Object{}))
			require.Equal(t, role == access.Reviewer, o.may(t, who, access.ReviewClaim, access.Object{}))
			require.False(t, o.may(t, who, access.ManageUsers, access.Object{}))
		}
	}
	allAre(access.Viewer)
	for _, u := range users {
		require.NoError(t, o.store.SetRole(ctx, access.AtCommandLine(tenant), u.ID, access.Reviewer))
	}
	allAre(access.Reviewer)
}

func (o *office) initAgain(t *testing.T) {
	config := o.config
	config.Model = ""
	store, model, err := openfga.Init(context.Background(), config, "sanad")
	require.NoError(t, err)
	require.Equal(t, config.Store, store)
	again, err := openfga.New(openfga.Config{URL: config.URL, Token: config.Token, Store: store}) // newest model
	require.NoError(t, err)
	may, err := again.Allowed(context.Background(), o.actor(access.Viewer), access.ReadLedger, access.Object{})
	require.NoError(t, err)
	require.True(t, may)
	_, model2, err := openfga.Init(context.Background(), config, "sanad")
	require.NoError(t, err)
	require.Equal(t, model, model2)
}

func (o *office) wrongKey(t *testing.T) {
	config := o.config
	config.Token = "wrong"
	a, err := openfga.New(config)
	require.NoError(t, err)
	may, err := a.Allowed(context.Background(), o.actor(access.Admin), access.ReadLedger, access.Object{})
	require.ErrorContains(t, err, "401")
	require.False(t, may)
	require.Error(t, a.Reconcile(context.Background(), o.store))
	require.Error(t, a.Ready(context.Background()))
}

// down checks that while the server is killed everything is denied and Ready reports it, and that a
// restart restores everything.
func (o *office) down(t *testing.T) {
	ctx := context.Background()
	require.NoError(t, o.asks.Ready(ctx))
	o.fga.kill(t)
	for _, role := range access.Roles {
		for _, what := range access.Actions() {
			may, _ := o.asks.Allowed(ctx, o.actor(role), what, access.Object{Kind: "session", ID: uuid.NewString()})
			require.False(t, may, "%s %s", role, what)
		}
	}
	_, err := o.asks.Allowed(ctx, o.actor(access.Admin), access.ReadLedger, access.Object{})
	require.Error(t, err)
	require.Equal(t, domain.Unavailable, domain.KindOf(o.asks.Ready(ctx)))
	require.Error(t, o.asks.Reconcile(ctx, o.store))
	o.fga.start(t)
	require.Error(t, o.asks.Ready(ctx), "not ready until the roles are written")
	require.NoError(t, o.asks.Reconcile(ctx, o.store))
	require.NoError(t, o.asks.Ready(ctx))
	o.agrees(t)
}
