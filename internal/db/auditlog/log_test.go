package auditlog_test

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/transparency-dev/merkle/proof"
	"github.com/transparency-dev/merkle/rfc6962"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/audit"
)

func verifies(public, message, signature []byte) bool {
	return ed25519.Verify(public, message, signature)
}

func TestEventsNameNobody(t *testing.T) {
	h := dbtest.New(t)
	a := h.Actor
	a.From, a.Trace, a.Token = "192.0.2.7", "trace-1", "token-1"
	require.NoError(t, h.LogEvent(context.Background(), a, db.Event{Action: "x", Kind: "y", ObjectID: "z"}))
	require.NoError(t, h.LogEvent(context.Background(), h.Actor, db.Event{Action: "x", Kind: "y", ObjectID: "z"}))
	events, err := h.Events(context.Background(), h.Tenant.ID, 0, 9)
	require.NoError(t, err)
	require.NotContains(t, string(events[0].Bytes), a.User)
	require.Equal(t, a.ID, events[0].Actor)
	e, err := audit.ParseEvent(events[0].Bytes)
	require.NoError(t, err)
	require.Equal(t, []string{a.ID, a.Trace, a.Token}, []string{e.Actor, e.Trace, e.Token})
	require.Regexp(t, "^hmac-sha256:[0-9a-f]{64}$", e.From, "rule LOG-14")
	require.NotContains(t, string(events[0].Bytes), a.From)
	require.NotContains(t, string(events[1].Bytes), "from")
}

func TestLogFilters(t *testing.T) {
	ctx := context.Background()
	h := dbtest.New(t)
	other := h.Actor
	other.ID = "someone-else"
	for i := range 6 {
		a := h.Actor
		if i%2 == 1 {
			a = other
		}
		action := []string{"login.failed", "login.succeeded", "loginx"}[i%3]
		require.NoError(t, h.LogEvent(ctx, a,
			db.Event{Action: action, Kind: "kind" + fmt.Sprint(i%2), ObjectID: fmt.Sprint(i)}))
	}
	for name, c := range map[string]struct {
		q    audit.Query
		want []int64
	}{
		"all": {audit.Query{}, []int64{6, 5, 4, 3, 2, 1}}, "action": {audit.Query{Action: "loginx"}, []int64{6, 3}},
		"family":     {audit.Query{Action: "login."}, []int64{5, 4, 2, 1}},
		"actor":      {audit.Query{Actor: "someone-else"}, []int64{6, 4, 2}},
		"kind":       {audit.Query{Kind: "kind0"}, []int64{5, 3, 1}},
		"object":     {audit.Query{Kind: "kind0", ObjectID: "2"}, []int64{3}},
		"from":       {audit.Query{From: dbtest.Now}, []int64{6, 5, 4, 3, 2, 1}},
		"from later": {audit.Query{From: dbtest.Now.Add(1)}, nil}, "to": {audit.Query{To: dbtest.Now}, nil},
		"before": {audit.Query{Before: 3}, []int64{2, 1}},
	} {
		for _, limit := range []int{1, 2, 10} { // paging gives the same list
			var got []int64
			q := c.q
			for q.Limit = limit; ; {
				page, next, err := h.Log(ctx, h.Tenant.ID, q)
				require.NoError(t, err)
				require.LessOrEqual(t, len(page), limit)
				for _, e := range page {
					got = append(got, e.Seq)
				}
				if q.Before = next; next == 0 {
					break
				}
			}
			require.Equal(t, c.want, got, "%s by %d", name, limit)
		}
	}
	events, _, err := h.Log(ctx, "another tenant", audit.Query{Limit: 9})
	require.NoError(t, err)
	require.Empty(t, events)
}

func TestLogProofs(t *testing.T) {
	ctx := context.Background()
	h := dbtest.New(t)
	text, err := h.Checkpoint(ctx, h.Tenant.ID)
	require.NoError(t, err)
	require.Empty(t, text)
	h.AddEvents(t, 13)
	events, err := h.Events(ctx, h.Tenant.ID, 0, 99)
	require.NoError(t, err)
	for _, e := range events {
		p, err := h.LogProof(ctx, h.Tenant.ID, e.Seq)
		require.NoError(t, err)
		c, err := p.Verify(e.Bytes, logKeys(t, h))
		require.NoError(t, err)
		var hashes [][]byte
		for i := range p.Hashes {
			hashes = append(hashes, p.Hashes[i][:])
		}
		require.NoError(t, proof.VerifyInclusion(rfc6962.DefaultHasher, uint64(e.Seq-1), 13,
			rfc6962.DefaultHasher.HashLeaf(e.Bytes), hashes, c.Root[:]))
	}
	for _, seq := range []int64{0, -1, 14} {
		_, err = h.LogProof(ctx, h.Tenant.ID, seq)
		require.Equal(t, domain.NotFound, domain.KindOf(err))
	}
	_, err = h.VerifyLog(ctx, "nope")
	require.Equal(t, domain.NotFound, domain.KindOf(err))
	_, err = h.Checkpoint(ctx, "nope")
	require.Equal(t, domain.NotFound, domain.KindOf(err))
}

// TestManyWritersOneLog checks that fifty concurrent writers in two processes leave no gap, and that every checkpoint
// seen is consistent.
func TestManyWritersOneLog(t *testing.T) {
	ctx := context.Background()
	h := dbtest.New(t)
	beside := dbtest.Open(t, h.Dir)
	defer func() { require.NoError(t, beside.Close()) }()
	const writers, each = 50, 4
	require.Equal(t, writers, dbtest.Together(writers, func(i int) bool {
		s := h.Store
		if i%5 == 0 {
			s = beside
		}
		for range each {
			if !assert.NoError(t, s.LogEvent(ctx, h.Actor, db.Event{Action: "x", Kind: "y", ObjectID: fmt.Sprint(i)})) {
				return false
			}
		}
		return true
	}))
	report := h.CheckLog(t)
	require.True(t, report.OK(), report.Faults)
	require.Equal(t, int64(writers*each), report.Size)
	require.Equal(t, "agrees", report.CheckpointFile)
	h.Reopen(t, nil)
	require.Empty(t, h.Frozen())
}
