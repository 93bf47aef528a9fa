package ledger_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/handlers/webtest"
)

func TestWithdrawADocument(t *testing.T) {
	w := &webtest.World{Server: webtest.NewServer(t), Names: map[string]string{}}
	s := w.As("reviewer")
	session := (&webtest.World{Server: s, Names: w.Names}).Upload("reviewer")
	document, ledger := session.Documents[0].ID, "/api/v1/sessions/"+session.ID
	api := "/api/v1/documents/" + document + "/withdraw"
	require.Equal(t, 201, s.Do("POST", ledger+"/claims/1/reviews", `{"action":"confirm"}`, "If-Match", "*").Code)
	hash := session.Documents[0].Chunks[0].Hash[:8]
	require.Contains(t, s.Do("GET", "/api/v1/citations/"+hash, "").Body.String(), `"resolved":true`)

	require.Equal(t, 428, s.Do("POST", api, `{"reason":"A draft."}`).Code)
	require.Equal(t, 412, s.Do("POST", api, `{"reason":"A draft."}`, "If-Match", `"old"`).Code)
	require.Equal(t, 422, s.Do("POST", api, `{"reason":"  "}`, "If-Match", "*").Code)
	require.Equal(t, 403, s.As("viewer").Do("POST", api, `{"reason":"A draft."}`, "If-Match", "*").Code)
	require.Equal(t, 404, s.As("foreign").Do("POST", api, `{"reason":"A draft."}`, "If-Match", "*").Code)
	res := s.Do("POST", api, `{"reason":"A draft."}`, "If-Match", "*", "Idempotency-Key", "w")
	out := webtest.Get[struct {
		Affected int `json:"affected_claims"`
		Stale    int `json:"stale_reviews"`
	}](t, res, 200)
	require.Equal(t, []int{1, 1}, []int{out.Affected, out.Stale})
	require.Equal(t, res.Body.String(),
		s.Do("POST", api, `{"reason":"A draft."}`, "If-Match", "*", "Idempotency-Key", "w").Body.String())
	require.Equal(t, http.StatusConflict, s.Do("POST", api, `{"reason":"again"}`, "If-Match", "*").Code)

	require.Contains(t, s.Do("GET", "/api/v1/citations/"+hash, "").Body.String(), `"resolved":false`)
	require.Contains(t, s.Do("GET", ledger+"/ledger", "").Body.String(), `"stale":true,"affected":true`)
	page := s.Do("GET", "/documents/"+document, "").Body.String()
	require.Contains(t, page, "A draft.")
	require.NotContains(t, page, "Withdraw this document", "once is enough")
	require.Equal(t, 200, s.Do("GET", "/documents/"+document+"/original", "").Code, "what it said stays to be read")
	const text = ">Leave is 15 days.<"
	find := "/api/v1/search?kind=passage&q=days"
	require.Contains(t, page, text, "reviewers read what was withdrawn")
	require.Contains(t, s.Do("GET", find, "").Body.String(), document)
	hidden := s.As("viewer").Do("GET", "/documents/"+document, "").Body.String()
	require.Contains(t, hidden, "A draft.", "others read why")
	require.Contains(t, hidden, "Only reviewers can see its text")
	require.NotContains(t, hidden, text)
	require.NotContains(t, hidden, "/original")
	require.Equal(t, 403, s.As("viewer").Do("GET", "/documents/"+document+"/original", "").Code)
	require.NotContains(t, s.As("viewer").Do("GET", find, "").Body.String(), document)
	require.Contains(t, s.Do("GET", "/sessions/"+session.ID, "").Body.String(), "Look again")
	require.Contains(t, s.Do("GET", "/sessions/"+session.ID+"/claims/1", "").Body.String(), "was withdrawn:")

	judged := webtest.Get[judgedAnswer](t, s.Do("POST", ledger+"/judge", "", "If-Match", "*"), 200)
	require.Equal(t, []int{1, 1}, []int{judged.Run.Changed, judged.Run.Flips})
	changes := s.Do("GET", ledger+"/runs/2/changes", "").Body.String()
	require.Contains(t, changes, `"to_verdict":"not_found"`)
	require.Contains(t, changes, `"withdrawn":true`)
	require.Contains(t, s.Do("GET", "/sessions/"+session.ID+"/runs/2", "").Body.String(), "withdrawn")
	kept, err := s.Store.Session(context.Background(), s.Tenant.ID, session.ID)
	require.NoError(t, err)
	require.Equal(t, []any{"A draft.", 1}, []any{kept.Documents[0].Withdrawn, len(kept.Claims[0].Reviews)})

	export := s.Do("GET", "/sessions/"+session.ID+"/export/json", "").Body.String()
	other := webtest.NewServer(t).As("reviewer")
	id := other.Create(export).SessionID
	again, err := other.Store.Session(context.Background(), other.Tenant.ID, id)
	require.NoError(t, err)
	require.Equal(t, []any{"A draft.", kept.Claims[0].Stale},
		[]any{again.Documents[0].Withdrawn, again.Claims[0].Imported[0].Stale}, "an exported ledger keeps it")
}

