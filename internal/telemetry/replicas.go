package telemetry

import "github.com/prometheus/client_golang/prometheus"

// Replica is what is known of a replica of the database.
type Replica struct {
	Name  string  // host and port
	InUse bool    // whether reads may go to it
	Lag   float64 // seconds that it is behind the primary; -1 if unknown
	Bytes int64   // of the primary's write-ahead log that it has not replayed; -1 if unknown
	Reads uint64  // transactions that it has answered
}

// Replicas adds what is known of the replicas of the database, if there are any.
func (m *Metrics) Replicas(list func() []Replica) { m.registry.MustRegister(replicas(list)) }

type replicas func() []Replica

var (
	replicaInUse = prometheus.NewDesc("sanad_db_replica_in_use",
		"1 if reads may go to the replica, 0 if the primary answers them instead.", []string{"replica"}, nil)
	replicaLag = prometheus.NewDesc("sanad_db_replica_lag_seconds",
		"Seconds that a replica is behind the primary; -1 if not known.", []string{"replica"}, nil)
	replicaBytes = prometheus.NewDesc("sanad_db_replica_lag_bytes",
		"Bytes of the primary's write-ahead log that a replica has not replayed; -1 if not known.",
		[]string{"replica"}, nil)
	replicaReads = prometheus.NewDesc("sanad_db_replica_reads_total", "Transactions that a replica has answered.",
		[]string{"replica"}, nil)
)

func (replicas) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{replicaInUse, replicaLag, replicaBytes, replicaReads} {
		to <- d
	}
}

func (list replicas) Collect(to chan<- prometheus.Metric) {
	for _, r := range list() {
		gauge(to, replicaInUse, oneIf(r.InUse), r.Name)
		to <- prometheus.MustNewConstMetric(replicaLag, prometheus.GaugeValue, r.Lag, r.Name)
		to <- prometheus.MustNewConstMetric(replicaBytes, prometheus.GaugeValue, float64(r.Bytes), r.Name)
		to <- prometheus.MustNewConstMetric(replicaReads, prometheus.CounterValue, float64(r.Reads), r.Name)
	}
}
