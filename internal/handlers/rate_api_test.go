package handlers_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/handlers"
)

// Too many requests with one token are 429 with Retry-After; others, pages and the description are answered.
func TestRateLimit(t *testing.T) {
	s := newServer(t, func(o *handlers.Options) { o.Rate = handlers.Rate{PerSecond: 0.5, Burst: 2} })
	for range 2 {
		require.Equal(t, 200, s.as("viewer").do("GET", "/api/v1/sessions", "").Code)
	}
	res := s.as("viewer").do("GET", "/api/v1/sessions", "")
	require.Equal(t, http.StatusTooManyRequests, res.Code)
	require.Equal(t, "2", res.Header().Get("Retry-After"))
	require.Equal(t, "application/problem+json", res.Header().Get("Content-Type"))
	require.Equal(t, http.StatusTooManyRequests, s.as("viewer").do("POST", "/api/v1/sessions", leave).Code, "before the role is looked at")
	require.Equal(t, 200, s.as("reviewer").do("GET", "/api/v1/sessions", "").Code)
	for range 5 {
		require.Equal(t, 200, s.as("viewer").do("GET", "/sessions", "").Code)
		require.Equal(t, 200, s.as("viewer").do("GET", "/api/v1/openapi.json", "").Code)
		require.Equal(t, 401, s.as("").do("GET", "/api/v1/sessions", "", "Authorization", "Bearer wrong").Code)
	}
	s.clock.move(2 * time.Second)
	require.Equal(t, 200, s.as("viewer").do("GET", "/api/v1/sessions", "").Code)
	require.Equal(t, http.StatusTooManyRequests, s.as("viewer").do("GET", "/api/v1/sessions", "").Code)
}
