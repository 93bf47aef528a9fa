package handlers_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/handlers"
	"sanad/internal/handlers/webtest"
	"sanad/internal/quota"
)

// shared returns the app with bounds for its memory, in MiB, and the pool.
func shared(t *testing.T, all, tenant, person int64) (*webtest.Server, *quota.Pool) {
	t.Helper()
	return sharedFor(t, quota.Limits{
		All: all << 20, Tenant: tenant << 20, Person: person << 20, Queue: 50, Wait: 20 * time.Millisecond,
	})
}

// sharedFor returns the app with bounds for its memory, and the pool.
func sharedFor(t *testing.T, limits quota.Limits) (*webtest.Server, *quota.Pool) {
	t.Helper()
	p := quota.NewPool(limits)
	return webtest.NewServer(t, func(o *handlers.Options) { o.Work = p }), p
}

// slow is a body that does not arrive before it is released.
type slow struct {
	body    io.Reader
	release <-chan struct{}
}

func (s slow) Read(b []byte) (int, error) {
	<-s.release
	return s.body.Read(b)
}

// However many requests one reviewer sends at once, they hold no more than a person's share, what is beyond gets 429,
// and another tenant is served meanwhile.
func TestParallelWorkOfOneReviewer(t *testing.T) {
	s, pool := shared(t, 200, 100, 60)
	for _, who := range []string{"reviewer", "foreign"} {
		s.Person(who)
	}
	const length = 5 << 20 // counts as 16 MiB
	release := make(chan struct{})
	answers := make(chan *httptest.ResponseRecorder, 40)
	var all sync.WaitGroup
	for i := range cap(answers) {
		all.Go(func() {
			r := webtest.Request(http.MethodPut, "/api/v1/lake/a/"+string(rune('a'+i%26))+strings.Repeat("b", i), "",
				"Authorization", "Bearer "+s.Person("reviewer").Token)
			r.Body, r.ContentLength = io.NopCloser(slow{strings.NewReader(strings.Repeat("x", length)), release}), length
			w := httptest.NewRecorder()
			s.Handler.ServeHTTP(w, r)
			answers <- w
		})
	}
	for range cap(answers) - 3 { // those that are refused
		w := <-answers
		require.Equal(t, 429, w.Code, w.Body)
		require.Equal(t, "10", w.Header().Get("Retry-After"))
		require.Contains(t, w.Body.String(), "Your other requests take all the memory that one person may use")
	}
	require.Equal(t, map[string]int64{"lake": 3 * 16 << 20}, pool.Use().Held, "three fit into 60 MiB")
	require.Equal(t, 201, s.As("foreign").Do("POST", "/api/v1/sessions", webtest.LeavePolicy).Code,
		"another tenant is served")
	require.Equal(t, 201, s.As("admin").Do("PUT", "/api/v1/lake/other", "x").Code, "and other people of the tenant")
	require.Equal(t, 200, s.As("reviewer").Do("GET", "/sessions", "").Code, "and what takes little memory")
	close(release)
	all.Wait()
	for range 3 {
		require.Equal(t, 201, (<-answers).Code)
	}
	require.Zero(t, pool.Use().Held["lake"])
}

// Every kind of expensive work asks for its share; whoever is refused is told in their language whose bound it was.
func TestWorkIsBounded(t *testing.T) {
	large := `{"x":"` + strings.Repeat("x", 65<<10) + `"}`
	const id = "00000000-0000-4000-8000-000000000000"
	s, pool := shared(t, 100, 0, 0)
	for name, c := range map[string][4]string{ // who, method, path, body
		"import":             {"reviewer", "POST", "/api/v1/sessions", webtest.LeavePolicy},
		"import by the page": {"reviewer", "POST", "/sessions", "x"},
		"documents":          {"reviewer", "POST", "/api/v1/sessions/" + id + "/documents", "{}"},
		"decision":           {"reviewer", "POST", "/api/v1/decisions", "{}"},
		"judging":            {"reviewer", "POST", "/api/v1/sessions/" + id + "/judge", "{}"},
		"judging by page":    {"reviewer", "POST", "/sessions/" + id + "/judge", ""},
		"evidence map":       {"reviewer", "POST", "/api/v1/evidence-maps", "{}"},
		"lake, write":        {"reviewer", "PUT", "/api/v1/lake/a", "x"},
		"lake, read":         {"reviewer", "GET", "/api/v1/lake/a", ""},
		"bundle":             {"reviewer", "POST", "/api/v1/bundles", "{}"},
		"artifact":           {"reviewer", "GET", "/bundles/" + id + "/artifact", ""},
		"replay":             {"reviewer", "GET", "/bundles/" + id + "/replay", ""},
		"redaction":          {"approver", "POST", "/api/v1/packs/RPK-2026-000001/redacted", "{}"},
		"redaction by page":  {"approver", "POST", "/packs/RPK-2026-000001/parts/redacted", ""},
		"export":             {"reviewer", "GET", "/sessions/" + id + "/export/pdf", ""},
		"draft":              {"reviewer", "GET", "/packs/RPK-2026-000001/draft.pdf", ""},
		"redline":            {"reviewer", "GET", "/sessions/" + id + "/answers.pdf", ""},
		"redline of a memo":  {"approver", "GET", "/packs/RPK-2026-000001/compare.pdf", ""},
		"reading copy":       {"approver", "GET", "/packs/RPK-2026-000001/reading.pdf", ""},
		"download":           {"reviewer", "GET", "/downloads/x", ""},
		"pack's download":    {"reviewer", "GET", "/downloads/packs/x", ""},
		"any large body":     {"admin", "POST", "/api/v1/webhooks", large},
	} {
		t.Run(name, func(t *testing.T) {
			s := *s
			s.T = t
			send := func() *httptest.ResponseRecorder {
				return s.As(c[0]).Do(c[1], c[2], c[3], "If-Match", "*")
			}
			require.NotEqual(t, 503, send().Code, "there is room")
			release, err := pool.Acquire(context.Background(), quota.Ask{Kind: "test", Weight: 100 << 20})
			require.NoError(t, err)
			w := send()
			release()
			require.Equal(t, 503, w.Code)
			require.Equal(t, "10", w.Header().Get("Retry-After"))
			require.NotEqual(t, 503, send().Code, "there is room again")
			require.Zero(t, pool.Use().Waiting)
			for kind, held := range pool.Use().Held {
				require.Zero(t, held, kind)
			}
		})
	}
}