func TestWithdrawFromThePage(t *testing.T) {
	w := &webtest.World{Server: webtest.NewServer(t), Names: map[string]string{}}
	session := w.Upload("reviewer")
	s, path := w.As("reviewer"), "/documents/"+session.Documents[0].ID
	page := s.Do("GET", path, "").Body.String()
	revision := webtest.Between(page, `name="revision" value="`, `"`)
	require.NotContains(t, s.As("viewer").Do("GET", path, "").Body.String(), `name="revision"`)
	res := s.Post(path+"/withdraw", "revision="+revision+"&reason=+")
	require.Equal(t, 422, res.Code)
	require.Contains(t, res.Body.String(), "Say why it is withdrawn")
	stale := s.Post(path+"/withdraw", "revision=0&reason=A+%3Cdraft%3E.")
	require.Equal(t, 409, stale.Code)
	require.Contains(t, stale.Body.String(), "The session has changed in the meantime")
	require.Contains(t, stale.Body.String(), "A &lt;draft&gt;.</textarea>", "what was typed is kept")
	require.Equal(t, 303, s.Post(path+"/withdraw", "revision="+revision+"&reason=%D9%85%D8%B3%D9%88%D8%AF%D8%A9").Code)
	for lang, want := range map[string]string{"en": "was withdrawn and may not be cited", "ar": "سُحب هذا المستند"} {
		page = s.Do("GET", path+"?lang="+lang, "").Body.String()
		require.Contains(t, page, want)
		require.Contains(t, page, "مسودة")
	}
}

// The pages of the bundle and of the run link to each other, both for a session that names its bundle at import and for
// one that is judged again with it.
func TestRunsOfABundle(t *testing.T) {
	s := webtest.NewServer(t).As("reviewer")
	bundle := s.Bundle(webtest.InlineBundle)
	body := `{"format":"sanad.session/v1","session":{"external_id":"%","title":"Of a bundle","answer":"Leave is 15 days.","bundle_id":"` + bundle + `"},
	 "documents":[{"id":"hr","filename":"HR.txt","text":"Leave is 15 days."}],"claims":[{"claim_text":"Leave is 15 days"}]}`
	c := s.Create(body)
	require.Len(t, c.Warnings, 1)
	require.Equal(t, "session.bundle_id", c.Warnings[0].Path, "it says that the bundle was not read")
	path := "/api/v1/sessions/" + c.SessionID
	out := webtest.Get[judgedAnswer](t, s.Do("POST", path+"/judge", `{"bundle_id":"`+bundle+`"}`, "If-Match", "*"), 200)
	page := s.Do("GET", "/bundles/"+bundle, "").Body.String()
	for _, want := range []string{"Run 1 of", "Run 2 of", "Of a bundle", "/sessions/" + c.SessionID + "/runs/2",
		out.Run.ID, "nothing else", "Only linked"} {
		require.Contains(t, page, want)
	}
	require.Contains(t, s.Do("GET", "/api/v1/bundles?run_id="+out.Run.ID, "").Body.String(), bundle)
	require.Contains(t, s.Do("GET", "/sessions/"+c.SessionID+"/runs/1", "").Body.String(), "/bundles/"+bundle)

	require.Equal(t, 200, s.Do("POST", "/api/v1/sessions", body).Code, "the same again")
	other := s.Bundle(strings.Replace(webtest.InlineBundle, "15", "16", 1))
	again := s.Do("POST", "/api/v1/sessions", strings.Replace(body, bundle, other, 1))
	require.Equal(t, 200, again.Code, "it is no part of the content")
	require.Contains(t, s.Do("GET", "/sessions/"+c.SessionID+"/runs/1", "").Body.String(), "/bundles/"+other,
		"and yet its first run was given this one too")
	require.Equal(t, 1, strings.Count(s.Do("GET", "/bundles/"+bundle, "").Body.String(), "Run 1 of"), "linked once")
	require.Equal(t, 422, s.Do("POST", "/api/v1/sessions", strings.Replace(body, bundle, "none", 1)).Code)

	far := s.As("foreign").Do("POST", "/api/v1/sessions", body)
	require.Equal(t, 422, far.Code, "another tenant has no such bundle")
	require.Contains(t, far.Body.String(), "session.bundle_id")
	require.Equal(t, 422, s.As("foreign").Do("POST", "/api/v1/sessions", body).Code, "and nothing was stored of it")
}
