package auditlog_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db/dbtest"
	"sanad/internal/domain/audit"
)

// logKeys returns the public keys that may have signed a tenant's checkpoints.
func logKeys(t testing.TB, h *dbtest.Fixture) (out []audit.Key) {
	t.Helper()
	all, err := h.Keys(context.Background(), h.Tenant.ID)
	require.NoError(t, err)
	for _, k := range all {
		if k.Purpose == "log" {
			out = append(out, audit.Key{ID: k.ID, Public: k.Public})
		}
	}
	return out
}
