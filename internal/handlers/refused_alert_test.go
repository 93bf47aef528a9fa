package handlers_test

import (
	"fmt"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db/dbtest"
	"sanad/internal/handlers/webtest"
)

// The page of a refused form says so at its top, with a link to the faulty field, and the browser goes to that field
// without JavaScript.
func TestRefusedPagesShowAlertFirst(t *testing.T) {
	w := &webtest.World{Server: webtest.NewServer(t), Names: map[string]string{}}
	session := w.Upload("reviewer")
	document, at := "/documents/"+session.Documents[0].ID, "/sessions/"+session.ID
	p := w.InReview("dec-1", "A2")
	pack, packRevision := "/packs/"+p.PackID, webtest.RevisionOf(p)
	revision, person := fmt.Sprint(session.Revision), w.Person("reviewer").ID
	answers := map[string]func() (int, string){
		"n-d": func() (int, string) {
			status, body, _ := w.As("reviewer").Upload("Leave is 15 days.", "slides.ppt", "\xD0\xCF\x11\xE0")
			return status, body
		},
		"v-r": func() (int, string) {
			status, body, _ := w.As("reviewer").Replace(document, revision, " ", "new.txt", "x")
			return status, body
		},
		"v-f": func() (int, string) {
			status, body, _ := w.As("reviewer").Replace(document, revision, "Newer.", "", "")
			return status, body
		},
	}
	answer := func(r *httptest.ResponseRecorder) (int, string) { return r.Code, r.Body.String() }
	for field, c := range map[string]struct{ who, path, form string }{
		"w-r":     {"reviewer", document + "/withdraw", webtest.Form("revision", revision, "reason", " ")},
		"close-r": {"reviewer", at + "/close", webtest.Form("reason", "")},
		"as-2": {"admin", at + "/reviewers",
			webtest.Form("first", person, "second", person, "second_review", "open")},
		"r-v": {"reviewer", at + "/claims/1/reviews", webtest.Form("action", "override", "seen", "0")},
		"d-p": {"approver", pack + "/approve",
			webtest.Form("revision", packRevision, "digest", p.Digest, "password", "guess", "comment", "Read.") +
				"&acknowledged=call_failed:T2&acknowledged=no_claim_checked:ledger"},
		"d-r":     {"approver", pack + "/return", webtest.Form("revision", packRevision, "reason", "")},
		"h-r":     {"admin", pack + "/hold", webtest.Form("revision", packRevision, "reason", "")},
		"u-login": {"admin", "/admin/users", webtest.Form("login", "", "name", "New", "role", "viewer")},
		"k-days":  {"admin", "/admin/tokens", webtest.Form("name", "Nightly", "role", "viewer", "days", "0")},
	} {
		answers[field] = func() (int, string) { return answer(w.As(c.who).Post(c.path, c.form)) }
	}
	for field, ask := range answers {
		status, body := ask()
		require.Contains(t, []int{403, 415, 422}, status, "%s: %s", field, body)
		top := webtest.Between(body, `<main id="main"`, `</p>`)
		require.Contains(t, top, `role="alert" id="refused"`, field)
		require.Contains(t, top, `<a href="#`+field+`"`, field)
		require.Regexp(t, `id="`+field+`"[^>]* autofocus`, body, field)
		require.Contains(t, body, `id="`+field+`-e"`, field)
	}
}

// A refused assignment keeps what was chosen.
func TestRefusedAssignmentKeepsTheChoice(t *testing.T) {
	w := &webtest.World{Server: webtest.NewServer(t), Names: map[string]string{}}
	at, person := "/sessions/"+w.Upload("reviewer").ID, w.Person("reviewer").ID
	res := w.As("admin").Post(at+"/reviewers",
		webtest.Form("first", person, "second", person, "second_review", "blind"))
	require.Equal(t, 422, res.Code)
	for field, chosen := range map[string]string{"as-1": person, "as-2": person, "as-m": "blind"} {
		require.Contains(t, webtest.Between(res.Body.String(), `<select id="`+field+`"`, "</select>"),
			`value="`+chosen+`" selected`, field)
	}
}

// Undoing a step leads back to the claims that it confirmed.
func TestUndoKeepsTheFilter(t *testing.T) {
	w := &webtest.World{Server: webtest.NewServer(t), Names: map[string]string{}}
	dbtest.BulkConfirmsAll(t, w.Store, w.Tenant.ID)
	session := w.Upload("reviewer")
	s, at := w.As("reviewer"), "/sessions/"+session.ID
	done := s.Post(at+"/confirm", webtest.Form("revision", fmt.Sprint(session.Revision), "unreviewed", "1"))
	require.Equal(t, 303, done.Code, done.Body)
	page := s.Do("GET", done.Header().Get("Location"), "").Body.String()
	undo := webtest.Between(page, `action="`+at+`/undo"`, "</form>")
	require.Contains(t, undo, `name="unreviewed" value="1"`)
	back := s.Post(at+"/undo", webtest.Form("batch", webtest.Between(undo, `name="batch" value="`, `"`), "unreviewed",
		"1"))
	require.Equal(t, 303, back.Code, back.Body)
	require.Contains(t, back.Header().Get("Location"), "unreviewed=1")
}

// After a replacement, the newer version's page can judge the session again, at its current revision.
func TestReplacedThenJudged(t *testing.T) {
	w := &webtest.World{Server: webtest.NewServer(t), Names: map[string]string{}}
	session := w.Upload("reviewer")
	s := w.As("reviewer")
	status, body, newer := s.Replace("/documents/"+session.Documents[0].ID, fmt.Sprint(session.Revision), "Newer.",
		"new.txt", "Leave is 21 days.")
	require.Equal(t, 303, status, body)
	judge := webtest.Between(s.Do("GET", newer, "").Body.String(), `action="/sessions/`+session.ID+`/judge"`, "</form>")
	require.Contains(t, judge, "Judge again")
	require.Equal(t, 303, s.Post("/sessions/"+session.ID+"/judge",
		webtest.Form("revision", webtest.Between(judge, `name="revision" value="`, `"`))).Code)
	require.NotContains(t, s.As("viewer").Do("GET", newer, "").Body.String(), "/judge")
}
