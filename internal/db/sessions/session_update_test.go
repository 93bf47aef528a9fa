package sessions_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/google/uuid"
	"github.com/gowebpki/jcs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
)

func TestUpdateSavesReviewsAndWhatFollowsFromThem(t *testing.T) {
	h := dbtest.New(t)
	ctx := context.Background()
	s := dbtest.FullSession()
	h.AddSession(t, s)
	in := ledger.ReviewInput{Action: ledger.Override, Verdict: ledger.Contradicted, Reason: "لأن"}
	want, err := h.ReviewClaim(s.ID, 1, in)
	require.NoError(t, err)
	require.Equal(t, 2, want.Session.Revision)
	got, err := h.Session(ctx, h.Tenant.ID, s.ID)
	require.NoError(t, err)
	require.Equal(t, want, dbtest.Assess(got))

	p, err := h.ClaimPage(ctx, h.Tenant.ID, s.ID, 1)
	require.NoError(t, err)
	require.Equal(t, want.Head(), p.Overview)
	e, ok := p.Session.EntryAt(1, p.Flags[1])
	require.True(t, ok)
	require.Equal(t, want.Entries[1].Flags, e.Flags)
	require.Equal(t, ledger.Contradicted, e.Verdict)
	page, err := h.LedgerPage(ctx, h.Tenant.ID, s.ID,
		ledger.ClaimFilter{Verdict: ledger.Contradicted}, -1, 10)
	require.NoError(t, err)
	require.Len(t, page.Session.Claims, 1)

	rows, _, err := h.Sessions(ctx, h.Tenant.ID, ledger.SessionQuery{Limit: 10})
	require.NoError(t, err)
	require.Equal(t, "Noura", rows[0].Reviewer)
	require.Equal(t, ledger.StatusOpen, rows[0].Status)
	home, err := h.Home(ctx, h.Actor)
	require.NoError(t, err)
	require.Equal(t, want.Summary.Reviewed, home.Reviewed)
	require.Equal(t, want.Summary.ByVerdict, home.ByVerdict)

	_, err = h.ReviewClaim(s.ID, 2, ledger.ReviewInput{Action: ledger.Override, Verdict: ledger.Weak, Reason: "r"})
	require.NoError(t, err)
	rows, _, err = h.Sessions(ctx, h.Tenant.ID, ledger.SessionQuery{State: ledger.StatusReviewed, Limit: 10})
	require.NoError(t, err)
	require.Len(t, rows, 1)
	home, err = h.Home(ctx, h.Actor)
	require.NoError(t, err)
	require.Empty(t, home.Queue)
}

func TestRefusedUpdateChangesNothing(t *testing.T) {
	h := dbtest.New(t)
	ctx := context.Background()
	s := dbtest.FullSession()
	h.AddSession(t, s)
	own := errors.New("the handler's own error")
	for _, refuse := range []error{own, domain.Refuse(domain.Conflict, "", "refused_session_changed_meanwhile")} {
		_, err := h.UpdateSession(ctx, h.Actor, s.ID, db.Event{},
			func(s *ledger.Session) (*ledger.Ledger, *db.Receipt, error) {
				s.Claims[0].Reviews, s.Revision = nil, 99
				return nil, nil, fmt.Errorf("wrapped: %w", refuse)
			})
		require.ErrorIs(t, err, refuse)
		require.ErrorContains(t, err, "wrapped")
	}
	_, err := h.UpdateSession(ctx, h.Actor, s.ID, db.Event{},
		func(s *ledger.Session) (*ledger.Ledger, *db.Receipt, error) {
			return dbtest.Assess(s), nil, nil // the revision was not increased
		})
	require.Equal(t, domain.Internal, domain.KindOf(err))
	_, err = h.ReviewClaim("nope", 0, ledger.ReviewInput{Action: ledger.Comment, Reason: "x"})
	require.Equal(t, domain.NotFound, domain.KindOf(err))
	got, err := h.Session(ctx, h.Tenant.ID, s.ID)
	require.NoError(t, err)
	require.Equal(t, s, got)
	events, err := h.Events(ctx, h.Tenant.ID, 0, 100)
	require.NoError(t, err)
	require.Len(t, events, 1)
}

