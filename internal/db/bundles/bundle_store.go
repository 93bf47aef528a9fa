// Package bundles stores evidence bundles, the artifacts of the lake, and which run was given which bundle.
package bundles

import "sanad/internal/db/auditlog"

// Store stores evidence bundles and the list of artifacts in the lake.
type Store struct {
	*auditlog.Store
}
