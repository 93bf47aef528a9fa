package app

import (
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/domain/job"
)

// TestJobReadsALargeSessionInParts has a worker import a session of more than 8 MB, whose texts are not in memory
// meanwhile. What is stored is what importing the whole stores.
func TestJobReadsALargeSessionInParts(t *testing.T) {
	f := newFixture(t)
	file := fmt.Sprintf(`{"format":"sanad.session/v1","session":{"answer":"The fee is 5 euros."},"documents":[
		{"id":"long","text":%q},{"id":"fees","chunks":[{"id":"c","text":"The fee is 5 euros."}]}],
		"claims":[{"claim_text":"The fee is 5 euros.","matches":[{"chunk":"fees/c","similarity":0.97,"support_level":"full"}]}]}`,
		strings.Repeat("A permit is needed for each stall of the market. ", 180_000))
	in, err := f.store.PutJobInput(f.ctx, strings.NewReader(file))
	require.NoError(t, err)
	work, _, err := f.store.AddJob(f.ctx, f.actor, in, job.File, "large.json", nil)
	require.NoError(t, err)
	w := &Worker{Store: f.store, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		Now: func() time.Time { return testTime }, NewID: uuid.NewString, Poll: 10 * time.Millisecond}
	stop := w.start(f.ctx)
	require.Eventually(t, func() bool {
		work, err = f.store.Job(f.ctx, f.actor.Tenant, work.ID)
		return err == nil && !work.Open()
	}, 2*time.Minute, 10*time.Millisecond)
	stop()

	whole := read(t, file)
	again, err := f.importer().Import(f.ctx, whole, nil)
	require.NoError(t, err)
	require.False(t, again.Created, "the job has stored this content: %+v", work)
	got, err := f.store.Session(f.ctx, f.actor.Tenant, again.SessionID)
	require.NoError(t, err)
	require.Len(t, got.Documents, 2)
	for i := range got.Documents {
		require.Len(t, got.Documents[i].Chunks, len(whole.Session.Documents[i].Chunks))
		for j, c := range got.Documents[i].Chunks {
			require.Equal(t, whole.Session.Documents[i].Chunks[j].Text, c.Text)
		}
	}
	require.Equal(t, whole.Session.Claims[0].Matches, got.Claims[0].Matches)
}
