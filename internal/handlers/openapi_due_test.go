package handlers_test

import "sanad/internal/handlers/webtest"

// seeDueDates removes due dates that are not there, and reads them.
func seeDueDates(w *webtest.World, seen map[string]bool) {
	w.T.Helper()
	for _, path := range []string{"/sessions/{session}/due", "/packs/{pack}/due"} {
		see(w, seen, call{who: "admin", method: "PUT", path: path, body: `{"due_on":null}`, headers: []string{"If-Match", "*"}})
		see(w, seen, call{who: "viewer", method: "GET", path: path})
		see(w, seen, call{who: "viewer", method: "GET", path: path, headers: []string{"If-None-Match", "*"}})
	}
}
