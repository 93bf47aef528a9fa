package backup_test

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
			h := dbtest.New(t)
			_, second := h.NewTenant(t, "second")
			_, third := h.NewTenant(t, "third")
			tenants := []string{h.Actor.Tenant, second.Tenant, third.Tenant}
			more := func() {
				h.AddEvents(t, 1)
				require.NoError(t, h.LogEvent(ctx, second, db.Event{Action: "x"}))
				require.NoError(t, h.LogEvent(ctx, third, db.Event{Action: "x"}))
			}
			more()
			from, _ := backUp(t, h)
			more() // what the restore loses
			var r backup.Restored
			h.Reopen(t, func() {
				d := dbtest.Raw(t, h.Dir)
				dbtest.Exec(t, d, "CREATE TABLE damaged AS SELECT * FROM log_heads")
				dbtest.Exec(t, d, "UPDATE damaged SET checkpoint = "+damaged+" WHERE tenant_id = '"+slices.Min(tenants)+"'")
				dbtest.Exec(t, d, "DROP TABLE log_heads")
				dbtest.Exec(t, d, "ALTER TABLE damaged RENAME TO log_heads")
				require.NoError(t, d.Close())
				require.NoError(t, os.RemoveAll(h.Dir+"-checkpoints"))
				var err error
				r, err = backup.Restore(ctx, from, "disk lost", options(t, h))
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
