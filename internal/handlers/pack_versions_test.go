package handlers_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/pack"
)

// next opens the next version of a pack as the reviewer.
func (s *server) next(p packJSON) packJSON {
	s.t.Helper()
	return s.api("reviewer", "POST", "/packs/"+p.PackID+"/versions", "")(201)
}

// A returned version stands between the last sign-off and the draft: what changed is told since either.
func TestWhatChangedSinceTheLastSignOff(t *testing.T) {
	s := newServer(t)
	first := s.signed("dec-1")
	second := s.next(first)
	_, body := s.page("viewer", "/packs/"+second.PackID)
	require.NotContains(t, body, "since the last sign-off", "that is the version before")
	second = s.api("reviewer", "PATCH", "/packs/"+second.PackID, `{"memo":{"title_en":"A second title"}}`, "If-Match", "*")(200)
	second = s.api("reviewer", "POST", "/packs/"+second.PackID+"/submit", "")(200)
	second = s.api("approver", "POST", "/packs/"+second.PackID+"/return", `{"reason":"No."}`)(200)
	third := s.next(second)

	_, body = s.page("viewer", "/packs/"+third.PackID)
	href := "/packs/" + third.PackID + "/compare?with=" + first.PackID
	require.Contains(t, body, `<a class="btn btn-quiet" href="`+href+`">What changed since the last sign-off</a>`)
	_, body = s.page("viewer", href)
	require.Contains(t, body, "second")
	changed := func(from string) (string, bool) {
		got := get[struct {
			From      string
			Unchanged bool
		}](t, s.as("viewer").do("GET", "/api/v1/packs/"+third.PackID+"/changes?from="+from, ""), 200)
		return got.From, got.Unchanged
	}
	for from, want := range map[string]struct {
		id        string
		unchanged bool
	}{"signed": {first.PackID, false}, "": {second.PackID, true}} {
		id, unchanged := changed(from)
		require.Equal(t, want.id, id, from)
		require.Equal(t, want.unchanged, unchanged, from)
	}
	require.Equal(t, 400, s.as("viewer").do("GET", "/api/v1/packs/"+first.PackID+"/changes?from=signed", "").Code, "none before it")
}

// about brings in a decision with the world's session behind it and opens its pack.
func (w *world) about(id string) packJSON {
	w.t.Helper()
	body := strings.Replace(decisionOf(id, "A2"), `"entity_id"`, `"ledger_session_id":"`+w.names["session"]+`","entity_id"`, 1)
	require.Equal(w.t, 201, w.as("reviewer").do("POST", "/api/v1/decisions", body).Code)
	return w.api("reviewer", "POST", "/packs", `{"decision_id":"`+id+`"}`)(201)
}

// A review after the submission shows on the page and in the API as changed since; the pack stays as it was.
func TestWhatChangedInTheLedgerSinceSubmission(t *testing.T) {
	w := newWorld(t)
	p := w.about("dec-changed")
	p = w.api("reviewer", "POST", "/packs/"+p.PackID+"/submit", "")(200)
	const words = "The ledger has changed since"
	_, body := w.page("viewer", "/packs/"+p.PackID)
	require.NotContains(t, body, words)
	review := `{"action":"override","verdict":"contradicted","reason":"Read it again."}`
	res := w.as("reviewer").do("POST", "/api/v1/sessions/"+w.names["session"]+"/claims/1/reviews", review, "If-Match", "*")
	require.Equal(t, 201, res.Code, res.Body.String())
	_, body = w.page("viewer", "/packs/"+p.PackID)
	require.Contains(t, body, words)
	type changes struct {
		Claims struct{ Flipped, Reviewed []struct{ Number int } }
	}
	got := get[changes](t, w.as("viewer").do("GET", "/api/v1/packs/"+p.PackID+"/changes?from=ledger", ""), 200)
	require.Len(t, append(got.Claims.Flipped, got.Claims.Reviewed...), 1)
	require.Equal(t, p.Digest, w.api("viewer", "GET", "/packs/"+p.PackID, "")(200).Digest)
}

