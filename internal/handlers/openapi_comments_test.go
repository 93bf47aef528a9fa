package handlers_test

import "sanad/internal/handlers/webtest"

// seeComments comments on a pack, resolves the thread, reopens it, and withdraws the comment.
func seeComments(w *webtest.World, seen map[string]bool) {
	w.T.Helper()
	said := see(w, seen, call{who: "reviewer", method: "POST", path: "/packs/{pack}/comments",
		body: `{"text":"Well?","asks":true}`})
	thread := "/packs/{pack}/comments/" + webtest.Between(said, `"id":"`, `"`)
	see(w, seen, call{who: "reviewer", method: "POST", path: thread + "/resolve"})
	see(w, seen, call{who: "reviewer", method: "POST", path: thread + "/reopen"})
	see(w, seen, call{who: "viewer", method: "GET", path: "/packs/{pack}/comments"})
	see(w, seen, call{who: "reviewer", method: "POST",
		path: thread + "/withdraw"})
}
