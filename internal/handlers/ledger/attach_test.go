package ledger_test

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/audit"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/handlers/webtest"
)

// badge is a session with one claim that the judge does not find.
const badge = `{"format":"sanad.session/v1","session":{"title":"Badges","answer":"Guests carry identification."},
 "documents":[{"id":"hr","filename":"HR.txt","text":"Travel is booked by the office.\n\nEverybody who comes to see us shows a badge at the door."}],
 "claims":[{"claim_text":"Guests carry identification"}]}`

const badgeWords = "Everybody who comes to see us shows a badge at the door."

type attachedAnswer struct {
	From  string `json:"from_verdict"`
	To    string `json:"to_verdict"`
	Stale int    `json:"stale_reviews"`
	Match struct {
		Snippet  string
		Attached struct{ Actor, At string }
	}
}

// A person's passage is a match with name and time, judged by the rules; later runs keep it.
func TestAttachAPassage(t *testing.T) {
	s := webtest.NewServer(t).As("reviewer")
	id := s.Create(badge).SessionID
	path, ctx := "/api/v1/sessions/"+id, context.Background()
	session, err := s.Store.Session(ctx, s.Tenant.ID, id)
	require.NoError(t, err)
	require.Equal(t, []string{"not_found"}, verdictsOf(webtest.Get[ledgerOf](t, s.Do("GET", path+"/ledger", ""), 200)))
	require.Equal(t, 201, s.Do("POST", path+"/claims/1/reviews", `{"action":"confirm"}`, "If-Match", "*").Code)
	d := &session.Documents[0]
	last := &d.Chunks[len(d.Chunks)-1]
	start := d.Start(last.Position) + text.Len(last.Text[:strings.Index(last.Text, badgeWords)])
	body := fmt.Sprintf(`{"document_id":%q,"start":%d,"end":%d}`, d.ID, start, start+text.Len(badgeWords))
	before := s.Do("GET", path+"/ledger", "").Body.String()
	require.Equal(t, 428, s.Do("POST", path+"/claims/1/passages", body).Code)
	require.Equal(t, 404, s.Do("POST", path+"/claims/9/passages", body, "If-Match", "*").Code)
	for bad, place := range map[string]string{
		`{"document_id":"x","start":0,"end":5}`:                       "document_id",
		fmt.Sprintf(`{"document_id":%q}`, d.ID):                       "start",
		fmt.Sprintf(`{"document_id":%q,"start":5,"end":5}`, d.ID):     "end",
		fmt.Sprintf(`{"document_id":%q,"start":900,"end":950}`, d.ID): "start",
		fmt.Sprintf(`{"document_id":%q,"start":0,"end":950}`, d.ID):   "end",
	} {
		require.Contains(t, s.Do("POST", path+"/claims/1/passages", bad, "If-Match", "*").Body.String(),
			`"path":"`+place+`"`, bad)
	}
	require.Equal(t, before, s.Do("GET", path+"/ledger", "").Body.String(), "nothing of these changed it")

	out := webtest.Get[attachedAnswer](t,
		s.Do("POST", path+"/claims/1/passages", body, "If-Match", "*", "Idempotency-Key", "p"), 201)
	require.Equal(t, []any{"not_found", badgeWords, 1}, []any{out.From, out.Match.Snippet, out.Stale})
	require.NotEqual(t, "not_found", out.To)
	require.NotEmpty(t, out.Match.Attached.Actor)
	require.NotEmpty(t, out.Match.Attached.At)
	require.Equal(t, 409, s.Do("POST", path+"/claims/1/passages", body, "If-Match", "*").Code, "once is enough")

	attached := func() (out *ledger.Match) {
		now, err := s.Store.Session(ctx, s.Tenant.ID, id)
		require.NoError(t, err)
		for i := range now.Claims[0].Matches {
			if m := &now.Claims[0].Matches[i]; m.Attached != nil {
				out = m
			}
		}
		return out
	}
	stored := attached()
	require.NotNil(t, stored)
	require.Equal(t, 200, s.Do("POST", path+"/judge", "", "If-Match", "*").Code)
	require.Equal(t, stored, attached(), "a later run keeps it")
	require.Contains(t, s.Do("GET", "/sessions/"+id+"/claims/1", "").Body.String(), "Attached by")
	export := s.Do("GET", "/sessions/"+id+"/export/json", "").Body.String()
	require.Contains(t, export, "This passage was attached by")
	require.Contains(t, export, `"attached"`)
	log, _, err := s.Store.Log(ctx, s.Tenant.ID, audit.Query{Action: "passage.attached", Limit: 9})
	require.NoError(t, err)
	require.Len(t, log, 1)
}

