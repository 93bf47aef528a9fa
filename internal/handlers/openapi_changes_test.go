package handlers_test

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/auth"
	"sanad/internal/domain/access"
	"sanad/internal/handlers/webtest"
)

// seeFactorAsked asks to switch the requirement of a second factor off, which waits for the second administrator.
func seeFactorAsked(t *testing.T, w *webtest.World, seen map[string]bool) {
	t.Helper()
	ctx, operator, admin := context.Background(), access.AtCommandLine(w.Tenant.ID), w.Person("admin").ID
	sealed, err := w.Keys.Seal("totp/"+admin, auth.NewTOTP())
	require.NoError(t, err)
	require.NoError(t, w.Store.SetTOTP(ctx, access.Actor{Tenant: w.Tenant.ID, ID: admin, Role: access.Admin, Human: true},
		admin, sealed, []string{auth.HashRecovery("once")}))
	require.NoError(t, w.Store.SetSecondFactor(ctx, operator, true))
	see(w, seen, call{who: "admin", method: "PUT", path: "/second-factor",
		body: `{"required":false,"reason":"Too slow.","code":"once","password":"` + webtest.Password + `"}`})
	require.NoError(t, w.Store.SetSecondFactor(ctx, operator, false))
	require.NoError(t, w.Store.SetTOTP(ctx, operator, admin, nil, nil))
}

// seeChanges asks, in a tenant with two administrators, for every change that the API can make, and decides them in
// each way.
func seeChanges(t *testing.T, w *webtest.World, seen map[string]bool) {
	t.Helper()
	w.AddPerson("second", w.Tenant.ID, access.Admin)
	const password = `"password":"` + webtest.Password + `"}`
	see(w, seen, call{who: "admin", method: "GET", path: "/second-factor"})
	see(w, seen, call{who: "admin", method: "PUT", path: "/second-factor", body: `{"required":false,` + password})
	see(w, seen, call{who: "admin", method: "GET", path: "/second-admin"})
	seeFactorAsked(t, w, seen)
	asked := func(c call) string { return webtest.Between(see(w, seen, c), `"change_id":"`, `"`) }

	policy := strings.Replace(anyPolicy(t), `"bulk_confirms_all":true`, `"bulk_confirms_all":false`, 1)
	id := asked(call{who: "admin", method: "PUT", path: "/policy?reason=Agreed", body: policy, headers: []string{"If-Match", "*"}})
	see(w, seen, call{who: "second", method: "GET", path: "/changes"})
	require.Contains(t, see(w, seen, call{who: "second", method: "GET", path: "/changes/" + id}), `"bulk_confirms_all":false`)
	see(w, seen, call{who: "second", method: "POST", path: "/changes/" + id + "/confirm", body: "{" + password})
	require.Contains(t, see(w, seen, call{who: "viewer", method: "GET", path: "/policy"}), `"bulk_confirms_all":false`)

	id = asked(call{who: "admin", method: "PUT", path: "/retention",
		body: `{"periods":[{"kind":"bundle","days":3000}],"reason":"Agreed."}`})
	require.Contains(t, see(w, seen, call{who: "second", method: "GET", path: "/changes/" + id}), `"days":{"bundle":3000}`)
	see(w, seen, call{who: "second", method: "POST", path: "/changes/" + id + "/confirm", body: "{" + password})
	require.Contains(t, see(w, seen, call{who: "admin", method: "GET", path: "/retention"}), `{"kind":"bundle","days":3000}`)

	const hold = `{"kind":"session","id":"{session}","reason":"A case.","held":`
	see(w, seen, call{who: "admin", method: "POST", path: "/legal-holds", body: hold + "true}"})
	id = asked(call{who: "admin", method: "POST", path: "/legal-holds", body: hold + "false}"})
	see(w, seen, call{who: "second", method: "POST", path: "/changes/" + id + "/refuse"})
	see(w, seen, call{who: "admin", method: "POST", path: "/packs/{next}/hold", body: `{"reason":"A case."}`})
	id = asked(call{who: "admin", method: "POST", path: "/packs/{next}/hold/lift", body: `{"reason":"Settled."}`})
	see(w, seen, call{who: "admin", method: "POST", path: "/changes/" + id + "/withdraw"})
}

// A request that repeats its Idempotency-Key gets the same request for a change again.
func TestAskedChangeIsReplayed(t *testing.T) {
	s := webtest.NewServer(t)
	s.AddPerson("second", s.Tenant.ID, access.Admin)
	ask := func() *httptest.ResponseRecorder {
		return s.Do("POST", "/api/v1/invitations", `{"login":"guest","role":"approver","reason":"x","password":"`+webtest.Password+`"}`,
			"Idempotency-Key", "k")
	}
	first, again := ask(), ask()
	require.Equal(t, 202, first.Code, first.Body.String())
	require.Equal(t, "true", again.Header().Get("Idempotent-Replayed"))
	require.JSONEq(t, first.Body.String(), again.Body.String())
	require.Equal(t, first.Header().Get("Location"), again.Header().Get("Location"))
}
