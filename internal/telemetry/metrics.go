// Package telemetry provides what operators monitor: Prometheus metrics and, if an endpoint is set, OpenTelemetry
// traces. Neither contains anything a person typed: routes appear as patterns, and addresses and queries never.
package telemetry

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Metrics collects the metrics of one server. It is safe for concurrent use.
type Metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	running  prometheus.Gauge
}

// readyTimeout limits how long a scrape waits for the readiness check.
const readyTimeout = 5 * time.Second

// NewMetrics returns the metrics of a server. ready reports whether the server can work; it is called at each scrape.
func NewMetrics(ready func(context.Context) bool) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "sanad_http_requests_total", Help: "Answered requests by route, method and status.",
		}, []string{"route", "method", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "sanad_http_request_seconds", Help: "Time to answer by route.",
			Buckets: prometheus.ExponentialBuckets(0.001, 2.5, 11),
		}, []string{"route"}),
		running: prometheus.NewGauge(prometheus.GaugeOpts{Name: "sanad_http_requests_running",
			Help: "Requests being answered."}),
	}
	up := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "sanad_ready", Help: "1 where /readyz answers ready, else 0.",
	}, func() float64 {
		ctx, cancel := context.WithTimeout(context.Background(), readyTimeout)
		defer cancel()
		if ready(ctx) {
			return 1
		}
		return 0
	})
	m.registry.MustRegister(m.requests, m.seconds, m.running, up, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Content adds what the newest complete check of all content says: when it ended, zero if never, and its faults.
func (m *Metrics) Content(last func() (at time.Time, faults int)) {
	m.registry.MustRegister(
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "sanad_content_checked_timestamp_seconds",
			Help: "When the newest check of all logs and all content was complete, as Unix time; 0 before the first.",
		}, func() float64 {
			at, _ := last()
			if at.IsZero() {
				return 0
			}
			return float64(at.Unix())
		}),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "sanad_content_faults", Help: "What the checks of all logs and all content found wrong.",
		}, func() float64 {
			_, faults := last()
			return float64(faults)
		}))
}

// Started counts a request as running. The returned function counts it as answered; route is the pattern of the address
// ("/sessions/:id"), or "" if the address matches no route. A nil *Metrics counts nothing.
func (m *Metrics) Started() (answered func(route, method string, status int, took time.Duration)) {
	if m == nil {
		return func(string, string, int, time.Duration) {}
	}
	m.running.Inc()
	return m.answered
}

func (m *Metrics) answered(route, method string, status int, took time.Duration) {
	m.running.Dec()
	if route == "" {
		route = "none"
	}
	m.requests.WithLabelValues(route, known(method), strconv.Itoa(status)).Inc()
	m.seconds.WithLabelValues(route).Observe(took.Seconds())
}

// known maps unknown methods to one label, so that clients cannot create new time series.
func known(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch,
		http.MethodDelete, http.MethodOptions:
		return method
	}
	return "other"
}

// Handler serves the metrics in Prometheus' text format, uncompressed: the surrounding server compresses.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{DisableCompression: true})
}
