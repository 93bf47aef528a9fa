package app

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain/ledger"
	"sanad/internal/importers"
)

// TestCommentsAreEvidenceWhenSwitchedOn: what somebody remarked on a document supports a claim only in a run that reads
// comments, and in the runs of added documents that follow it.
func TestCommentsAreEvidenceWhenSwitchedOn(t *testing.T) {
	f := newFixture(t)
	done, err := f.importer().Import(f.ctx, read(t, `{"format":"sanad.session/v1",
		"session":{"answer":"Guests of the harbour hotel pay 40 euros a night."},
		"documents":[{"chunks":[{"text":"The house rules of the hotel."},
			{"text":"Guests of the harbour hotel pay 40 euros a night.","kind":"comment"}]}]}`), nil)
	require.NoError(t, err)
	id := done.SessionID
	verdict := func() (ledger.Verdict, bool) {
		now, err := f.store.Session(f.ctx, f.actor.Tenant, id)
		require.NoError(t, err)
		l := ledger.Assess(now, 0)
		return l.Entries[0].Machine, now.Run.ReadsComments()
	}
	again := func(comments bool) {
		loaded, err := f.store.Session(f.ctx, f.actor.Tenant, id)
		require.NoError(t, err)
		_, err = f.rejudger().Rejudge(f.ctx, loaded, db.JudgeRequest{SessionID: id}, RejudgeInput{Judge: "lexical", Comments: comments},
			func(*ledger.Session) error { return nil }, nil)
		require.NoError(t, err)
	}
	got, reads := verdict()
	require.Equal(t, ledger.NotFound, got)
	require.False(t, reads)
	again(true)
	got, reads = verdict()
	require.Equal(t, ledger.Supported, got)
	require.True(t, reads)

	loaded, err := f.store.Session(f.ctx, f.actor.Tenant, id)
	require.NoError(t, err)
	added, err := importers.UploadedDocuments(f.ctx, []importers.File{{Name: "note.txt", Data: []byte("A note on the harbour.")}}, importers.Options{})
	require.NoError(t, err)
	_, err = f.rejudger().Add(f.ctx, loaded, db.JudgeRequest{SessionID: id}, added, func(*ledger.Session) error { return nil }, nil)
	require.NoError(t, err)
	got, reads = verdict()
	require.Equal(t, ledger.Supported, got)
	require.True(t, reads, "a later run reads them too")

	again(false)
	got, reads = verdict()
	require.Equal(t, ledger.NotFound, got)
	require.False(t, reads)
}
