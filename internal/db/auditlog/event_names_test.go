package auditlog_test

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
	b := dbtest.NewBoard(t)
	b.Machine.From, b.Drafter.From = "203.0.113.77", "203.0.113.78"
	v := b.Signed(t, "dec_of-Layla-Hassan")
	in := dbtest.Built(t, "docs/none.md", "words", strings.Repeat("القسطاسيات ", 20))
	_, err := b.InsertBundle(b.Ctx, b.Drafter, in)
	require.NoError(t, err)
	_, err = b.LinkRun(b.Ctx, b.Drafter, in.Bundle.BundleID, "run_of-Layla")
	require.NoError(t, err)
	artifact := db.ArtifactOf("files/layla.txt", []byte("x"))
	_, err = b.AddArtifact(b.Ctx, b.Drafter, artifact)
	require.NoError(t, err)
	b.Erase(t, erasure.Artifact, artifact.Path)

	d := dbtest.Raw(t, b.Dir)
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
	mark := "hmac-sha256:" + dbtest.Committed(t, b.Dir, "tenant", b.Tenant.ID, "dec_of-Layla-Hassan")
	require.Equal(t, "hmac-sha256:"+saidOf(t, b.People, "pack.created")["decision_commitment"].(string), mark)
	require.Equal(t, dbtest.Committed(t, b.Dir, "tenant", b.Tenant.ID, artifact.Path),
		saidOf(t, b.People, "bundle.artifact_written")["path_commitment"])
	require.Equal(t, dbtest.Committed(t, b.Dir, "tenant", b.Tenant.ID, "run_of-Layla"),
		saidOf(t, b.People, "bundle.run_linked")["run_commitment"])

	for _, q := range []audit.Query{
		{Kind: "decision", ObjectID: "dec_of-Layla-Hassan"}, {ObjectID: "dec_of-Layla-Hassan"}, {ObjectID: mark},
	} {
		q.Limit = 9
		found, _, err := b.Log(b.Ctx, b.Tenant.ID, q)
		require.NoError(t, err)
		require.Len(t, found, 1)
		e := found[0]
		require.Equal(t, []string{"decision.added", mark, "dec_of-Layla-Hassan", "203.0.113.77"},
			[]string{e.Action, e.ObjectID, e.Named, e.Address})
	}
	shown, err := b.Pack(b.Ctx, b.Tenant.ID, v.Life.PackID)
	require.NoError(t, err)
	require.Equal(t, "203.0.113.78", shown.Events[0].Address)
	b.LogHolds(t)

	b.Erase(t, erasure.Pack, v.Life.PackID)
	found, _, err := b.Log(b.Ctx, b.Tenant.ID, audit.Query{ObjectID: "dec_of-Layla-Hassan", Limit: 9})
	require.NoError(t, err)
	require.Empty(t, found[0].Named, "the id went with the decision")
	b.LogHolds(t)
}

// TestForgetAddresses checks that the addresses of months that are over can be deleted with the salts of their
// commitments, and that the log still verifies.
func TestForgetAddresses(t *testing.T) {
	b := dbtest.NewBoard(t)
	months := []string{"2026-03", "2026-04"}
	event := db.Event{Action: "log.exported", Kind: "tenant", ObjectID: b.Tenant.ID}
	for i := range months {
		b.Admin.From = "203.0.113.7"
		if i > 0 {
			b.Pass(31 * 24 * time.Hour)
		}
		require.NoError(t, b.LogEvent(b.Ctx, b.Admin, event))
	}
	addresses := func() (out []string) {
		found, _, err := b.Log(b.Ctx, b.Tenant.ID, audit.Query{Action: "log.exported", Limit: 9})
		require.NoError(t, err)
		for _, e := range found {
			out = append(out, e.Address)
		}
		return out
	}
	require.Equal(t, []string{"203.0.113.7", "203.0.113.7"}, addresses())
	first := dbtest.Committed(t, b.Dir, "addresses", months[0], "203.0.113.7")
	require.NotEqual(t, first, dbtest.Committed(t, b.Dir, "addresses", months[1], "203.0.113.7"))
	n, err := b.ForgetAddresses(b.Ctx, access.AtCommandLine(b.Tenant.ID), b.At)
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.Equal(t, []string{"203.0.113.7", ""}, addresses())
	var salts []string
	rows, err := dbtest.Raw(t, b.Dir).Query("SELECT object_id FROM text_salts WHERE kind = 'addresses'")
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	for rows.Next() {
		var month string
		require.NoError(t, rows.Scan(&month))
		salts = append(salts, month)
	}
	require.NoError(t, rows.Err())
	require.Equal(t, []string{months[1]}, salts)
	require.Equal(t, map[string]any{"before": months[1], "events": 1.0}, saidOf(t, b.People, "log.addresses_forgotten"))
	b.LogHolds(t)
}
