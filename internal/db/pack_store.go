package db

// packStore stores decisions and evidence packs, from draft to purge.
type packStore struct {
	*auditLog
}
