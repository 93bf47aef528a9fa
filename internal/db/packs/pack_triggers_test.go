package packs_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db/dbtest"
	"sanad/internal/thorough"
)

// TestEachTriggerIsNeeded drops the triggers of packs one at a time, in make test eight of them: each time, one of the
// statements of TestNoPathChangesASignedPack succeeds. So every statement is refused by its trigger, and no trigger is
// superfluous.
func TestEachTriggerIsNeeded(t *testing.T) {
	b := dbtest.NewBoard(t)
	signed, waiting, draft := b.Held(t, "dec_1"), b.Submit(t, b.Draft(t, "dec_2", "A2")), b.Draft(t, "dec_3", "A2")
	d := dbtest.Raw(t, b.Dir)
	d.SetMaxOpenConns(1)
	_, err := d.Exec("PRAGMA foreign_keys = OFF")
	require.NoError(t, err)
	fill := strings.NewReplacer("{S}", "'"+signed.Life.PackID+"'", "{W}", "'"+waiting.Life.PackID+"'", "{D}",
		"'"+draft.Life.PackID+"'", "{T}", "'"+b.Tenant.ID+"'")
	statements := directStatements(t, d)
	for _, trigger := range thorough.Sample(thorough.Random(t), []string{
		"decisions_new", "decisions_keep", "decisions_stay", "evidence_packs_new", "evidence_packs_draft",
		"evidence_packs_same", "evidence_packs_frozen",
		"evidence_packs_life", "evidence_packs_stay", "pack_makers_next", "pack_makers_keep", "pack_makers_stay",
		"pack_approvals_next",
		"pack_approvals_keep", "pack_approvals_stay", "pack_files_next", "pack_files_keep", "pack_files_stay",
		"pack_holds_next", "pack_holds_keep", "pack_holds_stay", "pack_tombstones_due",
	}, 8) {
		tx, err := d.Begin()
		require.NoError(t, err)
		_, err = tx.Exec("DROP TRIGGER " + trigger)
		require.NoError(t, err)
		passed := false
		for _, statement := range statements {
			_, err := tx.Exec("SAVEPOINT one")
			require.NoError(t, err)
			if _, err := tx.Exec(fill.Replace(statement)); err == nil {
				passed = true
				break
			}
			_, err = tx.Exec("ROLLBACK TO one")
			require.NoError(t, err)
		}
		require.NoError(t, tx.Rollback())
		require.True(t, passed, trigger)
	}
}
