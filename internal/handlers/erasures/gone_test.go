package erasures_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/erasure"
	"sanad/internal/handlers/webtest"
)

// eraseAs asks for an erasure as the administrator and confirms it as the approver.
func eraseAs(t *testing.T, s *webtest.Server, kind erasure.Kind, id, reason string) {
	t.Helper()
	w := s.As("admin").Do("POST", "/api/v1/erasures", fmt.Sprintf(`{"kind":%q,"id":%q,"reason":%q}`, kind, id, reason))
	require.Equal(t, http.StatusCreated, w.Code, w.Body.String())
	asked := webtest.Between(w.Body.String(), `"erasure_id":"`, `"`)
	w = s.As("approver").Do("POST", "/api/v1/erasures/"+asked+"/confirm", `{"password":"`+webtest.Password+`"}`)
	require.Equal(t, http.StatusOK, w.Code, w.Body.String())
	require.Contains(t, w.Body.String(), `"status":"done"`)
}

// What was erased answers 410 with when and why to whoever could have read it, and 404 to others (rule ER-7).
func TestWhatWasErasedIsGone(t *testing.T) {
	w := webtest.NewWorld(t)
	document := w.Upload("admin").Documents[0].ID
	w.Names["erased"] = w.Upload("approver").ID
	const path = "files/one.txt"
	require.Equal(t, http.StatusCreated, w.As("reviewer").Do("PUT", "/api/v1/lake/"+path, "Zanzibarite words",
		"Content-Type", "text/plain").Code)
	for _, c := range []struct {
		kind      erasure.Kind
		id        string
		addresses []string
	}{
		{erasure.Document, document, []string{"GET /documents/" + document, "GET /documents/" + document + "/original"}},
		{erasure.Session, w.Names["erased"], []string{
			"GET /sessions/{erased}", "GET /sessions/{erased}/claims/1", "GET /sessions/{erased}/export/markdown",
			"GET /api/v1/sessions/{erased}", "GET /api/v1/sessions/{erased}/ledger", "GET /api/v1/sessions/{erased}/runs",
		}},
		{erasure.Bundle, w.Names["bundle"], []string{
			"GET /bundles/{bundle}", "GET /bundles/{bundle}/artifact", "GET /api/v1/bundles/{bundle}",
		}},
		{erasure.Artifact, path, []string{"GET /api/v1/lake/" + path}},
	} {
		t.Run(string(c.kind), func(t *testing.T) {
			eraseAs(t, w.Server, c.kind, c.id, "The person asked for it.")
			for _, address := range c.addresses {
				method, at, _ := strings.Cut(w.Fill(address), " ")
				got := w.As("reviewer").Do(method, at, "")
				require.Equal(t, http.StatusGone, got.Code, "%s: %s", address, got.Body.String())
				require.Contains(t, got.Body.String(), "The person asked for it.", address)
				require.Regexp(t, webtest.Now.Format("2006-01-02|2 Jan 2006"), got.Body.String(), address)
				require.Equal(t, http.StatusNotFound, w.As("foreign").Do(method, at, "").Code, "%s of another tenant", address)
			}
		})
	}
	require.Equal(t, http.StatusNotFound, w.As("viewer").Do("GET", "/sessions/00000000-0000-4000-8000-000000000000", "").Code)
	require.Contains(t, w.As("viewer").Do("GET", w.Fill("/sessions/{erased}?lang=ar"), "").Body.String(), "السبب المذكور")
}

// A request that is repeated with its key after an erasure is not done twice, and its answer is gone.
func TestStoredAnswersAreGone(t *testing.T) {
	s := webtest.NewServer(t)
	send := func() (int, string, string) {
		w := s.As("reviewer").Do("POST", "/api/v1/sessions", webtest.LeavePolicy, "Idempotency-Key", "one")
		return w.Code, w.Body.String(), w.Header().Get("Content-Type")
	}
	status, body, _ := send()
	require.Equal(t, http.StatusCreated, status)
	id := webtest.Between(body, `"session_id":"`, `"`)
	again, repeated, _ := send()
	require.Equal(t, []any{status, body}, []any{again, repeated})
	eraseAs(t, s, erasure.Session, id, "r")
	status, body, kind := send()
	require.Equal(t, []any{http.StatusGone, "application/problem+json"}, []any{status, kind})
	require.NotContains(t, body, id)
}

// A session's page leads whoever may ask for its erasure to the filled form, and nobody else.
func TestSessionLeadsToItsErasure(t *testing.T) {
	w := webtest.NewWorld(t)
	id := w.Upload("admin").ID
	href := "/admin/erasures?kind=session&amp;id=" + id
	require.Contains(t, w.As("admin").Do("GET", "/sessions/"+id+"?tab=sources", "").Body.String(), href)
	for _, who := range []string{"viewer", "reviewer", "approver"} {
		require.NotContains(t, w.As(who).Do("GET", "/sessions/"+id+"?tab=sources", "").Body.String(), href, who)
	}
	require.Contains(t, w.As("admin").Do("GET", strings.ReplaceAll(href, "&amp;", "&"), "").Body.String(), `value="`+id+`"`)
}
