package handlers_test

import "sanad/internal/handlers/webtest"

// seeComments comments on a pack, and withdraws that.
func seeComments(w *webtest.World, seen map[string]bool) {
	w.T.Helper()
	said := see(w, seen, call{who: "reviewer", method: "POST", path: "/packs/{pack}/comments", body: `{"text":"Well."}`})
	see(w, seen, call{who: "viewer", method: "GET", path: "/packs/{pack}/comments"})
	see(w, seen, call{who: "reviewer", method: "POST",
		path: "/packs/{pack}/comments/" + webtest.Between(said, `"id":"`, `"`) + "/withdraw"})
}
