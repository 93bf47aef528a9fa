package handlers_test

import "sanad/internal/handlers/webtest"

// seeTrust takes over what ten reviews of a model's words measured.
func seeTrust(w *webtest.World, seen map[string]bool) {
	admin := w.As("admin")
	e, session := admin.JudgeByModel(10)
	admin.Review(session, 1, 11, `{"action":"override","verdict":"supported","reason":"It says so."}`)
	see(w, seen, call{who: "admin", method: "POST", path: "/models/" + e.ID + "/trust"})
}
