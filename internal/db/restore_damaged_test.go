package db_test

import (
	"context"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/backup"
	"sanad/internal/db/dbtest"
)

// TestRestoreOverADamagedHead checks that a checkpoint which cannot be read in the replaced database is named, and that
// the other logs are compared all the same.
func TestRestoreOverADamagedHead(t *testing.T) {
	dbtest.SQLiteOnly(t, "a backup is restored into a data folder")
	ctx := context.Background()
	for name, damaged := range map[string]string{
		"no text": "NULL", "another text": "'x'",
		"another log's": "(SELECT checkpoint FROM log_heads ORDER BY tenant_id DESC LIMIT 1)",
	} {
		t.Run(name, func(t *testing.T) {
			h := newFixture(t)
			_, second := h.newTenant(t, "second")
			_, third := h.newTenant(t, "third")
			tenants := []string{h.actor.Tenant, second.Tenant, third.Tenant}
			more := func() {
				h.log(t, 1)
				require.NoError(t, h.LogEvent(ctx, second, db.Event{Action: "x"}))
				require.NoError(t, h.LogEvent(ctx, third, db.Event{Action: "x"}))
			}
			more()
			from, _ := h.backup(t)
			more() // what the restore loses
			var r backup.Restored
			h.reopen(t, func() {
				d := raw(t, h.dir)
				must(t, d, "CREATE TABLE damaged AS SELECT * FROM log_heads")
				must(t, d, "UPDATE damaged SET checkpoint = "+damaged+" WHERE tenant_id = '"+slices.Min(tenants)+"'")
				must(t, d, "DROP TABLE log_heads")
				must(t, d, "ALTER TABLE damaged RENAME TO log_heads")
				require.NoError(t, d.Close())
				require.NoError(t, os.RemoveAll(h.dir+"-checkpoints"))
				var err error
				r, err = backup.Restore(ctx, from, "disk lost", h.options(t))
				require.NoError(t, err)
			})
			require.Len(t, r.Unread, 1)
			require.Equal(t, slices.Min(tenants), r.Unread[0].Tenant)
			require.NotEmpty(t, r.Unread[0].Why)
			why := map[string]string{}
			for _, e := range r.Epochs {
				why[e.Tenant] = e.Why
			}
			for _, tenant := range tenants {
				if tenant == slices.Min(tenants) {
					require.Contains(t, why[tenant], "no checkpoint of it is kept outside")
				} else {
					require.Contains(t, why[tenant], "is ahead of the database")
				}
			}
		})
	}
}
