package e2e

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/cmd/web/demo"
	sanadapp "sanad/internal/app"
	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/handlers"
	"sanad/internal/importers"
	"sanad/internal/keys"
	"sanad/internal/lake"
)

// app is the whole product in this process, with a new database and the demo sessions.
type app struct {
	queued   int // number of queued jobs, see queue
	url      string
	dir      string // has the data folder, the lake and the checkpoints
	store    *db.Store
	lake     *lake.Lake
	actor    domain.Actor
	cookie   *http.Cookie // of the signed-in user
	keys     *keys.Box
	sessions map[string]string // by demo file
	newID    func() string
	down     atomic.Bool // the server drops every connection
}

// ids returns the same ids in every run, because lists order rows of the same moment by id.
func ids() func() string {
	var n atomic.Int64
	return func() string { return uuid.NewSHA1(uuid.NameSpaceOID, strconv.AppendInt(nil, n.Add(1), 10)).String() }
}

// today is fixed, so that ages and dates are the same in every run.
var today = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

func startApp(t *testing.T) *app {
	t.Helper()
	ctx, newID := context.Background(), ids()
	box, err := keys.New(make([]byte, keys.MasterSize))
	require.NoError(t, err)
	dir := dbtest.Dir(t)
	store, err := db.Open(ctx, db.Options{Dir: dir, Database: dbtest.Database(dir), Now: func() time.Time { return today }, NewID: newID, Keys: box})
	require.NoError(t, err)
	tenant, err := store.EnsureTenant(ctx, "main", "Main")
	require.NoError(t, err)
	artifacts, err := lake.Open(ctx, "", t.TempDir())
	require.NoError(t, err)
	a := &app{dir: filepath.Dir(dir), store: store, lake: artifacts, sessions: map[string]string{}, newID: newID,
		keys: box}
	a.signIn(t, tenant.ID, domain.Admin)
	for _, name := range demo.Files {
		data, err := demo.FS.ReadFile(name)
		require.NoError(t, err)
		read, err := importers.Read(data, importers.Options{})
		require.NoError(t, err)
		in := sanadapp.Importer{Store: store, Actor: a.actor, Now: today, NewID: newID}
		taken, err := in.Import(ctx, read, nil)
		require.NoError(t, err)
		a.sessions[name] = taken.SessionID
	}
	whole := handlers.New(handlers.Options{
		Store: store, Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Now: func() time.Time { return today },
		NewID: newID,
		Keys:  box, Hasher: auth.NewHasher(1), Authorizer: access.ByRole{}, Lake: artifacts, Gallery: true,
		ModelTest: handlers.ModelTest{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}, // of the server that plays a model
	})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if a.down.Load() {
			panic(http.ErrAbortHandler)
		}
		whole.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		srv.Close()
		require.NoError(t, artifacts.Close())
		require.NoError(t, store.Close())
	})
	a.url = srv.URL
	return a
}

// signIn creates a user with a role, and signs in without the login page.
func (a *app) signIn(t *testing.T, tenant string, role domain.Role) {
	t.Helper()
	a.actor = domain.Actor{Tenant: tenant}
	m := a.member(t, string(role), "Noura Al-Harbi", role)
	a.actor, a.cookie = m.Actor, &http.Cookie{Name: "sanad", Value: m.cookie}
}

// member is a user of the app's tenant, with their browser's cookie.
type member struct {
	domain.Actor
	cookie string
}

// member creates a user and signs in.
func (a *app) member(t *testing.T, login, name string, role domain.Role) member {
	t.Helper()
	ctx, tenant, secret := context.Background(), a.actor.Tenant, auth.NewSecret()
	hash, err := auth.NewHasher(1).Hash(ctx, password)
	require.NoError(t, err)
	u, err := a.store.AddUser(ctx, domain.AtCommandLine(tenant), db.User{Login: login, Name: name, Password: hash},
		role)
	require.NoError(t, err)
	m := member{domain.Actor{Tenant: tenant, ID: u.ID, User: u.Name, Role: role, Human: true}, secret}
	require.NoError(t, a.store.CreateLogin(ctx, m.Actor,
		access.Login{TokenHash: db.HashToken(secret), UserID: u.ID, TenantID: tenant, FreshAt: today}))
	return m
}

// send posts a form as a user and requires success.
func (a *app) send(t *testing.T, as member, path string, form url.Values) {
	t.Helper()
	theirs := &app{url: a.url, cookie: &http.Cookie{Name: "sanad", Value: as.cookie}}
	res, body := theirs.do(t, http.MethodPost, path, form.Encode())
	require.Equal(t, http.StatusOK, res.StatusCode, "%s: %s", path, body) // of the page that it redirects to
}

// password is the password of every user of these tests.
const password = "correct horse battery"

// do sends a request as the signed-in user.
func (a *app) do(t *testing.T, method, path, form string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(context.Background(), method, a.url+path, strings.NewReader(form))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.AddCookie(a.cookie)
	client := http.Client{CheckRedirect: func(r *http.Request, _ []*http.Request) error {
		r.AddCookie(a.cookie)
		return nil
	}}
	res, err := client.Do(req)
	require.NoError(t, err)
	defer res.Body.Close() //nolint:errcheck // only read
	body, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return res, string(body)
}

// session returns the path of a demo session.
func (a *app) session(name string) string { return "/sessions/" + a.sessions[name] }

// get requests a page like a browser without JavaScript.
func (a *app) get(t *testing.T, path string) (*http.Response, string) {
	t.Helper()
	return a.do(t, http.MethodGet, path, "")
}
