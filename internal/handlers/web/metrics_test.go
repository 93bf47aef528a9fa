package web_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db/dbtest"
	"sanad/internal/domain/access"
	"sanad/internal/domain/job"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/webtest"
	"sanad/internal/lake"
	"sanad/internal/telemetry"
)

const metricsToken = "a-token-of-the-operator"

func withMetrics(o *web.Options) { o.MetricsToken = metricsToken }

func TestMetricsRequireToken(t *testing.T) {
	s := webtest.NewServer(t, withMetrics)
	api := s.Person("admin").Token
	for name, given := range map[string]string{
		"none": "", "empty": "Bearer ", "basic": "Basic " + metricsToken, "beginning": "Bearer " + metricsToken[:8],
		"longer": "Bearer " + metricsToken + "x", "of the API": "Bearer " + api,
	} {
		t.Run(name, func(t *testing.T) {
			res := s.As("").Do("GET", "/metrics", "", "Authorization", given)
			require.Equal(t, 401, res.Code)
			require.Contains(t, res.Header().Get("WWW-Authenticate"), "Bearer")
			require.Contains(t, res.Header().Get("Content-Type"), "text/plain")
			require.NotContains(t, res.Body.String(), "sanad_http")
		})
	}
	require.Equal(t, 401, s.As("admin").Do("GET", "/metrics", "").Code, "a login is no token")
	res := s.As("").Do("GET", "/metrics", "", "Authorization", "Bearer "+metricsToken)
	require.Equal(t, 200, res.Code)
	require.Contains(t, res.Header().Get("Content-Type"), "text/plain")
	require.Contains(t, res.Body.String(), `sanad_http_requests_total{method="GET",route="/metrics",status="401"} 7`)
	require.Equal(t, 401, s.As("").Do("HEAD", "/metrics", "").Code)
}

// If no token is set, /metrics answers as an unknown address, also to a request with an empty token.
func TestNoMetricsWithoutAToken(t *testing.T) {
	s := webtest.NewServer(t)
	for _, given := range []string{"", "Bearer ", "Bearer x"} {
		want := s.As("").Do("GET", "/metricz", "", "Authorization", given)
		got := s.As("").Do("GET", "/metrics", "", "Authorization", given)
		require.Equal(t, 404, got.Code)
		require.Equal(t, unaddressed(want, "/metricz"), unaddressed(got, "/metrics"))
	}
}

func unaddressed(res *httptest.ResponseRecorder, path string) string {
	return strings.ReplaceAll(webtest.Answer(res), path, "")
}

// Metric labels have the route's pattern, never an id, a token or an address that a client made up.
func TestMetricsNameRoutesOnly(t *testing.T) {
	s := webtest.NewServer(t, withMetrics)
	made := s.Create(webtest.LeavePolicy)
	s.As("viewer").Do("GET", "/sessions/"+made.SessionID+"?q=private", "")
	s.As("").Do("GET", "/downloads/SECRET", "")
	s.As("").Do("GET", "/made-up/SECRET", "")
	s.As("").Do("BREW", "/", "")
	text := s.As("").Do("GET", "/metrics", "", "Authorization", "Bearer "+metricsToken).Body.String()
	require.Contains(t, text, `{method="GET",route="/sessions/:id",status="200"} 1`)
	require.Contains(t, text, `{method="POST",route="/api/v1/sessions",status="201"} 1`)
	require.Contains(t, text, `{method="GET",route="/downloads/:token",status="303"} 1`)
	require.Contains(t, text, `{method="GET",route="none",status="404"} 1`)
	require.Contains(t, text, `{method="other",route="none",status="405"} 1`)
	require.Contains(t, text, "sanad_ready 1")
	for _, never := range []string{"SECRET", "made-up", "private", made.SessionID, "BREW"} {
		require.NotContains(t, text, never)
	}
}

