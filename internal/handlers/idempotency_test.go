package handlers_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/handlers"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/webtest"
	"sanad/internal/importers"
)

func TestIdempotencyKeyAnswersAsTheFirstTime(t *testing.T) {
	s := webtest.NewServer(t)
	c := s.Create(webtest.LeavePolicy)
	path := "/api/v1/sessions/" + c.SessionID + "/claims/1/reviews"
	body := `{"action":"comment","reason":"once"}`
	first := s.Do("POST", path, body, "If-Match", "*", "Idempotency-Key", "k1")
	second := s.Do("POST", path, body, "If-Match", "*", "Idempotency-Key", "k1")
	require.Equal(t, http.StatusCreated, second.Code)
	require.Equal(t, first.Body.String(), second.Body.String())
	require.Equal(t, 422, s.Do("POST", path, `{"action":"comment","reason":"other"}`, "If-Match", "*",
		"Idempotency-Key", "k1").Code)
	session, err := s.Store.Session(context.Background(), s.Tenant.ID, c.SessionID)
	require.NoError(t, err)
	require.Len(t, session.Claims[0].Reviews, 1)
}

func TestIdempotencyKeyInParallel(t *testing.T) {
	s := webtest.NewServer(t)
	c := s.Create(webtest.LeavePolicy)
	path := "/api/v1/sessions/" + c.SessionID + "/claims/1/reviews"
	tag := s.Do("GET", c.LedgerURL, "").Header().Get("ETag")
	answers := make(chan *httptest.ResponseRecorder, 10)
	for range cap(answers) {
		go func() {
			answers <- s.Do("POST", path, `{"action":"comment","reason":"once"}`, "If-Match", tag, "Idempotency-Key",
				"same")
		}()
	}
	first := <-answers
	require.Equal(t, 201, first.Code, first.Body.String())
	for range cap(answers) - 1 {
		w := <-answers
		require.Equal(t, 201, w.Code, w.Body.String())
		require.Equal(t, first.Body.String(), w.Body.String())
		require.Equal(t, first.Header().Get("ETag"), w.Header().Get("ETag"))
	}
}

func TestIdempotencyKeyOfImportsAndExports(t *testing.T) {
	s := webtest.NewServer(t)
	c := s.Create(webtest.LeavePolicy)
	known := s.Do("POST", "/api/v1/sessions", webtest.LeavePolicy, "Idempotency-Key", "k")
	require.Equal(t, 200, known.Code)
	again := s.Do("POST", "/api/v1/sessions", webtest.LeavePolicy, "Idempotency-Key", "k")
	require.Equal(t, 200, again.Code)
	require.Equal(t, known.Body.String(), again.Body.String())
	require.Equal(t, known.Header().Get("Location"), again.Header().Get("Location"))
	require.Equal(t, 422, s.Do("POST", "/api/v1/sessions", strings.Replace(webtest.LeavePolicy, "hr-42", "hr-43", 1),
		"Idempotency-Key", "k").Code)

	path := "/api/v1/sessions/" + c.SessionID + "/ledger/export"
	one := s.Do("POST", path, `{"format":"json"}`, "Idempotency-Key", "e")
	require.Equal(t, 200, one.Code)
	require.Equal(t, one.Body.String(), s.Do("POST", path, `{"format":"json"}`, "Idempotency-Key", "e").Body.String())
}

// Two callers who happen to use the same key are independent: each request is executed, and neither caller sees the
// other's answer.
func TestIdempotencyKeysAreTheCallersOwn(t *testing.T) {
	s := webtest.NewServer(t)
	path := "/api/v1/sessions/" + s.Create(webtest.LeavePolicy).SessionID + "/claims/1/reviews"
	for _, who := range []string{"reviewer", "approver"} {
		res := s.As(who).Do("POST", path, `{"action":"comment","reason":"mine"}`, "If-Match", "*", "Idempotency-Key",
			"k")
		require.Equal(t, http.StatusCreated, res.Code, res.Body.String())
		require.Empty(t, res.Header().Get("Idempotent-Replayed"))
	}
}

// Changes whose transactions store no receipt also answer a repeat as the first time; without the key the repeat would
// be a 409, or a second link. A key belongs to one person and one request.
func TestReceiptAfterTheChange(t *testing.T) {
	w := webtest.NewWorld(t)
	proof := `{"password":"` + webtest.Password + `"}`
	for name, c := range map[string]call{
		"grant":  {who: "approver", method: "POST", path: "/pack-exports/{asked}/grant", body: proof},
		"refuse": {who: "approver", method: "POST", path: "/pack-exports/{refuse}/refuse", body: `{"reason":"No."}`},
		"link":   {who: "viewer", method: "POST", path: "/pack-exports/{granted}/link"},
		"hold":   {who: "admin", method: "POST", path: "/packs/{pack}/hold", body: `{"reason":"A case."}`},
	} {
		t.Run(name, func(t *testing.T) {
			path := w.Fill("/api/v1" + c.path)
			first := w.As(c.who).Do(c.method, path, c.body, "Idempotency-Key", name)
			require.Equal(t, 200, first.Code, first.Body.String())
			require.Empty(t, first.Header().Get("Idempotent-Replayed"))
			again := w.As(c.who).Do(c.method, path, c.body, "Idempotency-Key", name)
			require.Equal(t, 200, again.Code)
			require.Equal(t, "true", again.Header().Get("Idempotent-Replayed"))
			require.Equal(t, first.Body.String(), again.Body.String())
			require.Equal(t, first.Header().Get("ETag"), again.Header().Get("ETag"))
			require.Contains(t, []int{404, 409}, w.As(c.who).Do(c.method, path, c.body).Code,
				"without the key it is another request")
			require.NotContains(t, []int{200, 201},
				w.As("foreign").Do(c.method, path, c.body, "Idempotency-Key", name).Code)
			other := w.As(c.who).Do("POST", w.Fill("/api/v1/packs/{broken}/submit"), "", "Idempotency-Key", name)
			require.Contains(t, []int{403, 422}, other.Code)
			require.NotContains(t, other.Body.String(), `"errors"`, "the key is refused, not the draft")
		})
	}
}

