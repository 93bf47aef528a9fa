package telemetry_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/quota"
	"sanad/internal/telemetry"
)

func scrape(m *telemetry.Metrics) string {
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	return w.Body.String()
}

func TestMetrics(t *testing.T) {
	works := true
	m := telemetry.NewMetrics(func(context.Context) bool { return works })
	for range 2 {
		m.Started()("/sessions/:id", "GET", 200, 3*time.Millisecond)
	}
	m.Started()("", "BREW", 404, time.Millisecond)
	running := m.Started()
	text := scrape(m)
	require.Contains(t, text, `sanad_http_requests_total{method="GET",route="/sessions/:id",status="200"} 2`)
	require.Contains(t, text, `sanad_http_requests_total{method="other",route="none",status="404"} 1`)
	require.Contains(t, text, `sanad_http_request_seconds_count{route="/sessions/:id"} 2`)
	require.Contains(t, text, "sanad_http_requests_running 1")
	require.Contains(t, text, "sanad_ready 1")
	require.Contains(t, text, "go_goroutines")
	running("/", "GET", 200, time.Millisecond)
	works = false
	text = scrape(m)
	require.Contains(t, text, "sanad_http_requests_running 0")
	require.Contains(t, text, "sanad_ready 0")
}

// What memory is used for is shown by kind of work; no label says who.
func TestWorkMetrics(t *testing.T) {
	m := telemetry.NewMetrics(func(context.Context) bool { return true })
	memory := quota.NewPool(quota.Limits{All: 100, Person: 60, Queue: 1})
	m.Work(memory, quota.NewPool(quota.Limits{All: 1}))
	ask := quota.Ask{Tenant: "secret-tenant", Person: "secret-person", Kind: "lake", Weight: 50}
	release, err := memory.Acquire(t.Context(), ask)
	require.NoError(t, err)
	_, err = memory.Acquire(t.Context(), ask)
	require.Error(t, err)
	m.Reading(func() (now, waiting int) { return 3, 4 })
	text := scrape(m)
	require.Contains(t, text, "sanad_reading 3\n")
	require.Contains(t, text, "sanad_reading_waiting 4\n")
	require.Contains(t, text, `sanad_work_bytes{kind="lake"} 50`)
	require.Contains(t, text, "sanad_work_limit_bytes 100")
	require.Contains(t, text, "sanad_work_waiting 0")
	require.Contains(t, text, `sanad_work_refused_total{kind="lake"} 1`)
	require.NotContains(t, text, "secret-")
	release()
	require.Contains(t, scrape(m), `sanad_work_bytes{kind="lake"} 0`)
}

func TestNilMetrics(t *testing.T) {
	var none *telemetry.Metrics
	none.Started()("/", "GET", 200, time.Millisecond)
}

func TestNoEndpointMeansNoTraces(t *testing.T) {
	for name, env := range map[string][3]string{
		"nothing set": {"", "", ""}, "switched off": {"http://192.0.2.1", "true", ""},
		"no exporter": {"http://192.0.2.1", "", "none"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", env[0])
			t.Setenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", env[0])
			t.Setenv("OTEL_SDK_DISABLED", env[1])
			t.Setenv("OTEL_TRACES_EXPORTER", env[2])
			tr, err := telemetry.TracesFromEnvironment(context.Background(), nil)
			require.NoError(t, err)
			require.Nil(t, tr)
			ctx, end := tr.Start(httptest.NewRequest(http.MethodGet, "/", nil))
			end("/", 200)
			require.Empty(t, telemetry.ID(ctx))
			require.NoError(t, tr.Close(ctx))
		})
	}
}

// An unreachable collector is reported, and delays nothing except Close, within its deadline.
func TestTracesWithoutCollector(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", gone.URL)
	told := make(chan error, 10)
	tr, err := telemetry.TracesFromEnvironment(context.Background(), func(err error) { told <- err })
	require.NoError(t, err)
	_, end := tr.Start(httptest.NewRequest(http.MethodGet, "/", nil))
	end("/", 200)
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	err = tr.Close(ctx)
	if err == nil {
		err = <-told
	}
	require.Error(t, err)
}

// A collector receives the route and the caller's trace id, but neither the URL nor its query.
func TestTraces(t *testing.T) {
	got := make(chan []byte, 1)
	collector := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got <- body
	}))
	defer collector.Close()
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.URL)
	t.Setenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "")
	tr, err := telemetry.TracesFromEnvironment(context.Background(), func(error) {})
	require.NoError(t, err)
	r := httptest.NewRequest(http.MethodGet, "/downloads/SECRET?q=SECRET", nil)
	r.Header.Set("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
	ctx, end := tr.Start(r)
	require.Equal(t, "0af7651916cd43dd8448eb211c80319c", telemetry.ID(ctx))
	end("/downloads/:token", 200)
	require.NoError(t, tr.Close(context.Background()))
	body := string(<-got)
	require.Contains(t, body, "GET /downloads/:token")
	require.NotContains(t, body, "SECRET")
}