// Whoever attached a passage can withdraw it: verdict and matches are as before, and the log has both. A passage in
// which the judge sees nothing makes the verdict weak (rule L-33), and the page says why.
func TestWithdrawAPassage(t *testing.T) {
	server := webtest.NewServer(t)
	s := server.As("reviewer")
	id := s.Create(badge).SessionID
	claim := "/sessions/" + id + "/claims/1"
	before := webtest.Get[map[string]any](t, s.Do("GET", "/api/v1/sessions/"+id+"/ledger", ""), 200)
	page := s.Do("GET", claim+"/passages?q=badge+door", "").Body.String()
	revision := webtest.Between(page, `name="revision" value="`, `"`)
	document := webtest.Between(page, `name="document_id" value="`, `"`)
	form := webtest.Form("revision", revision, "document_id", document, "passage", "0:0-31")
	require.Equal(t, 303, s.Post(claim+"/passages", form).Code)
	page = s.Do("GET", claim, "").Body.String()
	require.Contains(t, page, "that alone counts as partial support. The judge finds neither support nor contradiction in it")
	require.Contains(t, page, "Withdraw the passage")

	require.Equal(t, 409, server.As("approver").Post(claim+"/passages/undo", form).Code, "it is somebody else's")
	s = server.As("reviewer")
	require.Equal(t, 409, s.Post(claim+"/passages/undo", webtest.Form("document_id", document, "passage", "0:0-30")).Code)
	require.Equal(t, 303, s.Post(claim+"/passages/undo", form).Code)
	require.Equal(t, 409, s.Post(claim+"/passages/undo", form).Code, "once is enough")
	page = s.Do("GET", claim, "").Body.String()
	require.NotContains(t, page, "Withdraw the passage")
	after := webtest.Get[map[string]any](t, s.Do("GET", "/api/v1/sessions/"+id+"/ledger", ""), 200)
	require.Equal(t, before["entries"], after["entries"])
	require.Equal(t, before["risk_flags"], after["risk_flags"])
	for _, action := range []string{"passage.attached", "passage.detached"} {
		log, _, err := s.Store.Log(context.Background(), s.Tenant.ID, audit.Query{Action: action, Limit: 9})
		require.NoError(t, err)
		require.Len(t, log, 1, action)
	}
}

