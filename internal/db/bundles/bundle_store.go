package bundles

import "sanad/internal/db/auditlog"

// Store stores evidence bundles and the list of artifacts in the lake.
type Store struct {
	*auditlog.Store
}
