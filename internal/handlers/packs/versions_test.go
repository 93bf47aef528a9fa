package packs_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db/dbtest"
	"sanad/internal/domain/access"
	"sanad/internal/domain/audit"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
	"sanad/internal/handlers/webtest"
)

// With a returned version between the last sign-off and the draft, changes can be shown since either of them.
func TestWhatChangedSinceTheLastSignOff(t *testing.T) {
	s := webtest.NewServer(t)
	first := s.Signed("dec-1")
	second := s.Next(first)
	_, body := s.Page("viewer", "/packs/"+second.PackID)
	require.NotContains(t, body, "since the last sign-off", "that is the version before")
	second = s.API("reviewer", "PATCH", "/packs/"+
		second.PackID, `{"memo":{"title_en":"A second title"}}`, "If-Match", "*")(200)
	second = s.API("reviewer", "POST", "/packs/"+second.PackID+"/submit", "")(200)
	second = s.API("approver", "POST", "/packs/"+second.PackID+"/return", `{"reason":"No."}`)(200)
	third := s.Next(second)

	_, body = s.Page("viewer", "/packs/"+third.PackID)
	href := "/packs/" + third.PackID + "/compare?with=" + first.PackID
	require.Contains(t, body, `<a class="btn btn-quiet" href="`+href+`">What changed since the last sign-off</a>`)
	_, body = s.Page("viewer", href)
	require.Contains(t, body, "second")
	require.NotContains(t, body, "compare.pdf", "they may not export")
	pdf := strings.Replace(href, "/compare", "/compare.pdf", 1)
	_, body = s.Page("approver", href)
	require.Contains(t, body, `href="`+strings.ReplaceAll(pdf, "&", "&amp;")+`"`)
	require.Equal(t, 200, s.As("approver").Do("GET", pdf+"&language=ar", "").Code)
	require.Equal(t, 200, s.As("approver").Do("GET", "/api/v1"+pdf, "").Code)
	require.Equal(t, 400, s.As("approver").Do("GET", pdf+"&language=fr", "").Code)
	require.Equal(t, 403, s.As("viewer").Do("GET", pdf, "").Code)
	require.Equal(t, 404, s.As("foreign").Do("GET", pdf, "").Code)
	changed := func(from string) (string, bool) {
		got := webtest.Get[struct {
			From      string
			Unchanged bool
		}](t, s.As("viewer").Do("GET", "/api/v1/packs/"+third.PackID+"/changes?from="+from, ""), 200)
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
	require.Equal(t, 400, s.As("viewer").Do("GET", "/api/v1/packs/"+first.PackID+"/changes?from=signed", "").Code,
		"none before it")
}

// about imports a decision that is linked to the world's session, and opens its pack.
func about(w *webtest.World, id string) webtest.PackJSON {
	w.T.Helper()
	dbtest.Ask(w.T, w.Store, w.Tenant.ID, pack.Off, pack.PolicyRules...)
	body := strings.Replace(webtest.DecisionOf(id, "A2"), `"entity_id"`,
		`"ledger_session_id":"`+w.Names["session"]+`","entity_id"`, 1)
	require.Equal(w.T, 201, w.As("reviewer").Do("POST", "/api/v1/decisions", body).Code)
	return w.API("reviewer", "POST", "/packs", `{"decision_id":"`+id+`"}`)(201)
}

// A review after the submission is shown on the page and in the API as a change since then; the pack is unchanged.
func TestWhatChangedInTheLedgerSinceSubmission(t *testing.T) {
	w := webtest.NewWorld(t)
	p := about(w, "dec-changed")
	p = w.API("reviewer", "POST", "/packs/"+p.PackID+"/submit", "")(200)
	const words = "The ledger has changed since"
	_, body := w.Page("viewer", "/packs/"+p.PackID)
	require.NotContains(t, body, words)
	review := `{"action":"override","verdict":"contradicted","reason":"Read it again."}`
	res := w.As("reviewer").Do("POST", "/api/v1/sessions/"+w.Names["session"]+"/claims/1/reviews", review, "If-Match",
		"*")
	require.Equal(t, 201, res.Code, res.Body.String())
	_, body = w.Page("viewer", "/packs/"+p.PackID)
	require.Contains(t, body, words)
	type changes struct {
		Claims struct{ Flipped, Reviewed []struct{ Number int } }
	}
	got := webtest.Get[changes](t, w.As("viewer").Do("GET", "/api/v1/packs/"+p.PackID+"/changes?from=ledger", ""), 200)
	require.Len(t, append(got.Claims.Flipped, got.Claims.Reviewed...), 1)
	require.Equal(t, p.Digest, w.API("viewer", "GET", "/packs/"+p.PackID, "")(200).Digest)
}

// The page of a pack shows what the model was not shown, according to the decision.
func TestLeftOutCandidatesAreShown(t *testing.T) {
	s := webtest.NewServer(t)
	body := strings.Replace(webtest.DecisionOf("dec-1", "A2"), `"prompts"`,
		`"replay":{"policy":{"max_items":3},"left_out":[{"evidence_id":"E0badc0de","source":"old.pdf","reason":"over max_items"}]},"prompts"`, 1)
	require.Equal(t, 201, s.As("reviewer").Do("POST", "/api/v1/decisions", body).Code)
	p := s.API("reviewer", "POST", "/packs", `{"decision_id":"dec-1"}`)(201)
	_, page := s.Page("viewer", "/packs/"+p.PackID)
	for _, want := range []string{"What the model was not shown", "old.pdf", "over max_items", "E0badc0de"} {
		require.Contains(t, page, want)
	}
}

// An attachment is found by its digest in the pack, sent as a download without a media type of its own, and logged.
func TestAttachmentsOfAPack(t *testing.T) {
	w := webtest.NewWorld(t)
	p := about(w, "dec-attached")
	files := webtest.Get[struct{ Attachments []pack.Attachment }](t,
		w.As("viewer").Do("GET", "/api/v1/packs/"+p.PackID, ""), 200).Attachments
	require.Len(t, files, 1)
	path := "/packs/" + p.PackID + "/attachments/" + files[0].SHA256
	_, body := w.Page("viewer", "/packs/"+p.PackID)
	require.Contains(t, body, `href="`+path+`"`)
	res := w.Do("GET", path, "")
	require.Equal(t, http.StatusOK, res.Code, res.Body.String())
	require.Equal(t, files[0].SHA256, pack.Digest(res.Body.Bytes()))
	require.Equal(t, "application/octet-stream", res.Header().Get("Content-Type"))
	require.True(t, strings.HasPrefix(res.Header().Get("Content-Disposition"), "attachment;"))
	events, _, err := w.Store.Log(t.Context(), w.Tenant.ID,
		audit.Query{Action: "pack.attachment_downloaded", ObjectID: p.PackID, Limit: 9})
	require.NoError(t, err)
	require.Len(t, events, 1)
	for _, other := range []string{"/packs/" + p.PackID + "/attachments/" + strings.Repeat("0", 64),
		"/packs/" + w.Draft("dec-none", "A2").PackID + "/attachments/" + files[0].SHA256} {
		require.Equal(t, 404, w.Do("GET", other, "").Code, other)
	}
}

// A claim set aside goes through the database into the signed pack, with its reason and who said so; that person may not
// approve; a version made before says that it was set aside.
func TestPackListsAClaimSetAside(t *testing.T) {
	w := webtest.NewWorld(t)
	p := about(w, "dec-aside")
	path := "/api/v1/sessions/" + w.Names["session"] + "/claims/1/reviews"
	mark := func(action string) {
		t.Helper()
		res := w.As("approver").Do("POST", path, `{"action":"`+action+`","reason":"It only leads in."}`, "If-Match", "*")
		require.Equal(t, 201, res.Code, res.Body.String())
	}
	p = w.API("reviewer", "POST", "/packs/"+p.PackID+"/submit", "")(200)
	mark("not_a_claim")
	_, page := w.Page("viewer", "/packs/"+p.PackID)
	require.Contains(t, page, "<b>Set aside</b>")
	mark("undo")

	mark("not_a_claim")
	p = about(w, "dec-aside-2")
	dbtest.Ask(t, w.Store, w.Tenant.ID, pack.Must, pack.ApproverApart)
	p = w.API("reviewer", "POST", "/packs/"+p.PackID+"/submit", "")(200)
	refused := w.As("approver").Do("POST", "/api/v1/packs/"+p.PackID+"/approve", webtest.ApprovalOf(p))
	require.Equal(t, 422, refused.Code, refused.Body.String())
	require.Contains(t, refused.Body.String(), `"rule":"approver_apart"`)
	signed := w.API("admin", "POST", "/packs/"+p.PackID+"/approve", webtest.ApprovalOf(p))(200)
	require.Equal(t, "signed_off", signed.Status)
	view, err := w.Store.Pack(t.Context(), w.Tenant.ID, p.PackID)
	require.NoError(t, err)
	aside := view.Content.Ledger.SetAside
	require.Len(t, aside, 1)
	last := aside[0].Reviews[len(aside[0].Reviews)-1]
	require.Equal(t, ledger.NotAClaim, last.Action)
	require.Equal(t, "It only leads in.", last.Reason)
	require.Equal(t, w.Person("approver").ID, last.By)
	require.NotNil(t, last.LogIndex, "its event is in the log")
	_, page = w.Page("viewer", "/packs/"+p.PackID)
	require.Contains(t, page, "It only leads in.")
	require.Contains(t, page, "Everything is valid")
}

// Whoever made a machine's token could use it themselves, so they cannot approve what the machine drafted.
func TestMachineCannotBypassFourEyes(t *testing.T) {
	s := webtest.NewServer(t)
	robot := s.MachineOf(s.Person("approver").ID, access.Reviewer)
	p := s.Draft("dec-1", "A2")
	as := func(method, path, body string) webtest.PackJSON {
		return webtest.Get[webtest.PackJSON](t,
			s.As("viewer").Do(method, "/api/v1"+path, body, "Authorization", robot, "If-Match", "*"), 200)
	}
	as("PATCH", "/packs/"+p.PackID, `{"memo":{"title_en":"By the machine"}}`)
	p = as("POST", "/packs/"+p.PackID+"/submit", "")
	res := s.As("approver").Do("POST", "/api/v1/packs/"+p.PackID+"/approve", webtest.Approval)
	require.Equal(t, 403, res.Code, res.Body.String())
	_, body := s.Page("approver", "/packs/"+p.PackID)
	require.Contains(t, body, "A machine whose token you created")
	require.NotContains(t, body, `/sign"`)
	_, body = s.Page("approver", "/")
	require.NotContains(t, body, "/packs/"+p.PackID+`"`, "not in their queue")
	_, body = s.Page("admin", "/")
	require.Contains(t, body, "/packs/"+p.PackID+`"`)
	require.Equal(t, "signed_off", s.API("admin", "POST", "/packs/"+p.PackID+"/approve", webtest.Approval)(200).Status)
}
