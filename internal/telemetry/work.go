package telemetry

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"

	"sanad/internal/quota"
)

// Work adds what the memory of requests and jobs is used for, and how often something was refused: for want of memory,
// or because too many logins waited. memory may be nil. Labels are kinds of work, never who asked.
func (m *Metrics) Work(memory, logins *quota.Pool) { m.registry.MustRegister(&work{memory, logins}) }

type work struct{ memory, logins *quota.Pool }

var (
	workUsed = prometheus.NewDesc("sanad_work_bytes", "Memory reserved for requests and jobs in progress, by kind.",
		[]string{"kind"}, nil)
	workLimit = prometheus.NewDesc("sanad_work_limit_bytes",
		"Memory that may be reserved for requests and jobs together.", nil, nil)
	workWaiting = prometheus.NewDesc("sanad_work_waiting", "Requests and jobs that wait for memory.", nil, nil)
	workRefused = prometheus.NewDesc("sanad_work_refused_total",
		"Requests refused for want of memory, by kind; login: because too many waited to be checked.",
		[]string{"kind"}, nil)
)

func (w *work) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{workUsed, workLimit, workWaiting, workRefused} {
		to <- d
	}
}

func (w *work) Collect(to chan<- prometheus.Metric) {
	sendRefused(to, w.logins.Use())
	if w.memory == nil {
		return
	}
	use := w.memory.Use()
	sendRefused(to, use)
	for kind, bytes := range use.Held {
		to <- prometheus.MustNewConstMetric(workUsed, prometheus.GaugeValue, float64(bytes), kind)
	}
	to <- prometheus.MustNewConstMetric(workLimit, prometheus.GaugeValue, float64(use.Limit))
	to <- prometheus.MustNewConstMetric(workWaiting, prometheus.GaugeValue, float64(use.Waiting))
}

func sendRefused(to chan<- prometheus.Metric, use quota.Use) {
	for kind, by := range use.Refused {
		var n int64
		for _, count := range by {
			n += count
		}
		to <- prometheus.MustNewConstMetric(workRefused, prometheus.CounterValue, float64(n), kind)
	}
}

// Reading adds how many passages the embedded judge reads at a time, and how many wait for their turn.
func (m *Metrics) Reading(use func() (now, waiting int)) {
	gauge := func(name, help string, value func() int) {
		m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help},
			func() float64 { return float64(value()) }))
	}
	gauge("sanad_reading", "Passages that the embedded judge reads just now.", func() int { now, _ := use(); return now })
	gauge("sanad_reading_waiting", "Passages that wait to be read: one for each worker of an import or a judging.",
		func() int { _, waiting := use(); return waiting })
}

// Mails adds how many attempts to send a mail ended in each way, and how many mails wait.
func (m *Metrics) Mails(ended func() map[string]uint64, waiting func(context.Context) (int, error)) {
	for _, outcome := range []string{"sent", "put_off", "failed", "dropped"} {
		m.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "sanad_mails_total", Help: "Attempts to send a mail since the start, by outcome.",
			ConstLabels: prometheus.Labels{"outcome": outcome},
		}, func() float64 { return float64(ended()[outcome]) }))
	}
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "sanad_mails_waiting", Help: "Mails that wait to be sent or to be tried again; -1 if that is not known.",
	}, func() float64 {
		ctx, cancel := context.WithTimeout(context.Background(), readyTimeout)
		defer cancel()
		n, err := waiting(ctx)
		if err != nil {
			return -1
		}
		return float64(n)
	}))
}
