package db

// jobStore stores work that is done in the background.
type jobStore struct {
	*auditLog
	jobSignal jobSignal
}
