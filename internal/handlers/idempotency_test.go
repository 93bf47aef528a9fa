package handlers_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestIdempotencyKeyAnswersAsTheFirstTime(t *testing.T) {
	s := newServer(t)
	c := s.create(leave)
	path := "/api/v1/sessions/" + c.SessionID + "/claims/1/reviews"
	body := `{"action":"comment","reason":"once"}`
	first := s.do("POST", path, body, "If-Match", "*", "Idempotency-Key", "k1")
	second := s.do("POST", path, body, "If-Match", "*", "Idempotency-Key", "k1")
	require.Equal(t, http.StatusCreated, second.Code)
	require.Equal(t, first.Body.String(), second.Body.String())
	require.Equal(t, 422, s.do("POST", path, `{"action":"comment","reason":"other"}`, "If-Match", "*", "Idempotency-Key", "k1").Code)
	session, err := s.store.Session(context.Background(), s.tenant.ID, c.SessionID)
	require.NoError(t, err)
	require.Len(t, session.Claims[0].Reviews, 1)
}

func TestIdempotencyKeyInParallel(t *testing.T) {
	s := newServer(t)
	c := s.create(leave)
	path := "/api/v1/sessions/" + c.SessionID + "/claims/1/reviews"
	tag := s.do("GET", c.LedgerURL, "").Header().Get("ETag")
	answers := make(chan *httptest.ResponseRecorder, 10)
	for range cap(answers) {
		go func() {
			answers <- s.do("POST", path, `{"action":"comment","reason":"once"}`, "If-Match", tag, "Idempotency-Key", "same")
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
	s := newServer(t)
	c := s.create(leave)
	known := s.do("POST", "/api/v1/sessions", leave, "Idempotency-Key", "k")
	require.Equal(t, 200, known.Code)
	again := s.do("POST", "/api/v1/sessions", leave, "Idempotency-Key", "k")
	require.Equal(t, 200, again.Code)
	require.Equal(t, known.Body.String(), again.Body.String())
	require.Equal(t, known.Header().Get("Location"), again.Header().Get("Location"))
	require.Equal(t, 422, s.do("POST", "/api/v1/sessions", strings.Replace(leave, "hr-42", "hr-43", 1), "Idempotency-Key", "k").Code)

	path := "/api/v1/sessions/" + c.SessionID + "/ledger/export"
	one := s.do("POST", path, `{"format":"json"}`, "Idempotency-Key", "e")
	require.Equal(t, 200, one.Code)
	require.Equal(t, one.Body.String(), s.do("POST", path, `{"format":"json"}`, "Idempotency-Key", "e").Body.String())
}

// Two callers who happen to use one key are two requests: neither is shown the other's answer, nor loses the own one.
func TestIdempotencyKeysAreTheCallersOwn(t *testing.T) {
	s := newServer(t)
	path := "/api/v1/sessions/" + s.create(leave).SessionID + "/claims/1/reviews"
	for _, who := range []string{"reviewer", "approver"} {
		res := s.as(who).do("POST", path, `{"action":"comment","reason":"mine"}`, "If-Match", "*", "Idempotency-Key", "k")
		require.Equal(t, http.StatusCreated, res.Code, res.Body.String())
		require.Empty(t, res.Header().Get("Idempotent-Replayed"))
	}
}