func TestRefusedWorkSaysWhoseBoundItIs(t *testing.T) {
	for whose, c := range map[string]struct {
		tenant, person int64
		holder         string
		status         int
		words          []string
	}{
		"person": {tenant: 60, person: 40, holder: "", status: 429,
			words: []string{"one person may use", "المتاحة للشخص الواحد"}},
		"tenant": {tenant: 40, person: 30, holder: "somebody", status: 429,
			words: []string{"Your organisation", "في جهتك"}},
		"server": {tenant: 0, person: 0, holder: "somebody", status: 503,
			words: []string{"very busy", "أعمال كثيرة"}},
	} {
		t.Run(whose, func(t *testing.T) {
			s, pool := shared(t, 80, c.tenant, c.person)
			holder := c.holder
			if holder == "" {
				holder = s.Person("reviewer").ID
			}
			for i := range 2 {
				_, err := pool.Acquire(context.Background(),
					quota.Ask{Tenant: s.Tenant.ID, Person: holder + c.holder[:min(i, len(c.holder))], Weight: 20 << 20})
				require.NoError(t, err)
			}
			if whose == "server" {
				_, err := pool.Acquire(context.Background(), quota.Ask{Weight: 40 << 20})
				require.NoError(t, err)
			}
			for i, lang := range []string{"en", "ar"} {
				w := s.As("reviewer").Do("GET", "/downloads/x", "", "Accept-Language", lang)
				require.Equal(t, c.status, w.Code)
				require.Equal(t, "10", w.Header().Get("Retry-After"))
				require.Contains(t, w.Body.String(), c.words[i])
			}
			require.Equal(t, c.status, s.As("reviewer").Do("GET", "/api/v1/lake/a", "").Code)
		})
	}
}

// Artifacts of the lake that a request reads count to its sender's memory as what is uploaded does.
func TestArtifactsCountToTheirReadersMemory(t *testing.T) {
	const text = "Leave is 15 days."
	s, pool := shared(t, 400, 0, 120)
	require.Equal(t, 201, s.As("admin").Do("PUT", "/api/v1/lake/a.txt", text).Code)
	require.Equal(t, 201, s.As("admin").Do("PUT", "/api/v1/lake/large.txt", text+strings.Repeat(" x", 128<<10)).Code) // 50 MiB
	require.Equal(t, 201, s.As("admin").Do("PUT", "/api/v1/lake/huge.txt", text+strings.Repeat(" x", 3<<20)).Code)
	session := func(document string) string {
		return `{"format":"sanad.session/v1","session":{"answer":"Leave is 15 days."},"documents":[` + document + `]}`
	}
	created := s.As("reviewer").Do("POST", "/api/v1/sessions", session(`{"text":"`+text+`"}`))
	id := webtest.Get[webtest.Created](t, created, 201).SessionID
	_, err := pool.Acquire(context.Background(), quota.Ask{Tenant: s.Tenant.ID, Person: s.Person("reviewer").ID, Kind: "test",
		Weight: 80 << 20})
	require.NoError(t, err)
	for path, wrap := range map[string]func(string) string{
		"sessions":                      session,
		"sessions:batch":                func(d string) string { return `{"sessions":[` + session(d) + `]}` },
		"sessions/" + id + "/documents": func(d string) string { return `{"documents":[` + d + `]}` },
	} {
		send := func(document string) *httptest.ResponseRecorder {
			return s.As("reviewer").Do("POST", "/api/v1/"+path, wrap(document), "If-Match", "*")
		}
		small := send(`{"lake":"a.txt"}`)
		require.Less(t, small.Code, 300, "%s: %s", path, small.Body.String())
		large := send(`{"lake":"large.txt"}`)
		require.Equal(t, 429, large.Code, "%s: %s", path, large.Body.String())
		require.Equal(t, "10", large.Header().Get("Retry-After"))
		unread := send(`{"lake":"large.txt","lake_sha256":"` + strings.Repeat("00", 32) + `"}`)
		require.Equal(t, 429, unread.Code, "%s: memory is asked for before it is read and compared: %s", path, unread.Body.String())
		require.EqualValues(t, 80<<20, pool.Use().Held["test"])
		require.Zero(t, pool.Use().Held["upload"], path)
	}
	batch := s.As("reviewer").Do("POST", "/api/v1/sessions:batch", `{"sessions":[`+session(`{"lake":"huge.txt"}`)+`]}`)
	require.Equal(t, 200, batch.Code, "what is too large for a batch is refused alone, without memory: %s", batch.Body.String())
	require.Contains(t, batch.Body.String(), `"status":413`)
}
