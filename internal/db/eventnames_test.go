package db_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/access"
	"sanad/internal/domain/audit"
	"sanad/internal/domain/erasure"
)

// TestTheLogHoldsNoChosenIDsOrAddresses checks that no event holds an id that a caller chose or a client's address, and
// that the log's readers are shown both and find events by the id (rule LOG-14).
func TestTheLogHoldsNoChosenIDsOrAddresses(t *testing.T) {
	b := newBoard(t)
	b.machine.From, b.drafter.From = "203.0.113.77", "203.0.113.78"
	v := b.signed(t, "dec_of-Layla-Hassan")
	in := built(t, "docs/none.md", "words", strings.Repeat("القسطاسيات ", 20))
	_, err := b.InsertBundle(b.ctx, b.drafter, in)
	require.NoError(t, err)
	_, err = b.LinkRun(b.ctx, b.drafter, in.Bundle.BundleID, "run_of-Layla")
	require.NoError(t, err)
	artifact := db.ArtifactOf("files/layla.txt", []byte("x"))
	_, err = b.AddArtifact(b.ctx, b.drafter, artifact)
	require.NoError(t, err)
	b.erase(t, erasure.Artifact, artifact.Path)

	d := dbtest.Raw(t, b.dir)
	rows, err := d.Query("SELECT action, lower(CAST(bytes AS TEXT) || ' ' || object_id) FROM events")
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	for rows.Next() {
		var action, all string
		require.NoError(t, rows.Scan(&action, &all))
		for _, chosen := range []string{"layla", "203.0.113", sum256(artifact.Path), sum256("run_of-Layla")} {
			require.NotContains(t, all, chosen, action)
		}
	}
	require.NoError(t, rows.Err())
	mark := "hmac-sha256:" + committed(t, b.dir, "tenant", b.tenant.ID, "dec_of-Layla-Hassan")
	require.Equal(t, "hmac-sha256:"+b.saidOf(t, "pack.created")["decision_commitment"].(string), mark)
	require.Equal(t, committed(t, b.dir, "tenant", b.tenant.ID, artifact.Path),
		b.saidOf(t, "bundle.artifact_written")["path_commitment"])
	require.Equal(t, committed(t, b.dir, "tenant", b.tenant.ID, "run_of-Layla"),
		b.saidOf(t, "bundle.run_linked")["run_commitment"])

	for _, q := range []audit.Query{
		{Kind: "decision", ObjectID: "dec_of-Layla-Hassan"}, {ObjectID: "dec_of-Layla-Hassan"}, {ObjectID: mark},
	} {
		q.Limit = 9
		found, _, err := b.Log(b.ctx, b.tenant.ID, q)
		require.NoError(t, err)
		require.Len(t, found, 1)
		e := found[0]
		require.Equal(t, []string{"decision.added", mark, "dec_of-Layla-Hassan", "203.0.113.77"},
			[]string{e.Action, e.ObjectID, e.Named, e.Address})
	}
	shown, err := b.Pack(b.ctx, b.tenant.ID, v.Life.PackID)
	require.NoError(t, err)
	require.Equal(t, "203.0.113.78", shown.Events[0].Address)
	b.logHolds(t)

	b.erase(t, erasure.Pack, v.Life.PackID)
	found, _, err := b.Log(b.ctx, b.tenant.ID, audit.Query{ObjectID: "dec_of-Layla-Hassan", Limit: 9})
	require.NoError(t, err)
	require.Empty(t, found[0].Named, "the id went with the decision")
	b.logHolds(t)
}

// TestForgetAddresses checks that the addresses of months that are over can be deleted with the salts of their
// commitments, and that the log still verifies.
func TestForgetAddresses(t *testing.T) {
	b := newBoard(t)
	months := []string{"2026-03", "2026-04"}
	event := db.Event{Action: "log.exported", Kind: "tenant", ObjectID: b.tenant.ID}
	for i := range months {
		b.admin.From = "203.0.113.7"
		if i > 0 {
			b.pass(31 * 24 * time.Hour)
		}
		require.NoError(t, b.LogEvent(b.ctx, b.admin, event))
	}
	addresses := func() (out []string) {
		found, _, err := b.Log(b.ctx, b.tenant.ID, audit.Query{Action: "log.exported", Limit: 9})
		require.NoError(t, err)
		for _, e := range found {
			out = append(out, e.Address)
		}
		return out
	}
	require.Equal(t, []string{"203.0.113.7", "203.0.113.7"}, addresses())
	first := committed(t, b.dir, "addresses", months[0], "203.0.113.7")
	require.NotEqual(t, first, committed(t, b.dir, "addresses", months[1], "203.0.113.7"))
	n, err := b.ForgetAddresses(b.ctx, access.AtCommandLine(b.tenant.ID), b.now)
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.Equal(t, []string{"203.0.113.7", ""}, addresses())
	var salts []string
	rows, err := dbtest.Raw(t, b.dir).Query("SELECT object_id FROM text_salts WHERE kind = 'addresses'")
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	for rows.Next() {
		var month string
		require.NoError(t, rows.Scan(&month))
		salts = append(salts, month)
	}
	require.NoError(t, rows.Err())
	require.Equal(t, []string{months[1]}, salts)
	require.Equal(t, map[string]any{"before": months[1], "events": 1.0}, b.saidOf(t, "log.addresses_forgotten"))
	b.logHolds(t)
}
