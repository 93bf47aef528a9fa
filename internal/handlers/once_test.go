package handlers_test

import (
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

// The writes whose transactions keep no receipt answer a repeat as the first time too: without the key the repeat would be a
// 409, or a second link. The key is one person's and one request's.
func TestOnce(t *testing.T) {
	w := newWorld(t)
	proof := `{"password":"` + password + `"}`
	for name, c := range map[string]call{
		"grant":  {who: "approver", method: "POST", path: "/pack-exports/{asked}/grant", body: proof},
		"refuse": {who: "approver", method: "POST", path: "/pack-exports/{refuse}/refuse", body: `{"reason":"No."}`},
		"link":   {who: "viewer", method: "POST", path: "/pack-exports/{granted}/link"},
		"hold":   {who: "admin", method: "POST", path: "/packs/{pack}/hold", body: `{"reason":"A case."}`},
	} {
		t.Run(name, func(t *testing.T) {
			path := w.fill("/api/v1" + c.path)
			first := w.as(c.who).do(c.method, path, c.body, "Idempotency-Key", name)
			require.Equal(t, 200, first.Code, first.Body.String())
			require.Empty(t, first.Header().Get("Idempotent-Replayed"))
			again := w.as(c.who).do(c.method, path, c.body, "Idempotency-Key", name)
			require.Equal(t, 200, again.Code)
			require.Equal(t, "true", again.Header().Get("Idempotent-Replayed"))
			require.Equal(t, first.Body.String(), again.Body.String())
			require.Equal(t, first.Header().Get("ETag"), again.Header().Get("ETag"))
			require.Contains(t, []int{404, 409}, w.as(c.who).do(c.method, path, c.body).Code, "without the key it is another request")
			require.NotContains(t, []int{200, 201}, w.as("foreign").do(c.method, path, c.body, "Idempotency-Key", name).Code)
			other := w.as(c.who).do("POST", w.fill("/api/v1/packs/{broken}/submit"), "", "Idempotency-Key", name)
			require.Contains(t, []int{403, 422}, other.Code)
			require.NotContains(t, other.Body.String(), `"errors"`, "the key is refused, not the draft")
		})
	}
}

// Ten at once with one key: one is done, and all are answered with it.
func TestOnceInParallel(t *testing.T) {
	w := newWorld(t)
	path, who := w.fill("/api/v1/packs/{pack}/hold"), w.as("admin")
	who.person("admin")
	answers := make(chan *httptest.ResponseRecorder, 10)
	for range cap(answers) {
		go func() { answers <- who.do("POST", path, `{"reason":"A case."}`, "Idempotency-Key", "k") }()
	}
	first := <-answers
	for range cap(answers) - 1 {
		next := <-answers
		require.Equal(t, 200, next.Code, next.Body.String())
		require.Equal(t, first.Body.String(), next.Body.String())
	}
}

// A wrong password keeps no receipt: the same key may be used for the right one.
func TestOnceKeepsNoRefusal(t *testing.T) {
	w := newWorld(t)
	path := w.fill("/api/v1/pack-exports/{asked}/grant")
	require.Equal(t, 403, w.as("approver").do("POST", path, `{"password":"wrong"}`, "Idempotency-Key", "k").Code)
	require.Equal(t, 200, w.as("approver").do("POST", path, `{"password":"`+password+`"}`, "Idempotency-Key", "k").Code)
}
