package db_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/audit"
	"sanad/internal/domain/job"
	"sanad/internal/domain/ledger"
	"sanad/internal/thorough"
)

// nodePair is a tenant of two servers on one store, where the same thing is done on both at the same moment.
type nodePair struct {
	*dbtest.Board
	nodes []*db.Store
}

// both calls do on both nodes at once and requires that so many of them have won.
func (p *nodePair) both(t *testing.T, winners int, do func(s *db.Store) (won bool, err error)) {
	t.Helper()
	require.Equal(t, winners, dbtest.Together(len(p.nodes), func(i int) bool {
		won, err := do(p.nodes[i])
		return assert.NoError(t, err) && won
	}), "winners")
}

// size is the number of events in the tenant's log.
func (p *nodePair) size(t *testing.T) int64 {
	t.Helper()
	events, _, err := p.Log(p.Ctx, p.Tenant.ID, audit.Query{Limit: 1})
	require.NoError(t, err)
	require.NotEmpty(t, events)
	return events[0].Seq
}

// races are what two nodes do at the same moment: once prepares a tenant for it, round is the n-th time. What takes
// long is shared by several tenants.
var races = []struct {
	name    string
	tenants int
	once    func(p *nodePair, t *testing.T) (round func(t *testing.T, n int))
}{
	{"imports of one content", 1, importsRace},
	{"requests with one key", 1, keysRace},
	{"takers of one job", 1, jobsRace},
	{"reviews of one revision", 1, reviewsRace},
	{"approvals of one pack", 3, approvalsRace},
	{"events of one log", 1, eventsRace},
	{"rotations of one key", 1, rotationsRace},
}

func importsRace(p *nodePair, _ *testing.T) func(*testing.T, int) {
	return func(t *testing.T, n int) {
		p.both(t, 1, func(s *db.Store) (bool, error) {
			same := dbtest.SizedSession(2)
			same.Digest = ledger.TextDigest(fmt.Sprint("same content ", n))
			_, created, err := s.InsertSession(p.Ctx, p.Actor, dbtest.Assess(same), nil, nil)
			return created, err
		})
	}
}

func keysRace(p *nodePair, _ *testing.T) func(*testing.T, int) {
	return func(t *testing.T, n int) {
		p.both(t, 1, func(s *db.Store) (bool, error) {
			r := &db.Receipt{Key: fmt.Sprint("key ", n), Digest: "d", Status: 201, Body: []byte("{}")}
			_, created, err := s.InsertSession(p.Ctx, p.Actor, dbtest.Assess(dbtest.SizedSession(1)), nil, r)
			var replay *db.ReplayError
			if errors.As(err, &replay) {
				return false, nil
			}
			return created, err
		})
	}
}

func jobsRace(p *nodePair, _ *testing.T) func(*testing.T, int) {
	return func(t *testing.T, n int) {
		in, err := p.PutJobInput(p.Ctx, strings.NewReader(fmt.Sprint("upload ", n)))
		require.NoError(t, err)
		_, created, err := p.AddJob(p.Ctx, p.Actor, in, job.File, "a.json", nil)
		require.NoError(t, err)
		require.True(t, created)
		var taken atomic.Pointer[db.ClaimedJob]
		p.both(t, 1, func(s *db.Store) (bool, error) {
			c, err := s.ClaimJob(p.Ctx, uuid.NewString(), dbtest.Silence, db.PerTenant{})
			if c != nil {
				taken.Store(c)
			}
			return c != nil, err
		})
		require.NoError(t, p.FailJob(p.Ctx, taken.Load(), job.Fault{Msg: "done", Kind: "gone"}))
	}
}

func reviewsRace(p *nodePair, t *testing.T) func(*testing.T, int) {
	const each = 50 // reviews of a claim
	var session *ledger.Session
	return func(t *testing.T, n int) {
		if n%each == 0 {
			session = dbtest.SizedSession(3)
			session.Digest = ledger.TextDigest(fmt.Sprint("reviewed ", n))
			_, created, err := p.InsertSession(p.Ctx, p.Actor, dbtest.Assess(session), nil, nil)
			require.NoError(t, err)
			require.True(t, created)
		}
		seen := n % each
		p.both(t, 1, func(s *db.Store) (bool, error) {
			_, err := s.Review(p.Ctx, p.Actor, session.ID, db.ReviewRequest{
				Decision: ledger.Decision{
					ReviewInput: ledger.ReviewInput{Action: ledger.Comment, Reason: "Read."}, Seen: &seen, At: dbtest.Now,
					NewID: uuid.NewString,
				},
			})
			if domain.KindOf(err) == domain.Conflict { // somebody else has reviewed it
				return false, nil
			}
			return err == nil, err
		})
	}
}