// Prometheus accepts gzip; the answer is compressed only once.
func TestMetricsCompressedOnce(t *testing.T) {
	srv := httptest.NewServer(webtest.NewServer(t, withMetrics).Handler)
	defer srv.Close()
	req, err := http.NewRequest(http.MethodGet, srv.URL+"/metrics", nil)
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+metricsToken)
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer res.Body.Close() //nolint:errcheck // only read
	body, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.True(t, res.Uncompressed, "it was compressed, and the client undid that")
	require.Contains(t, string(body), "# HELP sanad_ready")
}

// down is an Authorizer whose server does not answer.
type down struct{ access.ByRole }

func (down) Ready(context.Context) error { return io.ErrUnexpectedEOF }

func TestReadinessMetric(t *testing.T) {
	s := webtest.NewServer(t, withMetrics, func(o *web.Options) { o.Authorizer = down{} })
	res := s.As("").Do("GET", "/readyz", "")
	require.Equal(t, 503, res.Code)
	require.Contains(t, res.Body.String(), "everything is denied")
	require.NotContains(t, res.Body.String(), "EOF")
	require.Contains(t, s.As("").Do("GET", "/metrics", "", "Authorization", "Bearer "+metricsToken).Body.String(),
		"sanad_ready 0")
	require.Equal(t, 200, s.As("").Do("GET", "/healthz", "").Code)
}

// If the lake cannot be reached, the server is not ready; the reason does not contain the error's text.
func TestNotReadyWhenLakeIsGone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "lake")
	l, err := lake.Open(context.Background(), "", dir)
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	s := webtest.NewServer(t, withMetrics, func(o *web.Options) { o.Lake = l })
	require.Equal(t, 200, s.As("").Do("GET", "/readyz", "").Code)
	require.NoError(t, os.RemoveAll(dir))
	res := s.As("").Do("GET", "/readyz", "")
	require.Equal(t, 503, res.Code)
	require.Equal(t, "not ready: the lake cannot be reached, so no evidence bundle can be built or read\n",
		res.Body.String())
	require.Equal(t, 200, s.As("").Do("GET", "/healthz", "").Code)
}

// Everything that is missing is named, as text and as JSON, and what is there is too.
func TestReadinessNamesWhatIsMissing(t *testing.T) {
	type answer struct {
		Ready bool
		Needs []struct {
			Name  string
			Ready bool
			Why   string
		}
	}
	dir := filepath.Join(t.TempDir(), "lake")
	l, err := lake.Open(context.Background(), "", dir)
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	s := webtest.NewServer(t, func(o *web.Options) { o.Lake, o.Authorizer = l, down{} })
	names := []string{"database", "files", "log", "content", "witness", "authorization", "lake"}
	ask := func(status int, missing ...string) answer {
		res := s.As("").Do("GET", "/readyz", "", "Accept", "application/json")
		require.Equal(t, status, res.Code, res.Body)
		require.Contains(t, res.Header().Values("Vary"), "Accept")
		var a answer
		require.NoError(t, json.Unmarshal(res.Body.Bytes(), &a))
		require.Equal(t, status == 200, a.Ready)
		var said []string
		for i, n := range a.Needs {
			require.Equal(t, names[i], n.Name)
			require.Equal(t, n.Ready, n.Why == "")
			if !n.Ready {
				said = append(said, n.Name)
			}
		}
		require.Equal(t, missing, said)
		return a
	}
	ask(503, "authorization")
	require.NoError(t, os.RemoveAll(dir))
	require.NoError(t, os.RemoveAll(filepath.Join(s.Dir, "originals")))
	a := ask(503, "files", "authorization", "lake")
	res := s.As("").Do("GET", "/readyz", "")
	require.Equal(t, 503, res.Code)
	require.Equal(t, "not ready: "+a.Needs[1].Why+"; "+a.Needs[5].Why+"; "+a.Needs[6].Why+"\n", res.Body.String())
	require.NotContains(t, res.Body.String(), dir, "no path is told")
}

