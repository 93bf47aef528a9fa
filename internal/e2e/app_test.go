package e2e

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/cmd/web/demo"
	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/handlers"
	"sanad/internal/importers"
)

// app is the whole product in this process, on a fresh database that holds the demo sessions.
type app struct {
	url      string
	store    *db.Store
	actor    domain.Actor
	sessions map[string]string // by demo file
}

// today is fixed, so that ages and dates are the same in every run.
var today = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

func startApp(t *testing.T) *app {
	t.Helper()
	ctx := context.Background()
	store, err := db.Open(ctx, db.Options{Dir: t.TempDir(), Now: func() time.Time { return today }, NewID: uuid.NewString})
	require.NoError(t, err)
	tenant, err := store.EnsureTenant(ctx, "main", "Main")
	require.NoError(t, err)
	a := &app{store: store, actor: domain.Actor{Tenant: tenant.ID, User: "local", Role: domain.Admin}, sessions: map[string]string{}}
	for _, name := range demo.Files {
		data, err := demo.FS.ReadFile(name)
		require.NoError(t, err)
		read, err := importers.Read(data, importers.Options{})
		require.NoError(t, err)
		in := handlers.Intake{Store: store, Actor: a.actor, Now: today, NewID: uuid.NewString}
		taken, err := in.Take(ctx, read, nil)
		require.NoError(t, err)
		a.sessions[name] = taken.SessionID
	}
	srv := httptest.NewServer(handlers.New(handlers.Options{
		Store: store, Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Now: func() time.Time { return today }, NewID: uuid.NewString, Actor: a.actor,
	}))
	t.Cleanup(func() {
		srv.Close()
		require.NoError(t, store.Close())
	})
	a.url = srv.URL
	return a
}

// session gives the path of a demo session.
func (a *app) session(name string) string { return "/sessions/" + a.sessions[name] }

// get fetches a page as a browser without JavaScript would.
func (a *app) get(t *testing.T, path string) (*http.Response, string) {
	t.Helper()
	res, err := http.Get(a.url + path) //nolint:gosec,noctx // our own server on loopback
	require.NoError(t, err)
	defer res.Body.Close() //nolint:errcheck // only read
	body, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return res, string(body)
}
