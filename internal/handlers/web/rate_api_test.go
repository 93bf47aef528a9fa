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
