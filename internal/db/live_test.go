package db_test

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
	return live.Span{TraceID: fmt.Sprintf("%032x", trace), SpanID: fmt.Sprintf("%016x", span), Root: root, Service: "rag",
		Name: "chat", Body: fmt.Sprintf(`{"spanId":"%016x"}`, span)}
}

func (j *jobFixture) addSpans(t *testing.T, a access.Actor, spans ...live.Span) db.KeptSpans {
	t.Helper()
	k, err := j.AddSpans(j.ctx, a, spans, &live.Refused{}, nil)
	require.NoError(t, err)
	return k
}

func (j *jobFixture) claimTrace(t *testing.T, owner string) *db.ClaimedTrace {
	t.Helper()
	c, err := j.ClaimTrace(j.ctx, owner, time.Minute)
	require.NoError(t, err)
	return c
}

func TestSpansAreKeptOnce(t *testing.T) {
	j := newJobFixture(t)
	k := j.addSpans(t, j.actor, liveSpan(1, 1, true), liveSpan(1, 2, false), liveSpan(1, 1, true), liveSpan(2, 1, false))
	require.Equal(t, 3, k.New)
	require.Equal(t, 1, k.Again)
	k = j.addSpans(t, j.actor, liveSpan(1, 2, false))
	require.Equal(t, 1, k.Again)
	other, somebody := j.newTenant(t, "other")
	require.Equal(t, 1, j.addSpans(t, somebody, liveSpan(1, 2, false)).New, "another tenant's trace of that id")
	for tenant, n := range map[string]int{j.tenant.ID: 2, other.ID: 1} {
		list, err := j.Traces(j.ctx, tenant, 10)
		require.NoError(t, err)
		require.Len(t, list, n)
	}
}

// One of two workers has a trace, and only as long as it says so.
func TestTraceBelongsToOneWorker(t *testing.T) {
	j := newJobFixture(t)
	j.addSpans(t, j.actor, liveSpan(1, 1, true), liveSpan(1, 2, false))
	require.Nil(t, j.claimTrace(t, "a"), "it is not complete")
	j.at = j.at.Add(live.Settling)
	first := j.claimTrace(t, "a")
	require.Len(t, first.Spans, 2)
	require.Equal(t, j.actor.ID, first.Actor.ID)
	require.Equal(t, live.DefaultRules(), first.Rules)
	require.Nil(t, j.claimTrace(t, "b"))
	j.at = j.at.Add(50 * time.Second)
	require.NoError(t, j.BeatTrace(j.ctx, first, time.Minute))
	j.at = j.at.Add(50 * time.Second)
	require.Nil(t, j.claimTrace(t, "b"))
	j.at = j.at.Add(11 * time.Second)
	second := j.claimTrace(t, "b")
	require.Equal(t, 2, second.Attempt)
	require.ErrorIs(t, j.BeatTrace(j.ctx, first, time.Minute), db.ErrJobLost)
	require.ErrorIs(t, j.EndTrace(j.ctx, first, db.TraceOutcome{State: live.Nothing, Cause: live.NoRule}), db.ErrJobLost)
	require.NoError(t, j.ReleaseTrace(j.ctx, second, time.Minute, false))
	require.Nil(t, j.claimTrace(t, "c"))
	j.at = j.at.Add(time.Minute)
	third := j.claimTrace(t, "c")
	require.Equal(t, 2, third.Attempt, "one that was given back does not count")

	j.addSpans(t, j.actor, liveSpan(1, 3, false)) // while it is being made
	require.NoError(t, j.EndTrace(j.ctx, third, db.TraceOutcome{State: live.Session, ObjectID: "x"}))
	list, err := j.Traces(j.ctx, j.tenant.ID, 10)
	require.NoError(t, err)
	require.Equal(t, 1, list[0].Late)
	require.Equal(t, "x", list[0].ObjectID)
	d := dbtest.Raw(t, j.dir)
	bytes := 0
	require.NoError(t, d.QueryRow("SELECT sum(length(body)) FROM live_spans").Scan(&bytes))
	require.Zero(t, bytes, "what was made holds the text, and can be erased")
}

func TestTracesArePruned(t *testing.T) {
	j := newJobFixture(t)
	j.addSpans(t, j.actor, liveSpan(1, 1, true))
	j.at = j.at.Add(live.Settling)
	require.NoError(t, j.EndTrace(j.ctx, j.claimTrace(t, "a"), db.TraceOutcome{State: live.Nothing, Cause: live.NoRule}))
	j.at = j.at.Add(live.KeepSpans - time.Second)
	n, err := j.PruneTraces(j.ctx)
	require.NoError(t, err)
	require.Zero(t, n)
	j.addSpans(t, j.actor, liveSpan(2, 1, false)) // is gathered still
	j.at = j.at.Add(2 * time.Second)
	n, err = j.PruneTraces(j.ctx)
	require.NoError(t, err)
	require.EqualValues(t, 1, n)
	j.at = j.at.Add(live.KeepTraces)
	n, err = j.PruneTraces(j.ctx)
	require.NoError(t, err)
	require.EqualValues(t, 1, n)
	list, err := j.Traces(j.ctx, j.tenant.ID, 10)
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Equal(t, live.Gathering, list[0].State)
	j.at = j.at.Add(live.KeepCounts)
	n, err = j.PruneTraces(j.ctx)
	require.NoError(t, err)
	require.EqualValues(t, 3, n, "the counts of two days: spans kept, twice, and no rule")
}

func TestRulesOfTraces(t *testing.T) {
	j := newJobFixture(t)
	list := []live.Rule{{Service: "rag", Share: 12.5, Becomes: live.Session}}
	_, err := j.SetLiveRules(j.ctx, j.actor, 1, list)
	require.Equal(t, domain.Conflict, domain.KindOf(err))
	r, err := j.SetLiveRules(j.ctx, j.actor, 0, list)
	require.NoError(t, err)
	require.Equal(t, 1, r.Revision)
	r, err = j.SetLiveRules(j.ctx, j.actor, 1, list)
	require.NoError(t, err)
	require.Equal(t, 1, r.Revision, "the same is no change")
	r, err = j.LiveRules(j.ctx, j.tenant.ID)
	require.NoError(t, err)
	require.Equal(t, live.Rules{Revision: 1, List: list}, r)
	r, err = j.SetLiveRules(j.ctx, j.actor, 1, nil)
	require.NoError(t, err)
	require.True(t, r.MakesNothing())
	r, err = j.LiveRules(j.ctx, j.tenant.ID)
	require.NoError(t, err)
	require.Equal(t, 2, r.Revision)
	require.Empty(t, r.List)
	other, _ := j.newTenant(t, "other")
	r, err = j.LiveRules(j.ctx, other.ID)
	require.NoError(t, err)
	require.Equal(t, live.DefaultRules(), r)
}
