package db_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
)

// TestTwoNodesOneWinner lets two servers on one store do the same thing at the same moment, many times: one of them wins,
// nothing happens twice, and the log verifies.
func TestTwoNodesOneWinner(t *testing.T) {
	j := newJobFixture(t)
	ctx := context.Background()
	dbtest.AllowUnchecked(t, j.Store, j.tenant.ID)
	b := &board{people: &people{fixture: j.fixture, ctx: ctx}}
	person := func(login string, role domain.Role) domain.Actor {
		return as(b.tenant, b.add(t, b.tenant, login, role), role)
	}
	b.drafter, b.approver = person("drafter", domain.Reviewer), person("approver", domain.Approver)
	b.machine = domain.Actor{Tenant: b.tenant.ID, ID: "machine", User: "robot", Role: domain.Admin, Token: "machine"}
	beside := openIn(t, j.dir)
	t.Cleanup(func() { require.NoError(t, beside.Close()) })
	nodes := []*db.Store{j.Store, beside}
	rounds, seldom := sized(40, 10), 5
	if os.Getenv("SANAD_PROMISES") != "" {
		rounds, seldom = 1_000, 1
	}
	// both calls do on both nodes at once and returns how many of them won
	both := func(do func(s *db.Store) (won bool, err error)) (winners int) {
		var group sync.WaitGroup
		won, errs := make([]bool, len(nodes)), make([]error, len(nodes))
		for i, s := range nodes {
			group.Go(func() { won[i], errs[i] = do(s) })
		}
		group.Wait()
		require.NoError(t, errors.Join(errs...))
		for _, w := range won {
			if w {
				winners++
			}
		}
		return winners
	}
	session := sizedSession(3)
	j.insert(t, session)
	for n := range rounds {
		require.Equal(t, 1, both(func(s *db.Store) (bool, error) {
			same := sizedSession(2)
			same.Digest = ledger.TextDigest(fmt.Sprint("same content ", n))
			_, created, err := s.InsertSession(ctx, j.actor, assess(same), nil, nil)
			return created, err
		}), "imports of one content")

		key := fmt.Sprint("key ", n)
		require.Equal(t, 1, both(func(s *db.Store) (bool, error) {
			r := &db.Receipt{Key: key, Digest: "d", Status: 201, Body: []byte("{}")}
			_, created, err := s.InsertSession(ctx, j.actor, assess(sizedSession(1)), nil, r)
			var replay *db.ReplayError
			if errors.As(err, &replay) {
				return false, nil
			}
			return created, err
		}), "requests with one key")

		var taken atomic.Pointer[db.ClaimedJob]
		j.queue(t, j.actor, fmt.Sprint("upload ", n))
		require.Equal(t, 1, both(func(s *db.Store) (bool, error) {
			c, err := s.ClaimJob(ctx, uuid.NewString(), silence, db.PerTenant{})
			if c != nil {
				taken.Store(c)
			}
			return c != nil, err
		}), "takers of one job")
		require.NoError(t, j.FailJob(ctx, taken.Load(), domain.JobFault{Msg: "done", Kind: "gone"}))

		stale := errors.New("somebody else has reviewed it")
		require.Equal(t, 1, both(func(s *db.Store) (bool, error) {
			_, err := s.ReviewClaim(ctx, j.actor, session.ID, 0, "", func(x *ledger.Session) (ledger.Review, error) {
				if len(x.Claims[0].Reviews) != n {
					return ledger.Review{}, stale
				}
				in := ledger.ReviewInput{Action: ledger.Comment, Reason: "Read."}
				return x.AddReview(0, in, uuid.NewString(), j.actor.User, string(j.actor.Role), now)
			}, nil)
			if errors.Is(err, stale) {
				return false, nil
			}
			return err == nil, err
		}), "reviews of one revision")

		if n%seldom != 0 {
			continue
		}
		inReview := b.submit(t, b.draft(t, fmt.Sprint("decision ", n), "A2"))
		require.Equal(t, 1, both(func(s *db.Store) (bool, error) {
			_, err := s.ApprovePack(ctx, b.approver, approval(inReview), db.Answering{}, render)
			var refused *domain.Error
			if errors.As(err, &refused) && refused.Kind == domain.Conflict {
				return false, nil
			}
			return err == nil, err
		}), "approvals of one pack")

		size := func() int64 {
			report, err := j.VerifyLog(ctx, j.tenant.ID)
			require.NoError(t, err)
			return report.Size
		}
		before := size()
		require.Equal(t, 2, both(func(s *db.Store) (bool, error) {
			err := s.LogEvent(ctx, j.actor, db.Event{Action: "x"})
			return err == nil, err
		}), "events of one log, which follow each other")
		require.Equal(t, before+2, size())

		require.Equal(t, 2, both(func(s *db.Store) (bool, error) {
			_, err := s.RotateKey(ctx, j.actor, "sign")
			return err == nil, err
		}), "rotations of one key, the second of the first's")
		inUse := 0
		all, err := j.Keys(ctx, j.tenant.ID)
		require.NoError(t, err)
		for _, k := range all {
			if k.Purpose == "sign" && k.RetiredAt.IsZero() {
				inUse++
			}
		}
		require.Equal(t, 1, inUse, "keys in use")
	}
	report, err := beside.VerifyLog(ctx, j.tenant.ID)
	require.NoError(t, err)
	require.True(t, report.OK(), report.Faults)
}
