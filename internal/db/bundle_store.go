package db

// bundleStore stores evidence bundles and the list of artifacts in the lake.
type bundleStore struct {
	*auditLog
}
