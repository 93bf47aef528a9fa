package interop

import (
	"context"
	_ "embed"
	"encoding/json"
	"maps"
	"net"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/live"
	"sanad/internal/handlers/webtest"
	"sanad/internal/otlp"
)

var (
	//go:embed otlp/package.json
	otlpPackage []byte
	//go:embed otlp/client.mjs
	otlpScript []byte
)

// TestOpenTelemetryJS has the SDK and the exporters of OpenTelemetry for JavaScript send traces by each protocol. Each
// becomes a session with the right answer, documents and calls of tools.
func TestOpenTelemetryJS(t *testing.T) {
	Need(t, "node", "npm")
	ctx, cancel := context.WithCancel(context.Background())
	s := webtest.NewServer(t)
	h := httptest.NewServer(s.Handler)
	defer h.Close()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ended := make(chan error, 1)
	go func() {
		ended <- otlp.Serve(ctx, l, otlp.Options{App: s.Handler, MaxBody: live.MaxBody, Log: webtest.DiscardLog})
	}()
	defer func() {
		cancel()
		require.NoError(t, <-ended)
	}()
	defer s.Work()()
	node := startLines(t, "node", filepath.Join(installNPM(t, "otlp",
		map[string][]byte{"package.json": otlpPackage, "client.mjs": otlpScript}), "client.mjs"))
	send := func(protocol, url, who string) (got struct{ Trace, Fault string }) {
		answer := node.ask(map[string]any{"protocol": protocol, "url": url, "token": s.Person(who).Token, "service": "js-" + protocol})
		require.NoError(t, json.Unmarshal([]byte(answer), &got), answer)
		return got
	}
	urls := map[string]string{"proto": h.URL + "/v1/traces", "json": h.URL + "/v1/traces", "grpc": "http://" + l.Addr().String()}
	services := map[string]string{}
	for protocol, url := range urls {
		require.NotEmpty(t, send(protocol, url, "viewer").Fault, protocol)
		got := send(protocol, url, "reviewer")
		require.Empty(t, got.Fault, protocol)
		services[got.Trace] = "js-" + protocol
	}
	s.Clock.Move(live.Settling + time.Second)
	var traces []live.Trace
	require.Eventually(t, func() bool {
		traces, err = s.Store.Traces(ctx, s.Tenant.ID, 10)
		require.NoError(t, err)
		for _, x := range traces {
			if x.State == live.Gathering {
				return false
			}
		}
		return true
	}, 30*time.Second, 10*time.Millisecond)
	require.Len(t, traces, len(urls))
	for _, x := range traces {
		require.Equal(t, live.Session, x.State, "%s: %s", x.Service, x.Note)
		require.Equal(t, services[x.ID], x.Service)
		require.Equal(t, 4, x.Spans)
		session, err := s.Store.Session(ctx, s.Tenant.ID, x.ObjectID)
		require.NoError(t, err)
		require.Equal(t, "Annual leave is 30 days for each employee. The balance is 12 days.", session.Answer)
		require.Equal(t, "How much leave is there?", session.Query)
		require.Equal(t, "m-1", session.Model)
		texts := map[string]string{} // by title; spans that began in one microsecond have no order
		for _, d := range session.Documents {
			texts[d.Title] = d.Chunks[0].Text
		}
		require.Len(t, session.Documents, 2)
		require.Equal(t, "The balance is 12 days.", texts[`balance {"employee":7}`])
		delete(texts, `balance {"employee":7}`)
		require.Equal(t, []string{"Annual leave is 30 days for each employee."}, slices.Collect(maps.Values(texts)))
	}
}
