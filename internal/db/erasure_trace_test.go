package db_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/erasure"
	"sanad/internal/domain/job"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/live"
	"sanad/internal/words"
)

// fromTrace stores a session that a job made, and a live trace that is said to be the same session.
func fromTrace(t *testing.T, b *dbtest.Board, s *ledger.Session) {
	t.Helper()
	in, err := b.PutJobInput(b.Ctx, strings.NewReader("upload of "+s.ID))
	require.NoError(t, err)
	_, _, err = b.AddJob(b.Ctx, b.Drafter, in, job.File, "Nephelococcygia.json", nil)
	require.NoError(t, err)
	c, err := b.ClaimJob(b.Ctx, "worker", time.Minute, db.PerTenant{})
	require.NoError(t, err)
	warnings := []domain.Warning{{Path: "claims", Said: words.Msg("refused_own_gone")}}
	_, created, err := b.FinishJob(b.Ctx, c, dbtest.Assess(s), nil, func(bool) []domain.Warning { return warnings })
	require.NoError(t, err)
	require.True(t, created)

	_, err = b.AddSpans(b.Ctx, b.Drafter, []live.Span{
		{TraceID: traceOf(s), SpanID: "0000000000000a11", Service: "Nephelococcygia", Name: "answer", Root: true, Body: "{}"},
	}, &live.Refused{}, nil)
	require.NoError(t, err)
	b.At = b.At.Add(live.Settling)
	trace, err := b.ClaimTrace(b.Ctx, "worker", time.Minute)
	require.NoError(t, err)
	require.NoError(t, b.EndTrace(b.Ctx, trace, db.TraceOutcome{State: live.Session, ObjectID: s.ID, Warnings: warnings,
		Note: words.Msg("refused_own_gone")}))
}

// traceOf returns the id of a session's trace.
func traceOf(s *ledger.Session) string { return strings.ReplaceAll(s.ID, "-", "") }

// TestTraceGoesWithItsSession checks that no other trace does, and that a document takes with it what was told only.
func TestTraceGoesWithItsSession(t *testing.T) {
	b := dbtest.NewBoard(t)
	erased, kept := dbtest.Identify(dbtest.FullSession()), dbtest.Identify(dbtest.FullSession())
	fromTrace(t, b, erased)
	fromTrace(t, b, kept)
	d := dbtest.Raw(t, b.Dir)
	require.Equal(t, 2, dbtest.Count(t, d, "live_spans"))

	b.Erase(t, erasure.Document, kept.Documents[0].ID)
	list, err := b.Traces(b.Ctx, b.Tenant.ID, 10)
	require.NoError(t, err)
	require.Len(t, list, 2)
	told := map[string]int{}
	for _, x := range list {
		told[x.ObjectID] = len(x.Warnings) + len(x.Note)
	}
	require.Zero(t, told[kept.ID])
	require.NotZero(t, told[erased.ID])

	b.Erase(t, erasure.Session, erased.ID)
	list, err = b.Traces(b.Ctx, b.Tenant.ID, 10)
	require.NoError(t, err)
	require.Len(t, list, 2)
	for _, x := range list {
		if x.ObjectID != kept.ID {
			require.Equal(t, live.Trace{ID: traceOf(erased), State: live.Session, Spans: 1, FirstAt: x.FirstAt,
				LastAt: x.LastAt, DueAt: x.DueAt, EndedAt: x.EndedAt}, x)
		}
	}
	require.Equal(t, 1, dbtest.Count(t, d, "live_spans"))

	k, err := b.AddSpans(b.Ctx, b.Drafter, []live.Span{{TraceID: traceOf(erased), SpanID: "0000000000000a11",
		Service: "Nephelococcygia", Name: "answer", Root: true, Body: "{}"}}, &live.Refused{}, nil)
	require.NoError(t, err)
	require.Equal(t, []int{0, 1}, []int{k.New, k.Late}, "sent again, it begins no other trace")
	b.At = b.At.Add(live.Settling)
	again, err := b.ClaimTrace(b.Ctx, "worker", time.Minute)
	require.NoError(t, err)
	require.Nil(t, again)
}

// TestErasedUploadCanComeAgain checks that the same upload is another job once its session is erased.
func TestErasedUploadCanComeAgain(t *testing.T) {
	b := dbtest.NewBoard(t)
	s := dbtest.Identify(dbtest.FullSession())
	fromTrace(t, b, s)
	again := func() bool {
		in, err := b.PutJobInput(b.Ctx, strings.NewReader("upload of "+s.ID))
		require.NoError(t, err)
		_, created, err := b.AddJob(b.Ctx, b.Drafter, in, job.File, "again.json", nil)
		require.NoError(t, err)
		return created
	}
	require.False(t, again())
	b.Erase(t, erasure.Session, s.ID)
	require.True(t, again())
}
