package db

import "sanad/internal/db/auditlog"

// bundleStore stores evidence bundles and the list of artifacts in the lake.
type bundleStore struct {
	*auditlog.Store
}
