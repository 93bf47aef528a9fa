package web_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/access"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/limits"
	"sanad/internal/handlers/webtest"
)

// Too many requests of one person get 429 with Retry-After; other people and the description are not limited.
func TestRateLimit(t *testing.T) {
	s := webtest.NewServer(t, func(o *web.Options) { o.Rate = limits.Rate{PerSecond: 0.5, Burst: 2} })
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
	s := webtest.NewServer(t, func(o *web.Options) { o.Rate = limits.Rate{PerSecond: 0.5, Burst: 3} }).As("viewer")
	for _, want := range []struct {
		status int
		limit  string
	}{
		{200, `"account";r=2;t=4`}, {200, `"account";r=1;t=2`}, {200, `"account";r=0;t=2`}, {429, `"account";r=0;t=2`},
	} {
		w := s.Do("GET", "/api/v1/sessions", "")
		require.Equal(t, want.status, w.Code)
		require.Equal(t, want.limit, w.Header().Get("RateLimit"))
		require.Equal(t, `"account";q=3;w=6`, w.Header().Get("RateLimit-Policy"))
	}
	s.Clock.Move(time.Second)
	refused := s.Do("GET", "/api/v1/sessions", "").Header()
	require.Equal(t, `"account";r=0;t=1`, refused.Get("RateLimit"), "half a request")
	require.Equal(t, "1", refused.Get("Retry-After"), "not before the end of t")
	for _, w := range []http.Header{
		s.Do("GET", "/api/v1/openapi.json", "").Header(), s.Do("GET", "/login", "").Header(),
		s.As("").Do("GET", "/api/v1/sessions", "").Header(),
		webtest.NewServer(t).Do("GET", "/api/v1/sessions", "").Header(),
	} {
		require.Empty(t, w.Get("RateLimit")+w.Get("RateLimit-Policy"))
	}
}

// A person has one limit, with all their tokens and logins and in each tenant, and the fields say what is left of it; a
// machine's token has its own. Twenty tokens asked twenty times as often before.
func TestOneLimitOfAPerson(t *testing.T) {
	const burst = 6
	s := webtest.NewServer(t, func(o *web.Options) { o.Rate = limits.Rate{PerSecond: 0.5, Burst: burst} })
	who := s.Person("reviewer")
	elsewhere := access.AtCommandLine(s.Other.ID)
	require.NoError(t, s.Store.AddMember(context.Background(), elsewhere, who.ID, access.Viewer))
	token := func(i int) string {
		if i%3 == 0 {
			return s.NewToken(who.ID, s.Other.ID, access.Viewer)
		}
		return s.NewToken(who.ID, s.Tenant.ID, access.Reviewer)
	}
	answered := 0
	for i := range 20 {
		var w *httptest.ResponseRecorder
		if i%2 == 1 {
			cookie := web.LoginCookie + "=" + s.NewLogin(who.ID, s.Tenant.ID)
			w = s.As("").Do("GET", "/sessions", "", "Cookie", cookie)
		} else {
			w = s.As("").Do("GET", "/api/v1/sessions", "", "Authorization", "Bearer "+token(i))
		}
		left := max(0, burst-1-i)
		require.Equal(t, fmt.Sprintf(`"account";r=%d;t=%d`, left, max(2, 2*left)), w.Header().Get("RateLimit"), "%d", i)
		if w.Code == http.StatusOK {
			answered++
		} else {
			require.Equal(t, http.StatusTooManyRequests, w.Code)
			require.Equal(t, "2", w.Header().Get("Retry-After"))
		}
	}
	require.Equal(t, burst, answered, "of 20 requests by 20 tokens and logins")
	for lang, words := range map[string]string{"en": "Too many requests were made in your name", "ar": "وردت باسمك طلبات كثيرة"} {
		w := s.As("reviewer").Do("GET", "/sessions", "", "Accept-Language", lang)
		require.Equal(t, http.StatusTooManyRequests, w.Code)
		require.Contains(t, w.Body.String(), words)
	}
	require.Equal(t, 200, s.As("viewer").Do("GET", "/sessions", "").Code, "others are not affected")
	for range 2 {
		w := s.As("").Do("GET", "/api/v1/sessions", "", "Authorization", "Bearer "+s.NewToken("", s.Tenant.ID, access.Viewer))
		require.Equal(t, 200, w.Code)
		require.Equal(t, `"account";r=5;t=10`, w.Header().Get("RateLimit"), "each machine's token by itself")
	}
}
