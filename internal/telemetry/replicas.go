package telemetry

import "github.com/prometheus/client_golang/prometheus"

// Replica is what is known of a replica of the database.
type Replica struct {
	Name  string // host and port
	Asked bool
	Lag   float64 // seconds that what it has is old; -1 if unknown
	Bytes int64   // that it lacks of the primary's log; -1 if unknown
	Reads uint64  // transactions that it has answered
}

// Replicas adds what is known of the replicas of the database, if there are any.
func (m *Metrics) Replicas(list func() []Replica) { m.registry.MustRegister(replicas(list)) }

type replicas func() []Replica

var (
	replicaAsked = prometheus.NewDesc("sanad_db_replica_asked",
		"1 where a replica is asked, 0 where the primary is instead.", []string{"replica"}, nil)
	replicaLag = prometheus.NewDesc("sanad_db_replica_lag_seconds",
		"How old what a replica has is; -1 if it is not known.", []string{"replica"}, nil)
	replicaBytes = prometheus.NewDesc("sanad_db_replica_lag_bytes",
		"How much of the primary's write-ahead log a replica has not replayed; -1 if it is not known.",
		[]string{"replica"}, nil)
	replicaReads = prometheus.NewDesc("sanad_db_replica_reads_total", "Transactions that a replica has answered.",
		[]string{"replica"}, nil)
)

func (replicas) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{replicaAsked, replicaLag, replicaBytes, replicaReads} {
		to <- d
	}
}

func (list replicas) Collect(to chan<- prometheus.Metric) {
	for _, r := range list() {
		asked := 0
		if r.Asked {
			asked = 1
		}
		gauge(to, replicaAsked, asked, r.Name)
		to <- prometheus.MustNewConstMetric(replicaLag, prometheus.GaugeValue, r.Lag, r.Name)
		to <- prometheus.MustNewConstMetric(replicaBytes, prometheus.GaugeValue, float64(r.Bytes), r.Name)
		to <- prometheus.MustNewConstMetric(replicaReads, prometheus.CounterValue, float64(r.Reads), r.Name)
	}
}
