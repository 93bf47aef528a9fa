package handlers_test

import (
	"fmt"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

// The page of a refused form says so at its top, with a link to the field that has to be mended, and the browser goes there
// without a script.
func TestRefusedPagesSayItFirst(t *testing.T) {
	w := &world{newServer(t), map[string]string{}}
	session := w.upload("reviewer")
	document, at := "/documents/"+session.Documents[0].ID, "/sessions/"+session.ID
	p := w.inReview("dec-1", "A2")
	pack, packRevision := "/packs/"+p.PackID, revisionOf(p)
	revision, person := fmt.Sprint(session.Revision), w.person("reviewer").ID
	answers := map[string]func() (int, string){
		"n-d": func() (int, string) {
			status, body, _ := w.as("reviewer").upload("Leave is 15 days.", "slides.ppt", "\xD0\xCF\x11\xE0")
			return status, body
		},
		"v-r": func() (int, string) {
			status, body, _ := w.as("reviewer").replace(document, revision, " ", "new.txt", "x")
			return status, body
		},
		"v-f": func() (int, string) {
			status, body, _ := w.as("reviewer").replace(document, revision, "Newer.", "", "")
			return status, body
		},
	}
	answer := func(r *httptest.ResponseRecorder) (int, string) { return r.Code, r.Body.String() }
	for field, c := range map[string]struct{ who, path, form string }{
		"w-r":     {"reviewer", document + "/withdraw", form("revision", revision, "reason", " ")},
		"close-r": {"reviewer", at + "/close", form("reason", "")},
		"as-2":    {"admin", at + "/reviewers", form("first", person, "second", person, "second_review", "open")},
		"r-v":     {"reviewer", at + "/claims/1/reviews", form("action", "override", "seen", "0")},
		"d-p":     {"approver", pack + "/approve", form("revision", packRevision, "digest", p.Digest, "password", "guess", "comment", "Read.")},
		"d-r":     {"approver", pack + "/return", form("revision", packRevision, "reason", "")},
		"h-r":     {"admin", pack + "/hold", form("revision", packRevision, "reason", "")},
		"u-login": {"admin", "/admin/users", form("login", "", "name", "New", "role", "viewer")},
		"k-days":  {"admin", "/admin/tokens", form("name", "Nightly", "role", "viewer", "days", "0")},
	} {
		answers[field] = func() (int, string) { return answer(w.as(c.who).post(c.path, c.form)) }
	}
	for field, ask := range answers {
		status, body := ask()
		require.Contains(t, []int{403, 415, 422}, status, "%s: %s", field, body)
		top := between(body, `<main id="main"`, `</p>`)
		require.Contains(t, top, `role="alert" id="refused"`, field)
		require.Contains(t, top, `<a href="#`+field+`"`, field)
		require.Regexp(t, `id="`+field+`"[^>]* autofocus`, body, field)
		require.Contains(t, body, `id="`+field+`-e"`, field)
	}
}

// A refused assignment keeps what was chosen.
func TestRefusedAssignmentKeepsTheChoice(t *testing.T) {
	w := &world{newServer(t), map[string]string{}}
	at, person := "/sessions/"+w.upload("reviewer").ID, w.person("reviewer").ID
	res := w.as("admin").post(at+"/reviewers", form("first", person, "second", person, "second_review", "blind"))
	require.Equal(t, 422, res.Code)
	for field, chosen := range map[string]string{"as-1": person, "as-2": person, "as-m": "blind"} {
		require.Contains(t, between(res.Body.String(), `<select id="`+field+`"`, "</select>"), `value="`+chosen+`" selected`, field)
	}
}

// Taking a step back leads to the claims that it was made of.
func TestUndoKeepsTheFilter(t *testing.T) {
	w := &world{newServer(t), map[string]string{}}
	session := w.upload("reviewer")
	s, at := w.as("reviewer"), "/sessions/"+session.ID
	done := s.post(at+"/confirm", form("revision", fmt.Sprint(session.Revision), "unreviewed", "1"))
	require.Equal(t, 303, done.Code, done.Body)
	page := s.do("GET", done.Header().Get("Location"), "").Body.String()
	undo := between(page, `action="`+at+`/undo"`, "</form>")
	require.Contains(t, undo, `name="unreviewed" value="1"`)
	back := s.post(at+"/undo", form("batch", between(undo, `name="batch" value="`, `"`), "unreviewed", "1"))
	require.Equal(t, 303, back.Code, back.Body)
	require.Contains(t, back.Header().Get("Location"), "unreviewed=1")
}

// After a replacement the newer version's page judges the session again, from what it is now.
func TestReplacedThenJudged(t *testing.T) {
	w := &world{newServer(t), map[string]string{}}
	session := w.upload("reviewer")
	s := w.as("reviewer")
	status, body, newer := s.replace("/documents/"+session.Documents[0].ID, fmt.Sprint(session.Revision), "Newer.", "new.txt", "Leave is 21 days.")
	require.Equal(t, 303, status, body)
	judge := between(s.do("GET", newer, "").Body.String(), `action="/sessions/`+session.ID+`/judge"`, "</form>")
	require.Contains(t, judge, "Judge again")
	require.Equal(t, 303, s.post("/sessions/"+session.ID+"/judge", form("revision", between(judge, `name="revision" value="`, `"`))).Code)
	require.NotContains(t, s.as("viewer").do("GET", newer, "").Body.String(), "/judge")
}

// Where no verdict can be confirmed, since the reader would read what is sealed, the page says so before, and offers nothing.
func TestBulkOfSealedClaimsForWhoReadsTheLog(t *testing.T) {
	w := &world{newServer(t), map[string]string{}}
	session := w.upload("reviewer")
	s, at := w.as("admin"), "/sessions/"+session.ID
	require.Equal(t, 303, s.post(at+"/reviewers", form("first", w.person("reviewer").ID, "second", "", "second_review", "blind")).Code)
	page := s.do("GET", at+"/confirm", "").Body.String()
	require.Contains(t, page, "in a blind review they give a claim no verdict")
	require.NotContains(t, page, `<button class="btn btn-primary"`)
	require.Contains(t, w.as("reviewer").do("GET", at+"/confirm", "").Body.String(), `<button class="btn btn-primary"`)
}
