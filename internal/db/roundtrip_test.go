package db_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	_ "gocloud.dev/blob/memblob" // mem://

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
)

func TestRoundTrip(t *testing.T) {
	h := newFixture(t)
	nul := "\x00" // which PostgreSQL refuses in a text
	if dbtest.OnPostgres() {
		nul = ""
	}
	for _, s := range []*ledger.Session{fullSession(), sizedSession(300), identify(&ledger.Session{Title: "empty"}),
		identify(&ledger.Session{Title: "long", Answer: strings.Repeat("م🌴a"+nul, 5000)})} {
		want := h.insert(t, s)
		got, err := h.Session(context.Background(), h.tenant.ID, s.ID)
		require.NoError(t, err)
		require.Equal(t, want.Session, got)
		require.Equal(t, want, assess(got))
	}
}

func TestInsertIsIdempotent(t *testing.T) {
	h := newFixture(t)
	ctx := context.Background()
	first := fullSession()
	h.insert(t, first)
	again := fullSession()
	again.Digest = first.Digest
	originals := []db.Original{{Document: 0, MediaType: "application/pdf", Data: []byte("%PDF")}}
	id, created, err := h.InsertSession(ctx, h.actor, assess(again), originals, &db.Receipt{Key: "k", Digest: "d"})
	require.NoError(t, err)
	require.False(t, created)
	require.Equal(t, first.ID, id)
	require.Empty(t, files(t, h.dir))
	r, err := h.Receipt(ctx, h.tenant.ID, "k")
	require.NoError(t, err)
	require.Nil(t, r)
	events, err := h.Events(ctx, h.tenant.ID, 0, 10)
	require.NoError(t, err)
	require.Len(t, events, 1)

	_, other := h.newTenant(t, "other") // the same content is another session in another tenant
	again.ID = uuid.NewString()
	identify(again)
	again.Digest = first.Digest
	for i := range again.Documents {
		again.Documents[i].ID = uuid.NewString()
	}
	_, created, err = h.InsertSession(ctx, other, assess(again), nil, nil)
	require.NoError(t, err)
	require.True(t, created)
}

// files lists the files in the folder of originals.
func files(t *testing.T, dir string) (out []string) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(dir, "originals"), func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			out = append(out, path)
		}
		return err
	})
	require.NoError(t, err)
	return out
}

func TestFailingInsertLeavesNothing(t *testing.T) {
	h := newFixture(t)
	ctx := context.Background()
	s := fullSession()
	// there is no such chunk
	s.Claims[2].Matches = []ledger.Match{{Chunk: ledger.ChunkRef{Document: 0, Chunk: 99}, Support: ledger.Full}}
	originals := []db.Original{{Document: 0, MediaType: "application/pdf", Data: []byte("%PDF")}}
	_, created, err := h.InsertSession(ctx, h.actor, assess(s), originals, &db.Receipt{Key: "k", Digest: "d"})
	require.Equal(t, domain.Internal, domain.KindOf(err))
	require.False(t, created)
	require.Empty(t, files(t, h.dir))

	bad := fullSession()
	_, _, err = h.InsertSession(ctx, h.actor, assess(bad), []db.Original{originals[0], {Document: 7}}, nil)
	require.Error(t, err)
	require.Empty(t, files(t, h.dir))

	d := dbtest.Raw(t, h.dir)
	for _, table := range []string{"sessions", "claims", "chunks", "documents", "matches", "reviews", "citations",
		"ledger_runs", "answer_parts",
		"events", "receipts", "counters", "claim_search_docsize", "session_search_docsize", "find_runs",
		"find_search_docsize"} {
		require.Zero(t, count(t, d, table), table)
	}
}

func TestOriginals(t *testing.T) {
	h := newFixture(t)
	ctx := context.Background()
	s := fullSession()
	data := []byte("%PDF-1.7 \x00\xff")
	_, _, err := h.InsertSession(ctx, h.actor, assess(s),
		[]db.Original{{Document: 1, MediaType: "application/pdf", Data: data}}, nil)
	require.NoError(t, err)
	require.Equal(t, h.tenant.ID+"/"+s.Documents[1].ID, s.Documents[1].Blob)
	r, meta, err := h.Original(ctx, h.tenant.ID, s.Documents[1].ID)
	require.NoError(t, err)
	got, err := io.ReadAll(r)
	require.NoError(t, err)
	require.NoError(t, r.Close())
	require.Equal(t, data, got)
	require.Equal(t, db.OriginalMeta{Filename: "سياسة.pdf", MediaType: "application/pdf", Size: int64(len(data))}, meta)

	_, _, err = h.Original(ctx, h.tenant.ID, s.Documents[0].ID) // it has none
	require.Equal(t, domain.NotFound, domain.KindOf(err))
	got2, err := h.Session(ctx, h.tenant.ID, s.ID)
	require.NoError(t, err)
	require.Equal(t, s, got2)
}

func TestReceipts(t *testing.T) {
	h := newFixture(t)
	ctx := context.Background()
	r := &db.Receipt{Key: "key", Digest: "digest", Status: 201, Body: []byte(`{"a":1}`)}
	s := fullSession()
	_, _, err := h.InsertSession(ctx, h.actor, assess(s), nil, r)
	require.NoError(t, err)
	got, err := h.Receipt(ctx, h.tenant.ID, "key")
	require.NoError(t, err)
	require.Equal(t, r, got)
	got, err = h.Receipt(ctx, h.tenant.ID, "other")
	require.NoError(t, err)
	require.Nil(t, got)

	second := fullSession() // the same key again is a conflict and stores nothing
	_, _, err = h.InsertSession(ctx, h.actor, assess(second), nil, r)
	require.Equal(t, domain.Conflict, domain.KindOf(err))
	var replay *db.ReplayError
	require.ErrorAs(t, err, &replay)
	require.Equal(t, r, replay.Receipt)
	_, err = h.Session(ctx, h.tenant.ID, second.ID)
	require.Equal(t, domain.NotFound, domain.KindOf(err))
}

func TestDriverErrorsAreForTheLogOnly(t *testing.T) {
	h := newFixture(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := h.Session(ctx, h.tenant.ID, "x")
	var e *domain.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, domain.Internal, e.Kind)
	require.Equal(t, "db.Session", e.Op)
	require.ErrorIs(t, err, context.Canceled)
	require.NotContains(t, e.Safe(), "cancel")
}

func TestOtherBuckets(t *testing.T) {
	for _, url := range []string{"mem://", "file://" + t.TempDir()} {
		s, err := db.Open(context.Background(),
			db.Options{Dir: dbtest.Dir(t), Bucket: url, Now: time.Now, NewID: uuid.NewString, Keys: masterKey(t, 1)})
		require.NoError(t, err)
		require.NoError(t, s.Ready(context.Background()))
		require.NoError(t, s.Close())
	}
}
