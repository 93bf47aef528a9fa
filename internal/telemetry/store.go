package telemetry

import (
	"context"
	"database/sql"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Queue is how much waits to be done, over all tenants.
type Queue struct {
	Waiting, Running int           // jobs
	Oldest           time.Duration // how long the oldest waiting job has waited
	Messages         int           // of webhooks
}

// Store gives the figures of the store.
type Store struct {
	Queue     func(context.Context) (Queue, error)
	Pools     func() map[string]sql.DBStats // of connections to the database, by what they are for
	Listening func() bool                   // whether jobs of other processes are heard of
	Full      func() bool                   // whether the newest change found no room
}

// Store adds what waits in the store, and the figures of its connections to the database.
func (m *Metrics) Store(s Store) { m.registry.MustRegister(&store{s}) }

type store struct{ Store }

var (
	jobs = prometheus.NewDesc("sanad_jobs", "Jobs that wait (queued) or are being done (running).",
		[]string{"state"}, nil)
	jobsOldest = prometheus.NewDesc("sanad_jobs_oldest_seconds",
		"How long the oldest waiting job has waited; 0 if none waits.", nil, nil)
	jobsHeard = prometheus.NewDesc("sanad_jobs_heard",
		"1 while the process hears of jobs of other processes by LISTEN, 0 while it looks for them now and then.", nil, nil)
	noRoom = prometheus.NewDesc("sanad_db_full", "1 if the newest change found no room in the database, else 0.", nil, nil)

	messages = prometheus.NewDesc("sanad_webhooks_waiting",
		"Messages of webhooks that wait to be sent or to be tried again.", nil, nil)
	connections = prometheus.NewDesc("sanad_db_connections",
		"Connections to the database, by what they are for and whether they are in use.", []string{"pool", "state"}, nil)
	connectionsLimit = prometheus.NewDesc("sanad_db_connections_limit", "How many connections a pool may have.",
		[]string{"pool"}, nil)
	waits = prometheus.NewDesc("sanad_db_waits_total",
		"How often a transaction waited for a connection; of write: for another write.", []string{"pool"}, nil)
	waited = prometheus.NewDesc("sanad_db_wait_seconds_total", "How long transactions waited for a connection.",
		[]string{"pool"}, nil)
)

func (s *store) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{jobs, jobsOldest, jobsHeard, noRoom, messages, connections, connectionsLimit, waits, waited} {
		to <- d
	}
}

// Collect leaves out what waits if the store does not answer: an old figure would hide that.
func (s *store) Collect(to chan<- prometheus.Metric) {
	for name, pool := range s.Pools() {
		gauge(to, connections, pool.InUse, name, "in_use")
		gauge(to, connections, pool.Idle, name, "idle")
		gauge(to, connectionsLimit, pool.MaxOpenConnections, name)
		to <- prometheus.MustNewConstMetric(waits, prometheus.CounterValue, float64(pool.WaitCount), name)
		to <- prometheus.MustNewConstMetric(waited, prometheus.CounterValue, pool.WaitDuration.Seconds(), name)
	}
	gauge(to, jobsHeard, oneIf(s.Listening()))
	gauge(to, noRoom, oneIf(s.Full()))
	ctx, cancel := context.WithTimeout(context.Background(), readyTimeout)
	defer cancel()
	q, err := s.Queue(ctx)
	if err != nil {
		return
	}
	gauge(to, jobs, q.Waiting, "queued")
	gauge(to, jobs, q.Running, "running")
	gauge(to, messages, q.Messages)
	to <- prometheus.MustNewConstMetric(jobsOldest, prometheus.GaugeValue, q.Oldest.Seconds())
}

func gauge(to chan<- prometheus.Metric, d *prometheus.Desc, n int, labels ...string) {
	to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, float64(n), labels...)
}

func oneIf(is bool) int {
	if is {
		return 1
	}
	return 0
}
