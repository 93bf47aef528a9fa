package live_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/live"
)

func liveSpan(trace, span int, root bool) live.Span {
	return live.Span{TraceID: fmt.Sprintf("%032x", trace), SpanID: fmt.Sprintf("%016x", span), Root: root,
		Service: "rag",
		Name:    "chat", Body: fmt.Sprintf(`{"spanId":"%016x"}`, span)}
}

func addSpans(t *testing.T, j *dbtest.Clocked, a access.Actor, spans ...live.Span) db.KeptSpans {
	t.Helper()
	k, err := j.AddSpans(j.Ctx, a, spans, &live.Refused{}, nil)
	require.NoError(t, err)
	return k
}

func claimTrace(t *testing.T, j *dbtest.Clocked, owner string) *db.ClaimedTrace {
	t.Helper()
	c, err := j.ClaimTrace(j.Ctx, owner, time.Minute)
	require.NoError(t, err)
	return c
}

func TestSpansAreKeptOnce(t *testing.T) {
	j := dbtest.NewClocked(t)
	k := addSpans(t, j, j.Actor, liveSpan(1, 1, true), liveSpan(1, 2, false), liveSpan(1, 1, true),
		liveSpan(2, 1, false))
	require.Equal(t, 3, k.New)
	require.Equal(t, 1, k.Again)
	k = addSpans(t, j, j.Actor, liveSpan(1, 2, false))
	require.Equal(t, 1, k.Again)
	other, somebody := j.NewTenant(t, "other")
	require.Equal(t, 1, addSpans(t, j, somebody, liveSpan(1, 2, false)).New, "another tenant's trace of that id")
	for tenant, n := range map[string]int{j.Tenant.ID: 2, other.ID: 1} {
		list, err := j.Traces(j.Ctx, tenant, 10)
		require.NoError(t, err)
		require.Len(t, list, n)
	}
}

// One of two workers has a trace, and only as long as it says so.
func TestTraceBelongsToOneWorker(t *testing.T) {
	j := dbtest.NewClocked(t)
	addSpans(t, j, j.Actor, liveSpan(1, 1, true), liveSpan(1, 2, false))
	require.Nil(t, claimTrace(t, j, "a"), "it is not complete")
	j.At = j.At.Add(live.Settling)
	first := claimTrace(t, j, "a")
	require.Len(t, first.Spans, 2)
	require.Equal(t, j.Actor.ID, first.Actor.ID)
	require.Equal(t, live.DefaultRules(), first.Rules)
	require.Nil(t, claimTrace(t, j, "b"))
	j.At = j.At.Add(50 * time.Second)
	require.NoError(t, j.BeatTrace(j.Ctx, first, time.Minute))
	j.At = j.At.Add(50 * time.Second)
	require.Nil(t, claimTrace(t, j, "b"))
	j.At = j.At.Add(11 * time.Second)
	second := claimTrace(t, j, "b")
	require.Equal(t, 2, second.Attempt)
	require.ErrorIs(t, j.BeatTrace(j.Ctx, first, time.Minute), db.ErrJobLost)
	require.ErrorIs(t, j.EndTrace(j.Ctx, first, db.TraceOutcome{State: live.Nothing, Cause: live.NoRule}),
		db.ErrJobLost)
	require.NoError(t, j.ReleaseTrace(j.Ctx, second, time.Minute, false))
	require.Nil(t, claimTrace(t, j, "c"))
	j.At = j.At.Add(time.Minute)
	third := claimTrace(t, j, "c")
	require.Equal(t, 2, third.Attempt, "one that was given back does not count")

	addSpans(t, j, j.Actor, liveSpan(1, 3, false)) // while it is being made
	require.NoError(t, j.EndTrace(j.Ctx, third, db.TraceOutcome{State: live.Session, ObjectID: "x"}))
	list, err := j.Traces(j.Ctx, j.Tenant.ID, 10)
	require.NoError(t, err)
	require.Equal(t, 1, list[0].Late)
	require.Equal(t, "x", list[0].ObjectID)
	d := dbtest.Raw(t, j.Dir)
	bytes := 0
	require.NoError(t, d.QueryRow("SELECT sum(length(body)) FROM live_spans").Scan(&bytes))
	require.Zero(t, bytes, "what was made holds the text, and can be erased")
}

func TestTracesArePruned(t *testing.T) {
	j := dbtest.NewClocked(t)
	addSpans(t, j, j.Actor, liveSpan(1, 1, true))
	j.At = j.At.Add(live.Settling)
	require.NoError(t, j.EndTrace(j.Ctx, claimTrace(t, j, "a"),
		db.TraceOutcome{State: live.Nothing, Cause: live.NoRule}))
	j.At = j.At.Add(live.KeepSpans - time.Second)
	n, err := j.PruneTraces(j.Ctx)
	require.NoError(t, err)
	require.Zero(t, n)
	addSpans(t, j, j.Actor, liveSpan(2, 1, false)) // is gathered still
	j.At = j.At.Add(2 * time.Second)
	n, err = j.PruneTraces(j.Ctx)
	require.NoError(t, err)
	require.EqualValues(t, 1, n)
	j.At = j.At.Add(live.KeepTraces)
	n, err = j.PruneTraces(j.Ctx)
	require.NoError(t, err)
	require.EqualValues(t, 1, n)
	list, err := j.Traces(j.Ctx, j.Tenant.ID, 10)
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Equal(t, live.Gathering, list[0].State)
	j.At = j.At.Add(live.KeepCounts)
	n, err = j.PruneTraces(j.Ctx)
	require.NoError(t, err)
	require.EqualValues(t, 3, n, "the counts of two days: spans kept, twice, and no rule")
}

func TestRulesOfTraces(t *testing.T) {
	j := dbtest.NewClocked(t)
	list := []live.Rule{{Service: "rag", Share: 12.5, Becomes: live.Session}}
	_, err := j.SetLiveRules(j.Ctx, j.Actor, 1, list)
	require.Equal(t, domain.Conflict, domain.KindOf(err))
	r, err := j.SetLiveRules(j.Ctx, j.Actor, 0, list)
	require.NoError(t, err)
	require.Equal(t, 1, r.Revision)
	r, err = j.SetLiveRules(j.Ctx, j.Actor, 1, list)
	require.NoError(t, err)
	require.Equal(t, 1, r.Revision, "the same is no change")
	r, err = j.LiveRules(j.Ctx, j.Tenant.ID)
	require.NoError(t, err)
	require.Equal(t, live.Rules{Revision: 1, List: list}, r)
	r, err = j.SetLiveRules(j.Ctx, j.Actor, 1, nil)
	require.NoError(t, err)
	require.True(t, r.MakesNothing())
	r, err = j.LiveRules(j.Ctx, j.Tenant.ID)
	require.NoError(t, err)
	require.Equal(t, 2, r.Revision)
	require.Empty(t, r.List)
	other, _ := j.NewTenant(t, "other")
	r, err = j.LiveRules(j.Ctx, other.ID)
	require.NoError(t, err)
	require.Equal(t, live.DefaultRules(), r)
}