// Of ten requests at once with one key, one is executed, and all get its answer.
func TestParallelRequestsWithOneKey(t *testing.T) {
	w := webtest.NewWorld(t)
	path, who := w.Fill("/api/v1/packs/{pack}/hold"), w.As("admin")
	who.Person("admin")
	answers := make(chan *httptest.ResponseRecorder, 10)
	for range cap(answers) {
		go func() { answers <- who.Do("POST", path, `{"reason":"A case."}`, "Idempotency-Key", "k") }()
	}
	first := <-answers
	for range cap(answers) - 1 {
		next := <-answers
		require.Equal(t, 200, next.Code, next.Body.String())
		require.Equal(t, first.Body.String(), next.Body.String())
	}
}

// A request with a wrong password stores no receipt: the same key can be used with the right one.
func TestRefusalStoresNoReceipt(t *testing.T) {
	w := webtest.NewWorld(t)
	path := w.Fill("/api/v1/pack-exports/{asked}/grant")
	require.Equal(t, 403, w.As("approver").Do("POST", path, `{"password":"wrong"}`, "Idempotency-Key", "k").Code)
	require.Equal(t, 200, w.As("approver").Do("POST", path, `{"password":"`+webtest.Password+`"}`, "Idempotency-Key",
		"k").Code)
}

// The password is not part of the stored digest: a repeat with another password is the same request, and gets the first
// answer.
func TestReceiptDoesNotDependOnThePassword(t *testing.T) {
	w := webtest.NewWorld(t)
	for path, body := range map[string]string{
		"/api/v1/pack-exports/{asked}/grant": `{"password":"%s"}`,
		"/api/v1/packs/{review}/approve":     `{"password":"%s","comment":"Read.","acknowledged":` + webtest.Alarms + `}`,
	} {
		t.Run(path, func(t *testing.T) {
			first := w.As("approver").Do("POST", w.Fill(path), fmt.Sprintf(body, webtest.Password), "Idempotency-Key",
				path)
			require.Equal(t, 200, first.Code, first.Body.String())
			again := w.As("approver").Do("POST", w.Fill(path), fmt.Sprintf(body, "wrong"), "Idempotency-Key", path)
			require.Equal(t, 200, again.Code, again.Body.String())
			require.Equal(t, "true", again.Header().Get("Idempotent-Replayed"))
			require.Equal(t, first.Body.String(), again.Body.String())
			other := fmt.Sprintf(`{"password":%q,"code":"1","comment":"Else."}`, webtest.Password)
			if strings.HasSuffix(path, "/approve") {
				require.Equal(t, 422, w.As("approver").Do("POST", w.Fill(path), other, "Idempotency-Key", path).Code)
			}
		})
	}
}

// A request that is too large is refused with its limit, whether it is read into memory or streamed. It leaves nothing
// behind: the key can be used for a smaller request.
func TestIdempotencyKeyOfATooLargeRequest(t *testing.T) {
	const most = 6 << 20 // above 5 MiB an import is streamed
	s := webtest.NewServer(t, func(o *handlers.Options) { o.Import = importers.Options{Bytes: most} })
	created := s.Create(webtest.LeavePolicy)
	upload := strings.Replace(webtest.LeavePolicy, "hr-42", "hr-43", 1)
	for name, c := range map[string]struct {
		path, body string
		limit      int
		says       string
	}{
		"read into memory": {
			path: "/api/v1/sessions/" + created.SessionID + "/claims/1/reviews",
			body: `{"action":"comment","reason":"once"}`, limit: web.MaxAPIBody, says: "larger than 16 MiB",
		},
		"streamed": {path: "/api/v1/sessions", body: upload, limit: most, says: "larger than 6 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			padded := func(n int) string { return c.body + strings.Repeat(" ", n-len(c.body)) }
			refused := s.Do("POST", c.path, padded(c.limit+1), "If-Match", "*", "Idempotency-Key", name)
			require.Equal(t, 413, refused.Code, refused.Body.String())
			require.Contains(t, refused.Body.String(), c.says)
			again := s.Do("POST", c.path, padded(c.limit+1), "If-Match", "*", "Idempotency-Key", name)
			require.Equal(t, 413, again.Code)
			require.Empty(t, again.Header().Get("Idempotent-Replayed"))

			first := s.Do("POST", c.path, c.body, "If-Match", "*", "Idempotency-Key", name)
			require.Equal(t, 201, first.Code, first.Body.String())
			require.Empty(t, first.Header().Get("Idempotent-Replayed"), "a refusal is not kept")
		})
	}
	session, err := s.Store.Session(context.Background(), s.Tenant.ID, created.SessionID)
	require.NoError(t, err)
	require.Len(t, session.Claims[0].Reviews, 1)
	jobs, _, err := s.Store.Jobs(context.Background(), s.Tenant.ID, db.JobQuery{Limit: 9})
	require.NoError(t, err)
	require.Empty(t, jobs)
	inputs, err := filepath.Glob(filepath.Join(s.Dir, "*", "jobs", "*"))
	require.NoError(t, err)
	require.Empty(t, inputs, "the stored part of the upload is removed")
}
