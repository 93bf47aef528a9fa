package app

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/exporters"
)

// TestImportReadsWhatIsInUse imports an exported ledger with a withdrawn and a replaced document. No match is in
// either, and judging it again from the documents in use changes nothing: both read the same documents.
func TestImportReadsWhatIsInUse(t *testing.T) {
	f := newFixture(t)
	data, err := os.ReadFile("../../cmd/web/demo/vendor-review.json")
	require.NoError(t, err)
	first, err := f.importer().Import(f.ctx, read(t, string(data)), nil)
	require.NoError(t, err)
	s, err := f.store.Session(f.ctx, f.actor.Tenant, first.SessionID)
	require.NoError(t, err)
	_, done := s.Withdraw(s.Documents[0].Position, "It was a draft.", testTime)
	require.True(t, done)
	newer := s.Documents[1]
	_, err = s.Replace(s.Documents[1].Position, newer, "A newer one is in force.", testTime)
	require.NoError(t, err)
	l := ledger.Assess(s, ledger.DefaultFreshness)
	var file strings.Builder
	require.NoError(t, exporters.JSON(&file, &l))

	other, err := f.store.EnsureTenant(f.ctx, "other", "Other")
	require.NoError(t, err)
	actor := access.Actor{Tenant: other.ID, ID: "u1", User: "Noura", Role: access.Reviewer}
	in := f.importer()
	in.Actor = actor
	taken, err := in.Import(f.ctx, read(t, file.String()), nil)
	require.NoError(t, err)
	got, err := f.store.Session(f.ctx, other.ID, taken.SessionID)
	require.NoError(t, err)
	matches := 0
	for i := range got.Claims {
		for _, m := range got.Claims[i].Matches {
			require.True(t, got.Document(m.Chunk.Document).Citable(), "claim %d", i+1)
			matches++
		}
	}
	require.NotZero(t, matches)
	require.Equal(t, []string{"It was a draft.", "A newer one is in force."},
		[]string{got.Documents[0].Withdrawn, got.Documents[1].Withdrawn}, "their state is kept")
	require.Equal(t, ledger.Ready, got.Documents[0].Status)

	r := Rejudger{Store: f.store, Actor: actor, Now: testTime.Add(time.Hour), NewID: uuid.NewString}
	again, err := r.Rejudge(f.ctx, got, db.JudgeRequest{SessionID: got.ID}, RejudgeInput{Judge: "lexical"},
		func(*ledger.Session) error { return nil }, nil)
	require.NoError(t, err)
	require.Empty(t, again.Changes)
	for i := range got.Claims {
		require.Equal(t, got.Claims[i].Checks, again.Ledger.Session.Claims[i].Checks, "claim %d", i+1)
	}
}
