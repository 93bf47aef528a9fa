package e2e

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
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
	store    *db.Store
	lake     *lake.Lake
	actor    access.Actor
	cookie   *http.Cookie // of the signed-in user
	keys     *keys.Box
	sessions map[string]string // by demo file
	newID    func() string
	now      func() time.Time
	down     atomic.Bool // the server drops every connection
}

// ids returns the same ids in every run, because lists order rows of the same moment by id.
func ids() func() string {
	var n atomic.Int64
	return func() string { return uuid.NewSHA1(uuid.NameSpaceOID, strconv.AppendInt(nil, n.Add(1), 10)).String() }
}

// today is fixed, so that ages and dates are the same in every run.
var today = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

// newApp opens a new store whose clock now reads.
func newApp(t *testing.T, now func() time.Time) *app {
	t.Helper()
	newID := ids()
	box, err := keys.New(make([]byte, keys.MasterSize))
	require.NoError(t, err)
	dir := dbtest.Dir(t)
	store, err := db.Open(context.Background(), db.Options{Dir: dir, Database: dbtest.Database(dir), Now: now, NewID: newID, Keys: box})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	return &app{store: store, sessions: map[string]string{}, newID: newID, keys: box, now: now}
}

// serve serves the app with these options and those that all have.
func (a *app) serve(t *testing.T, o handlers.Options) {
	t.Helper()
	o.Store, o.Log, o.Now, o.NewID, o.Keys = a.store, slog.New(slog.NewTextHandler(io.Discard, nil)), a.now, a.newID, a.keys
	o.Hasher, o.Authorizer, o.Lake = auth.NewHasher(2), access.ByRole{}, a.lake
	whole := handlers.New(o)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if a.down.Load() {
			panic(http.ErrAbortHandler)
		}
		whole.ServeHTTP(w, r)
	}))
	t.Cleanup(srv.Close)
	a.url = srv.URL
}

// importAs stores what a file holds as a person's import, and returns the path of its session.
func (a *app) importAs(t *testing.T, who access.Actor, file, data string) string {
	t.Helper()
	read, err := importers.Read([]byte(data), importers.Options{})
	require.NoError(t, err)
	return a.importRead(t, who, file, read)
}

// importRead stores a session that was read.
func (a *app) importRead(t *testing.T, who access.Actor, file string, read *importers.Result) string {
	t.Helper()
	taken, err := sanadapp.Importer{Store: a.store, Actor: who, Now: a.now(), NewID: a.newID, File: file}.Import(context.Background(), read, nil)
	require.NoError(t, err)
	return "/sessions/" + taken.SessionID
}

// importDemo imports the demo's sessions as a person.
func (a *app) importDemo(t *testing.T, who access.Actor) {
	t.Helper()
	for _, name := range demo.Files {
		data, err := demo.FS.ReadFile(name)
		require.NoError(t, err)
		a.sessions[name] = strings.TrimPrefix(a.importAs(t, who, "", string(data)), "/sessions/")
	}
}

func startApp(t *testing.T) *app {
	t.Helper()
	a := newApp(t, func() time.Time { return today })
	tenant, err := a.store.EnsureTenant(context.Background(), "main", "Main")
	require.NoError(t, err)
	a.lake, err = lake.Open(context.Background(), "", t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, a.lake.Close()) })
	a.signIn(t, tenant.ID, access.Admin)
	a.importDemo(t, a.actor)
	a.serve(t, handlers.Options{Gallery: true,
		ModelTest: handlers.ModelTest{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}}) // of the server that plays a model
	return a
}

// signIn creates a user with a role, and signs in without the login page.
func (a *app) signIn(t *testing.T, tenant string, role access.Role) {
	t.Helper()
	a.actor = access.Actor{Tenant: tenant}
	m := a.member(t, string(role), "Noura Al-Harbi", role)
	a.actor, a.cookie = m.Actor, &http.Cookie{Name: "sanad", Value: m.cookie}
}

// member is a user of the app's tenant, with their browser's cookie.
type member struct {
	access.Actor
	cookie string
}

// member creates a user and signs in.
func (a *app) member(t *testing.T, login, name string, role access.Role) member {
	t.Helper()
	ctx, tenant, secret := context.Background(), a.actor.Tenant, auth.NewSecret()
	hash, err := auth.NewHasher(1).Hash(ctx, password)
	require.NoError(t, err)
	u, err := a.store.AddUser(ctx, access.AtCommandLine(tenant), db.User{Login: login, Name: name, Password: hash},
		role)
	require.NoError(t, err)
	m := member{access.Actor{Tenant: tenant, ID: u.ID, User: u.Name, Role: role, Human: true}, secret}
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

// postFile posts a form with a file in a field, as postBody does.
func (a *app) postFile(t *testing.T, cookie, path, field, name, content string, form url.Values) (to, page string) {
	t.Helper()
	var body bytes.Buffer
	m := multipart.NewWriter(&body)
	for key := range form {
		require.NoError(t, m.WriteField(key, form.Get(key)))
	}
	part, err := m.CreateFormFile(field, name)
	require.NoError(t, err)
	_, err = io.WriteString(part, content)
	require.NoError(t, err)
	require.NoError(t, m.Close())
	return a.postBody(t, cookie, path, m.FormDataContentType(), &body)
}

// postBody posts a body as whoever has a cookie, and returns where the answer leads to, or its page.
func (a *app) postBody(t *testing.T, cookie, path, kind string, body io.Reader) (to, page string) {
	t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), http.MethodPost, a.url+path, body)
	require.NoError(t, err)
	r.Header.Set("Content-Type", kind)
	r.AddCookie(&http.Cookie{Name: "sanad", Value: cookie})
	res, err := http.DefaultTransport.RoundTrip(r)
	require.NoError(t, err)
	defer res.Body.Close() //nolint:errcheck // only read
	data, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return res.Header.Get("Location"), string(data)
}

// session returns the path of a demo session.
func (a *app) session(name string) string { return "/sessions/" + a.sessions[name] }

// get requests a page like a browser without JavaScript.
func (a *app) get(t *testing.T, path string) (*http.Response, string) {
	t.Helper()
	return a.do(t, http.MethodGet, path, "")
}