func TestMetricsOfTheStore(t *testing.T) {
	writers := 1
	if dbtest.OnPostgres() {
		writers = 8
	}
	s := webtest.NewServer(t, withMetrics)
	ctx := context.Background()
	text := func() string {
		return s.As("").Do("GET", "/metrics", "", "Authorization", "Bearer "+metricsToken).Body.String()
	}
	require.Contains(t, text(), "sanad_jobs_oldest_seconds 0\n")
	require.Contains(t, text(), "sanad_jobs_heard 0\n", "nobody waits for jobs yet")
	require.Contains(t, text(), "sanad_db_full 0\n")
	s.Store.JobsChanged()
	if dbtest.OnPostgres() {
		require.Eventually(t, func() bool { return strings.Contains(text(), "sanad_jobs_heard 1\n") }, time.Minute,
			10*time.Millisecond)
	}
	in, err := s.Store.PutJobInput(ctx, strings.NewReader("an upload"))
	require.NoError(t, err)
	asker := access.Actor{Tenant: s.Tenant.ID, ID: s.Person("reviewer").ID, Role: access.Reviewer}
	_, _, err = s.Store.AddJob(ctx, asker, in, job.File, "a.json", nil)
	require.NoError(t, err)
	s.Clock.Move(90 * time.Second)
	got := text()
	for _, line := range []string{`sanad_jobs{state="queued"} 1`, `sanad_jobs{state="running"} 0`,
		"sanad_jobs_oldest_seconds 90", "sanad_webhooks_waiting 0", fmt.Sprintf(`sanad_db_connections_limit{pool="write"} %d`, writers),
		`sanad_db_connections{pool="read",state="in_use"}`, `sanad_db_waits_total{pool="write"}`,
		`sanad_db_wait_seconds_total{pool="read"}`} {
		require.Contains(t, got, line)
	}
}

// The log line of a request has the caller's trace id; without an endpoint for traces it has none.
func TestTraceInTheLog(t *testing.T) {
	const trace = "0af7651916cd43dd8448eb211c80319c"
	collector := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer collector.Close()
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.URL)
	traces, err := telemetry.TracesFromEnvironment(context.Background(), func(error) {})
	require.NoError(t, err)
	for _, c := range []struct {
		traces *telemetry.Traces
		want   any
	}{{traces, trace}, {nil, nil}} {
		var log bytes.Buffer
		s := webtest.NewServer(t, func(o *web.Options) {
			o.Traces, o.Log = c.traces, slog.New(slog.NewJSONHandler(&log, nil))
		})
		s.As("").Do("GET", "/healthz", "", "Traceparent", "00-"+trace+"-b7ad6b7169203331-01")
		var line map[string]any
		require.NoError(t, json.Unmarshal(log.Bytes(), &line), log.String())
		require.Equal(t, c.want, line["trace_id"])
		require.NotEmpty(t, line["request_id"])
	}
	require.NoError(t, traces.Close(context.Background()))
}

// A large upload by a user who may import can take longer than the server's deadlines, which here have passed when its
// headers have arrived; any other request cannot.
func TestUploadsOutliveTheDeadlines(t *testing.T) {
	s := webtest.NewServer(t)
	srv := httptest.NewUnstartedServer(s.Handler)
	srv.Config.ReadHeaderTimeout = time.Minute
	srv.Config.ReadTimeout, srv.Config.WriteTimeout = time.Nanosecond, time.Nanosecond
	srv.Start()
	defer srv.Close()
	upload := webtest.LeavePolicy + strings.Repeat(" ", 64<<10) // more than arrives with the headers
	token := s.Person("reviewer").Token
	post := func(path string) (int, error) {
		req, err := http.NewRequest(http.MethodPost, srv.URL+path, strings.NewReader(upload))
		if err != nil {
			return 0, err
		}
		req.Header.Set("Authorization", "Bearer "+token)
		req.Header.Set("Content-Type", "application/json")
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			return 0, err
		}
		return res.StatusCode, res.Body.Close()
	}
	var both sync.WaitGroup
	var status int
	var imported, mapped error
	both.Go(func() { status, imported = post("/api/v1/sessions") })
	both.Go(func() { _, mapped = post("/api/v1/evidence-maps") })
	both.Wait()
	require.NoError(t, imported)
	require.Equal(t, 201, status)
	require.Error(t, mapped, "no answer comes")
}