// A passage that was found or read without a claim is attached from its own form, which asks for the claim.
func TestAttachToAClaim(t *testing.T) {
	server := webtest.NewServer(t)
	s := server.As("reviewer")
	id := s.Create(badge).SessionID
	const found = "/search?q=badge&kind=passage"
	document := "/documents/" + webtest.Between(s.Do("GET", found, "").Body.String(), `href="/documents/`, `?`)
	form := document + "/attach?chunk=1"
	require.Contains(t, s.Do("GET", found, "").Body.String(), `href="`+form+`"`)
	require.NotContains(t, server.As("viewer").Do("GET", found, "").Body.String(), "/attach")
	s = server.As("reviewer")
	require.Contains(t, s.Do("GET", document+"?chunk=1", "").Body.String(), `href="`+form+`"`)
	for _, none := range []string{"", "?chunk=0", "?chunk=9", "?chunk=x"} {
		require.Equal(t, 404, s.Do("GET", document+"/attach"+none, "").Code, none)
	}
	page := s.Do("GET", form, "").Body.String()
	require.Contains(t, page, badgeWords)
	require.Contains(t, page, "Guests carry identification")
	revision := webtest.Between(page, `name="revision" value="`, `"`)
	body := func(revision, claim, passage string) string {
		return webtest.Form("revision", revision, "claim", claim, "passage", passage)
	}
	w := s.Post(form, body(revision, "", "0:33-89"))
	require.Equal(t, 422, w.Code)
	require.Contains(t, w.Body.String(), "Choose the claim.")
	require.Contains(t, w.Body.String(), `value="0:33-89" checked`, "the chosen sentence stays")
	require.Equal(t, 422, s.Post(form, body(revision, "1", "")).Code)
	w = s.Post(form, body("0", "1", "0:0-31"))
	require.Equal(t, 409, w.Code)
	require.Contains(t, w.Body.String(), `value="1" checked`, "the chosen claim stays")
	require.Equal(t, 404, s.Post(form, body(revision, "9", "0:0-31")).Code)
	w = s.Post(form, body(revision, "1", "0:0-31"))
	require.Equal(t, []any{303, "/sessions/" + id + "/claims/1"}, []any{w.Code, w.Header().Get("Location")})
	require.Contains(t, s.Do("GET", "/sessions/"+id+"/claims/1", "").Body.String(), "Attached by")

	revision = webtest.Between(s.Do("GET", form, "").Body.String(), `name="revision" value="`, `"`)
	require.Equal(t, 303, s.Post(document+"/withdraw", webtest.Form("revision", revision, "reason", "A draft.")).Code)
	require.Contains(t, s.Do("GET", form, "").Body.String(), "its passages cannot be attached")
	require.NotContains(t, s.Do("GET", found, "").Body.String(), "/attach")
}

// The page offers the nearest passages, those of a search, and the viewer's.
func TestAttachFromThePage(t *testing.T) {
	server := webtest.NewServer(t)
	s := server.As("reviewer")
	id := s.Create(badge).SessionID
	claim := "/sessions/" + id + "/claims/1"
	require.Contains(t, s.Do("GET", claim, "").Body.String(), claim+"/passages")
	require.NotContains(t, server.As("viewer").Do("GET", claim, "").Body.String(), "/passages")
	s = server.As("reviewer")
	require.Contains(t, s.Do("GET", claim+"/passages", "").Body.String(), "No passage in the documents is close")
	page := s.Do("GET", claim+"/passages?q=badge+door", "").Body.String()
	require.Contains(t, page, "Everybody who comes to see us")
	document := webtest.Between(page, `name="document_id" value="`, `"`)
	form := func(revision, passage string) string {
		return url.Values{"revision": {revision}, "document_id": {document}, "passage": {passage}}.Encode()
	}
	revision := webtest.Between(page, `name="revision" value="`, `"`)
	viewer := s.Do("GET", "/documents/"+document+"?chunk=1&claim=1", "").Body.String()
	require.Contains(t, viewer, `href="/documents/`+document+`/attach?chunk=1&amp;claim=1">Attach to claim 1</a>`)
	chosen := s.Do("GET", "/documents/"+document+"/attach?chunk=1&claim=1", "").Body.String()
	require.Contains(t, chosen, `name="claim" value="1" checked`)
	require.Equal(t, 422, s.Post(claim+"/passages", form(revision, "")).Code)
	require.Equal(t, 422, s.Post(claim+"/passages", form(revision, "0:5000-6000")).Code)
	require.Equal(t, 409, s.Post(claim+"/passages", form("0", "0:0-10")).Code)
	res := s.Post(claim+"/passages", form(revision, "0:0-31"))
	require.Equal(t, 303, res.Code)
	require.Contains(t, s.Do("GET", res.Header().Get("Location"), "").Body.String(), "Attached by")
}