// What the model was not shown, as the decision says it, stands on the page of its pack.
func TestWhatTheModelWasNotShown(t *testing.T) {
	s := newServer(t)
	body := strings.Replace(decisionOf("dec-1", "A2"), `"prompts"`, `"replay":{"policy":{"max_items":3},"left_out":[{"evidence_id":"E0badc0de","source":"old.pdf","reason":"over max_items"}]},"prompts"`, 1)
	require.Equal(t, 201, s.as("reviewer").do("POST", "/api/v1/decisions", body).Code)
	p := s.api("reviewer", "POST", "/packs", `{"decision_id":"dec-1"}`)(201)
	_, page := s.page("viewer", "/packs/"+p.PackID)
	for _, want := range []string{"What the model was not shown", "old.pdf", "over max_items", "E0badc0de"} {
		require.Contains(t, page, want)
	}
}

// An attachment is found by the digest that the pack pins it by, sent as an attachment of no type, and logged.
func TestAttachmentsOfAPack(t *testing.T) {
	w := newWorld(t)
	p := w.about("dec-attached")
	files := get[struct{ Attachments []pack.Attachment }](t, w.as("viewer").do("GET", "/api/v1/packs/"+p.PackID, ""), 200).Attachments
	require.Len(t, files, 1)
	path := "/packs/" + p.PackID + "/attachments/" + files[0].SHA256
	_, body := w.page("viewer", "/packs/"+p.PackID)
	require.Contains(t, body, `href="`+path+`"`)
	res := w.do("GET", path, "")
	require.Equal(t, http.StatusOK, res.Code, res.Body.String())
	require.Equal(t, files[0].SHA256, pack.Digest(res.Body.Bytes()))
	require.Equal(t, "application/octet-stream", res.Header().Get("Content-Type"))
	require.True(t, strings.HasPrefix(res.Header().Get("Content-Disposition"), "attachment;"))
	events, _, err := w.store.Log(t.Context(), w.tenant.ID, db.EventQuery{Action: "pack.attachment_downloaded", ObjectID: p.PackID, Limit: 9})
	require.NoError(t, err)
	require.Len(t, events, 1)
	for _, other := range []string{"/packs/" + p.PackID + "/attachments/" + strings.Repeat("0", 64), "/packs/" + w.draft("dec-none", "A2").PackID + "/attachments/" + files[0].SHA256} {
		require.Equal(t, 404, w.do("GET", other, "").Code, other)
	}
}

// Whoever made a machine's token has it in hand: what the machine drafts they do not approve.
func TestAMachineIsNoWayAroundFourEyes(t *testing.T) {
	s := newServer(t)
	robot := s.machineOf(s.person("approver").ID, domain.Reviewer)
	p := s.draft("dec-1", "A2")
	as := func(method, path, body string) packJSON {
		return get[packJSON](t, s.as("viewer").do(method, "/api/v1"+path, body, "Authorization", robot, "If-Match", "*"), 200)
	}
	as("PATCH", "/packs/"+p.PackID, `{"memo":{"title_en":"By the machine"}}`)
	p = as("POST", "/packs/"+p.PackID+"/submit", "")
	res := s.as("approver").do("POST", "/api/v1/packs/"+p.PackID+"/approve", approval)
	require.Equal(t, 403, res.Code, res.Body.String())
	_, body := s.page("approver", "/packs/"+p.PackID)
	require.Contains(t, body, "A machine whose token you made")
	require.NotContains(t, body, `/approve"`)
	_, body = s.page("approver", "/")
	require.NotContains(t, body, "/packs/"+p.PackID+`"`, "not in their queue")
	_, body = s.page("admin", "/")
	require.Contains(t, body, "/packs/"+p.PackID+`"`)
	require.Equal(t, "signed_off", s.api("admin", "POST", "/packs/"+p.PackID+"/approve", approval)(200).Status)
}