func TestParallelUpdatesAreNotLost(t *testing.T) {
	h := dbtest.New(t)
	ctx := context.Background()
	s := dbtest.SizedSession(20)
	h.AddSession(t, s)
	const writers = 50
	require.Equal(t, writers, dbtest.Together(writers, func(i int) bool {
		_, err := h.ReviewClaim(s.ID, i%20,
			ledger.ReviewInput{Action: ledger.Comment, Reason: fmt.Sprintf("comment %d", i)})
		return assert.NoError(t, err)
	}))
	got, err := h.Session(ctx, h.Tenant.ID, s.ID)
	require.NoError(t, err)
	require.Equal(t, 1+writers, got.Revision)
	seen := map[string]bool{}
	for _, c := range got.Claims {
		for _, r := range c.Reviews {
			seen[r.Reason] = true
		}
	}
	require.Len(t, seen, writers)
	events, err := h.Events(ctx, h.Tenant.ID, 0, 1000)
	require.NoError(t, err)
	require.Len(t, events, 1+writers)
}

func TestStaleWritersGetConflict(t *testing.T) {
	h := dbtest.New(t)
	s := dbtest.SizedSession(3)
	h.AddSession(t, s)
	const writers = 50 // all of them read revision 1
	require.Equal(t, 1, dbtest.Together(writers, func(int) bool {
		_, err := h.UpdateSession(context.Background(), h.Actor, s.ID, db.ClaimReviewed(s.ID, 1, ledger.Comment),
			func(s *ledger.Session) (*ledger.Ledger, *db.Receipt, error) {
				if s.Revision != 1 {
					return nil, nil, domain.Refuse(domain.Conflict, "", "refused_session_changed_meanwhile")
				}
				_, err := s.AddReview(0, ledger.ReviewInput{Action: ledger.Comment, Reason: "x"}, uuid.NewString(),
					"n", "admin", dbtest.Now)
				return dbtest.Assess(s), nil, err
			})
		if err != nil {
			assert.Equal(t, domain.Conflict, domain.KindOf(err), "%v", err)
		}
		return err == nil
	}))
}

func TestEventsAreCanonicalContiguousAndAppendOnly(t *testing.T) {
	h := dbtest.New(t)
	ctx := context.Background()
	_, other := h.NewTenant(t, "other")
	s := dbtest.FullSession()
	h.AddSession(t, s)
	for range 3 {
		require.NoError(t, h.LogEvent(ctx, h.Actor, db.SessionExported(s, "pdf", "")))
		require.NoError(t, h.LogEvent(ctx, other, db.Event{Action: "x", Kind: "y", ObjectID: "ü\u2028<"}))
	}
	for _, tenant := range []string{h.Actor.Tenant, other.Tenant} {
		events, err := h.Events(ctx, tenant, 0, 100)
		require.NoError(t, err)
		for i, e := range events {
			require.Equal(t, int64(i+1), e.Seq)
			again, err := jcs.Transform(e.Bytes)
			require.NoError(t, err)
			require.Equal(t, string(again), string(e.Bytes))
			var v struct {
				Tenant, ID, At, Actor, Action string
				Seq                           int64
			}
			require.NoError(t, json.Unmarshal(e.Bytes, &v))
			require.Equal(t, []any{tenant, e.ID, e.At, e.Actor, e.Action, e.Seq},
				[]any{v.Tenant, v.ID, v.At, v.Actor, v.Action, v.Seq})
		}
	}
	page, err := h.Events(ctx, h.Actor.Tenant, 2, 1)
	require.NoError(t, err)
	require.Len(t, page, 1)
	require.Equal(t, int64(3), page[0].Seq)
	require.Equal(t, domain.NotFound, domain.KindOf(h.LogEvent(ctx, access.Actor{Tenant: "nope"}, db.Event{})))

	d := dbtest.Raw(t, h.Dir)
	for _, change := range []string{
		"UPDATE events SET actor = 'x'", "DELETE FROM events", "UPDATE reviews SET reason = 'x'", "DELETE FROM reviews",
		"INSERT OR REPLACE INTO events SELECT * FROM events WHERE seq = 1",
		"INSERT INTO events SELECT tenant_id, seq + 99, id, at, actor, role, action, object_kind, object_id, bytes FROM events WHERE seq = 1",
		"INSERT OR REPLACE INTO reviews SELECT * FROM reviews WHERE n = 0",
		"REPLACE INTO events SELECT * FROM events",
	} {
		_, err := d.Exec(change)
		require.ErrorContains(t, err, "append", change)
	}
}
