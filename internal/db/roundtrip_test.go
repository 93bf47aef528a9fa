package db_test

import (
	"context"
	"io"
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
	h := dbtest.New(t)
	nul := "\x00" // which PostgreSQL refuses in a text
	if dbtest.OnPostgres() {
		nul = ""
	}
	for _, s := range []*ledger.Session{dbtest.FullSession(), dbtest.SizedSession(300),
		dbtest.Identify(&ledger.Session{Title: "empty"}),
		dbtest.Identify(&ledger.Session{Title: "long", Answer: strings.Repeat("م🌴a"+nul, 5000)})} {
		want := h.AddSession(t, s)
		got, err := h.Session(context.Background(), h.Tenant.ID, s.ID)
		require.NoError(t, err)
		require.Equal(t, want.Session, got)
		require.Equal(t, want, dbtest.Assess(got))
	}
}

func TestInsertIsIdempotent(t *testing.T) {
	h := dbtest.New(t)
	ctx := context.Background()
	first := dbtest.FullSession()
	h.AddSession(t, first)
	again := dbtest.FullSession()
	again.Digest = first.Digest
	originals := []db.Original{{Document: 0, MediaType: "application/pdf", Data: []byte("%PDF")}}
	id, created, err := h.InsertSession(ctx, h.Actor, dbtest.Assess(again), originals,
		&db.Receipt{Key: "k", Digest: "d"})
	require.NoError(t, err)
	require.False(t, created)
	require.Equal(t, first.ID, id)
	require.Empty(t, dbtest.OriginalFiles(t, h.Dir))
	r, err := h.Receipt(ctx, h.Tenant.ID, "k")
	require.NoError(t, err)
	require.Nil(t, r)
	events, err := h.Events(ctx, h.Tenant.ID, 0, 10)
	require.NoError(t, err)
	require.Len(t, events, 1)

	_, other := h.NewTenant(t, "other") // the same content is another session in another tenant
	again.ID = uuid.NewString()
	dbtest.Identify(again)
	again.Digest = first.Digest
	for i := range again.Documents {
		again.Documents[i].ID = uuid.NewString()
	}
	_, created, err = h.InsertSession(ctx, other, dbtest.Assess(again), nil, nil)
	require.NoError(t, err)
	require.True(t, created)
}

func TestFailingInsertLeavesNothing(t *testing.T) {
	h := dbtest.New(t)
	ctx := context.Background()
	s := dbtest.FullSession()
	// there is no such chunk
	s.Claims[2].Matches = []ledger.Match{{Chunk: ledger.ChunkRef{Document: 0, Chunk: 99}, Support: ledger.Full}}
	originals := []db.Original{{Document: 0, MediaType: "application/pdf", Data: []byte("%PDF")}}
	_, created, err := h.InsertSession(ctx, h.Actor, dbtest.Assess(s), originals, &db.Receipt{Key: "k", Digest: "d"})
	require.Equal(t, domain.Internal, domain.KindOf(err))
	require.False(t, created)
	require.Empty(t, dbtest.OriginalFiles(t, h.Dir))

	bad := dbtest.FullSession()
	_, _, err = h.InsertSession(ctx, h.Actor, dbtest.Assess(bad), []db.Original{originals[0], {Document: 7}}, nil)
	require.Error(t, err)
	require.Empty(t, dbtest.OriginalFiles(t, h.Dir))

	d := dbtest.Raw(t, h.Dir)
	for _, table := range []string{"sessions", "claims", "chunks", "documents", "matches", "reviews", "citations",
		"ledger_runs", "answer_parts",
		"events", "receipts", "counters", "claim_search_docsize", "session_search_docsize", "find_runs",
		"find_search_docsize"} {
		require.Zero(t, dbtest.Count(t, d, table), table)
	}
}

func TestOriginals(t *testing.T) {
	h := dbtest.New(t)
	ctx := context.Background()
	s := dbtest.FullSession()
	data := []byte("%PDF-1.7 \x00\xff")
	_, _, err := h.InsertSession(ctx, h.Actor, dbtest.Assess(s),
		[]db.Original{{Document: 1, MediaType: "application/pdf", Data: data}}, nil)
	require.NoError(t, err)
	require.Equal(t, h.Tenant.ID+"/"+s.Documents[1].ID, s.Documents[1].Blob)
	r, meta, err := h.Original(ctx, h.Tenant.ID, s.Documents[1].ID)
	require.NoError(t, err)
	got, err := io.ReadAll(r)
	require.NoError(t, err)
	require.NoError(t, r.Close())
	require.Equal(t, data, got)
	require.Equal(t, db.OriginalMeta{Filename: "سياسة.pdf", MediaType: "application/pdf", Size: int64(len(data))}, meta)

	_, _, err = h.Original(ctx, h.Tenant.ID, s.Documents[0].ID) // it has none
	require.Equal(t, domain.NotFound, domain.KindOf(err))
	got2, err := h.Session(ctx, h.Tenant.ID, s.ID)
	require.NoError(t, err)
	require.Equal(t, s, got2)
}

func TestReceipts(t *testing.T) {
	h := dbtest.New(t)
	ctx := context.Background()
	r := &db.Receipt{Key: "key", Digest: "digest", Status: 201, Body: []byte(`{"a":1}`)}
	s := dbtest.FullSession()
	_, _, err := h.InsertSession(ctx, h.Actor, dbtest.Assess(s), nil, r)
	require.NoError(t, err)
	got, err := h.Receipt(ctx, h.Tenant.ID, "key")
	require.NoError(t, err)
	require.Equal(t, r, got)
	got, err = h.Receipt(ctx, h.Tenant.ID, "other")
	require.NoError(t, err)
	require.Nil(t, got)

	second := dbtest.FullSession() // the same key again is a conflict and stores nothing
	_, _, err = h.InsertSession(ctx, h.Actor, dbtest.Assess(second), nil, r)
	require.Equal(t, domain.Conflict, domain.KindOf(err))
	var replay *db.ReplayError
	require.ErrorAs(t, err, &replay)
	require.Equal(t, r, replay.Receipt)
	_, err = h.Session(ctx, h.Tenant.ID, second.ID)
	require.Equal(t, domain.NotFound, domain.KindOf(err))
}

func TestDriverErrorsAreForTheLogOnly(t *testing.T) {
	h := dbtest.New(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := h.Session(ctx, h.Tenant.ID, "x")
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
			db.Options{Dir: dbtest.Dir(t), Bucket: url, Now: time.Now, NewID: uuid.NewString,
				Keys: dbtest.MasterKey(t, 1)})
		require.NoError(t, err)
		require.NoError(t, s.Ready(context.Background()))
		require.NoError(t, s.Close())
	}
}
