package web_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/webtest"
)

// refusal is a line of the log about a refused request.
type refusal struct {
	Msg, Person, Token, Action, Path, Why string
	Status                                int
	NotLogged                             int `json:"not_logged"`
}

// refusalLines returns what the log says of refusals, and empties it.
func refusalLines(t *testing.T, log *bytes.Buffer) (all []refusal) {
	t.Helper()
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		var line refusal
		require.NoError(t, json.Unmarshal(lines.Bytes(), &line), lines.Text())
		if line.Msg == "refused" {
			all = append(all, line)
		}
	}
	log.Reset()
	return all
}

// Every refusal has a line in the operator's log that names the person by id, the action and the reason, and nothing
// that was sent.
func TestRefusalsAreLogged(t *testing.T) {
	var log bytes.Buffer
	s := webtest.NewServer(t, func(o *web.Options) { o.Log = slog.New(slog.NewJSONHandler(&log, nil)) })
	viewer, admin := s.Person("viewer"), s.Person("admin")
	token := func(k access.Token) (id, secret string) {
		secret = auth.NewToken()
		k.Name, k.Role, k.Hash, k.ExpiresAt = "x", access.Admin, db.HashToken(secret), s.Clock.Now().Add(time.Hour)
		k.UserID = admin.ID
		k, err := s.Store.AddToken(context.Background(), access.AtCommandLine(s.Tenant.ID), k)
		require.NoError(t, err)
		return k.ID, secret
	}
	narrowID, narrow := token(access.Token{Scopes: []access.Scope{access.ScopeRead}})
	_, elsewhere := token(access.Token{Addresses: []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}})
	bearer := func(secret string) []string { return []string{"Authorization", "Bearer " + secret} }
	for name, c := range map[string]struct {
		do   func()
		want refusal
	}{
		"role": {func() { s.As("viewer").Do("GET", "/admin/users?x=secret-of-mine", "") },
			refusal{Person: viewer.ID, Action: "manage_users", Path: "/admin/users", Status: 403, Why: "role"}},
		"scope": {func() { s.As("").Do("GET", "/api/v1/webhooks", "", bearer(narrow)...) },
			refusal{Person: admin.ID, Token: narrowID, Action: "manage_tenant", Path: "/api/v1/webhooks", Status: 403,
				Why: "token_scope"}},
		"address": {func() { s.From("198.51.100.1:9").As("").Do("GET", "/api/v1/webhooks", "", bearer(elsewhere)...) },
			refusal{Person: "anonymous", Action: "manage_tenant", Path: "/api/v1/webhooks", Status: 403,
				Why: "token_elsewhere"}},
		"wrong token": {func() { s.As("").Do("GET", "/api/v1/sessions", "", bearer("secret-of-mine")...) },
			refusal{Person: "anonymous", Action: "read_ledger", Path: "/api/v1/sessions", Status: 401}},
		"another site": {func() { s.As("viewer").Post("/account/devices/end", "", "Sec-Fetch-Site", "cross-site") },
			refusal{Person: "anonymous", Path: "/account/…", Status: 403}},
		"another host": {func() {
			r := webtest.Request("GET", "/sessions", "")
			r.Host = "evil.example"
			s.Serve(r)
		},
			refusal{Person: "anonymous", Path: "/sessions", Status: 421}},
	} {
		t.Run(name, func(t *testing.T) {
			log.Reset()
			s.Clock.Move(time.Minute)
			c.do()
			require.NotContains(t, log.String(), "secret-of-mine")
			c.want.Msg = "refused"
			require.Equal(t, []refusal{c.want}, refusalLines(t, &log))
		})
	}
	s.As("viewer").Do("GET", "/sessions", "")
	s.As("").Do("GET", "/sessions", "")
	s.As("").Do("GET", "/api/v1/sessions", "")
	require.Empty(t, refusalLines(t, &log), "who has not signed in is asked to")
}

// The log takes 10 refusals a minute of one person; the next line says how many it left out.
func TestRefusalsAreSampled(t *testing.T) {
	var log bytes.Buffer
	s := webtest.NewServer(t, func(o *web.Options) { o.Log = slog.New(slog.NewJSONHandler(&log, nil)) })
	s.Person("viewer")
	s.Person("reviewer")
	for range 25 {
		s.As("viewer").Do("GET", "/admin/users", "")
	}
	require.Len(t, refusalLines(t, &log), 10)
	s.As("reviewer").Do("GET", "/admin/users", "")
	lines := refusalLines(t, &log)
	require.Len(t, lines, 1, "another person")
	require.Equal(t, 15, lines[0].NotLogged)
}