func approvalsRace(p *nodePair, _ *testing.T) func(*testing.T, int) {
	return func(t *testing.T, n int) {
		inReview := p.Submit(t, p.Draft(t, fmt.Sprint("decision ", n), "A2"))
		p.both(t, 1, func(s *db.Store) (bool, error) {
			_, err := s.ApprovePack(p.Ctx, p.Approver, dbtest.Approval(inReview), db.Answering{}, dbtest.Render)
			var refused *domain.Error
			if errors.As(err, &refused) && refused.Kind == domain.Conflict {
				return false, nil
			}
			return err == nil, err
		})
	}
}

// eventsRace: both are stored, one after the other.
func eventsRace(p *nodePair, _ *testing.T) func(*testing.T, int) {
	return func(t *testing.T, _ int) {
		before := p.size(t)
		p.both(t, 2, func(s *db.Store) (bool, error) {
			err := s.LogEvent(p.Ctx, p.Actor, db.Event{Action: "x"})
			return err == nil, err
		})
		require.Equal(t, before+2, p.size(t))
	}
}

// rotationsRace: the second rotates the key that the first has made, and one is in use.
func rotationsRace(p *nodePair, t *testing.T) func(*testing.T, int) {
	_, err := p.RotateKey(p.Ctx, p.Actor, "sign")
	require.NoError(t, err)
	d := dbtest.Raw(t, p.Dir)
	count := func(t *testing.T) (all, inUse int) {
		t.Helper()
		require.NoError(t, d.QueryRowContext(p.Ctx, `SELECT count(*),
			coalesce(sum(CASE WHEN retired_at = '' THEN 1 ELSE 0 END), 0) FROM keys WHERE purpose = 'sign' AND tenant_id = '`+p.Tenant.ID+"'").Scan(&all, &inUse))
		return all, inUse
	}
	return func(t *testing.T, _ int) {
		before, _ := count(t)
		p.both(t, 2, func(s *db.Store) (bool, error) {
			_, err := s.RotateKey(p.Ctx, p.Actor, "sign")
			return err == nil, err
		})
		all, inUse := count(t)
		require.Equal(t, before+2, all)
		require.Equal(t, 1, inUse, "keys in use")
	}
}

// TestTwoNodesOneWinner lets two servers on one store do the same thing at the same moment, many times: one of them
// wins, nothing happens twice, and the log verifies. Each kind of race has a tenant of its own, so that they run beside
// each other; make thorough runs 1,000 rounds of each.
func TestTwoNodesOneWinner(t *testing.T) {
	h := dbtest.New(t)
	beside := dbtest.Open(t, h.Dir)
	t.Cleanup(func() { require.NoError(t, beside.Close()) })
	rounds := thorough.Times(8, 1000)
	for i, race := range races {
		for share := range race.tenants {
			t.Run(race.name, func(t *testing.T) {
				p := &nodePair{nodes: []*db.Store{h.Store, beside}}
				f := &dbtest.Fixture{Store: h.Store, Dir: h.Dir}
				f.Tenant, f.Actor = h.NewTenant(t, fmt.Sprintf("race-%d-%d", i, share))
				p.Board = &dbtest.Board{People: &dbtest.People{Clocked: &dbtest.Clocked{Fixture: f,
					Ctx: context.Background()}}}
				dbtest.AllowUnchecked(t, f.Store, f.Tenant.ID)
				person := func(login string, role access.Role) access.Actor {
					return dbtest.As(f.Tenant,
						p.AddPerson(t, f.Tenant, fmt.Sprintf("%s-%d-%d", login, i, share), role), role)
				}
				p.Drafter, p.Approver = person("drafter", access.Reviewer), person("approver", access.Approver)
				p.Machine = access.Actor{Tenant: f.Tenant.ID, ID: "machine", User: "robot", Role: access.Admin,
					Token: "machine"}
				round := race.once(p, t)
				t.Parallel()
				began, rounds := time.Now(), (rounds+race.tenants-1)/race.tenants
				for n := range rounds {
					round(t, n)
				}
				took := time.Since(began)
				report, err := beside.VerifyLog(p.Ctx, p.Tenant.ID)
				require.NoError(t, err)
				require.True(t, report.OK(), report.Faults)
				t.Logf("%d rounds of %s, each with the winners that it must have, nothing twice; its log of %d events verifies: %v",
					rounds, race.name, report.Size, took.Round(100*time.Millisecond))
			})
		}
	}
}
