package web_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/handlers"
	"sanad/internal/handlers/webtest"
)

// Too many requests with one token get 429 with Retry-After; other tokens, pages and the description are not limited.
func TestRateLimit(t *testing.T) {
	s := webtest.NewServer(t, func(o *handlers.Options) { o.Rate = handlers.Rate{PerSecond: 0.5, Burst: 2} })
	for range 2 {
		require.Equal(t, 200, s.As("viewer").Do("GET", "/api/v1/sessions", "").Code)
	}
	res := s.As("viewer").Do("GET", "/api/v1/sessions", "")
	require.Equal(t, http.StatusTooManyRequests, res.Code)
	require.Equal(t, "2", res.Header().Get("Retry-After"))
	require.Equal(t, "application/problem+json", res.Header().Get("Content-Type"))
	require.Equal(t, http.StatusTooManyRequests, s.As("viewer").Do("POST", "/api/v1/sessions", webtest.LeavePolicy).Code,
		"before the role is looked at")
	require.Equal(t, 200, s.As("reviewer").Do("GET", "/api/v1/sessions", "").Code)
	for range 5 {
		require.Equal(t, 200, s.As("viewer").Do("GET", "/sessions", "").Code)
		require.Equal(t, 200, s.As("viewer").Do("GET", "/api/v1/openapi.json", "").Code)
		require.Equal(t, 401, s.As("").Do("GET", "/api/v1/sessions", "", "Authorization", "Bearer wrong").Code)
	}
	s.Clock.Move(2 * time.Second)
	require.Equal(t, 200, s.As("viewer").Do("GET", "/api/v1/sessions", "").Code)
	require.Equal(t, http.StatusTooManyRequests, s.As("viewer").Do("GET", "/api/v1/sessions", "").Code)
}

// Answers that the limit governs say what is left of it, in the fields of draft-ietf-httpapi-ratelimit-headers-11;
// others, and servers without a limit, say nothing. What is left is never announced for less time than the rate takes
// to allow as much.
func TestRateLimitHeaders(t *testing.T) {
	s := webtest.NewServer(t, func(o *handlers.Options) { o.Rate = handlers.Rate{PerSecond: 0.5, Burst: 3} }).As("viewer")
	for _, want := range []struct {
		status int
		limit  string
	}{
		{200, `"token";r=2;t=4`}, {200, `"token";r=1;t=2`}, {200, `"token";r=0;t=2`}, {429, `"token";r=0;t=2`},
	} {
		w := s.Do("GET", "/api/v1/sessions", "")
		require.Equal(t, want.status, w.Code)
		require.Equal(t, want.limit, w.Header().Get("RateLimit"))
		require.Equal(t, `"token";q=3;w=6`, w.Header().Get("RateLimit-Policy"))
	}
	s.Clock.Move(time.Second)
	refused := s.Do("GET", "/api/v1/sessions", "").Header()
	require.Equal(t, `"token";r=0;t=1`, refused.Get("RateLimit"), "half a request")
	require.Equal(t, "1", refused.Get("Retry-After"), "not before the end of t")
	for _, w := range []http.Header{
		s.Do("GET", "/sessions", "").Header(), s.Do("GET", "/api/v1/openapi.json", "").Header(),
		s.As("").Do("GET", "/api/v1/sessions", "").Header(),
		webtest.NewServer(t).Do("GET", "/api/v1/sessions", "").Header(),
	} {
		require.Empty(t, w.Get("RateLimit")+w.Get("RateLimit-Policy"))
	}
}
