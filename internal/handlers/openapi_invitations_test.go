package handlers_test

import (
	"testing"

	"sanad/internal/domain/access"
	"sanad/internal/handlers/webtest"
)

// seeInvitations withdraws one invitation, has one declined and another accepted, and asks for one that needs a second
// administrator.
func seeInvitations(t *testing.T, w *webtest.World, seen map[string]bool) {
	t.Helper()
	const password = `"password":"` + webtest.Password + `"}`
	invite := func(who, role string) string {
		w.AddPerson(who, w.Other.ID, access.Viewer)
		body := see(w, seen, call{who: "admin", method: "POST", path: "/invitations",
			body: `{"login":"` + who + `","role":"` + role + `","reason":"Agreed.",` + password})
		return webtest.Between(body, `_id":"`, `"`)
	}
	see(w, seen, call{who: "admin", method: "DELETE", path: "/invitations/" + invite("guest1", "viewer")})
	id := invite("guest2", "viewer")
	see(w, seen, call{who: "admin", method: "GET", path: "/invitations"})
	link := func(role string) {
		see(w, seen, call{who: "admin", method: "POST", path: "/invitations/link",
			body: `{"role":"` + role + `","name":"Noura","reason":"Agreed.",` + password})
	}
	link("auditor")
	see(w, seen, call{who: "guest2", method: "POST", path: "/account/invitations/" + id + "/decline"})
	id = invite("guest3", "reviewer")
	see(w, seen, call{who: "guest3", method: "GET", path: "/account/invitations"})
	see(w, seen, call{who: "guest3", method: "POST", path: "/account/invitations/" + id + "/accept", body: "{" + password})

	w.AddPerson("third", w.Tenant.ID, access.Admin)
	link("approver")
	id = invite("guest4", "approver")
	see(w, seen, call{who: "third", method: "POST", path: "/changes/" + id + "/confirm", body: "{" + password})
}
