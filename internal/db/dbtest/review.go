package dbtest

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
)

// As returns the fixture acting as another person.
func (fixture *Fixture) As(id string) *Fixture {
	other := *fixture
	other.Actor = access.Actor{Tenant: fixture.Tenant.ID, ID: id, User: "Name of " + id, Role: access.Reviewer}
	return &other
}

// Says reviews a claim as the fixture's person.
func (fixture *Fixture) Says(t *testing.T, id string, position int, in ledger.ReviewInput) {
	t.Helper()
	in.By = fixture.Actor.ID
	_, err := fixture.ReviewClaim(id, position, in)
	require.NoError(t, err)
}

// Assign gives a session's seats to people.
func (fixture *Fixture) Assign(t *testing.T, id string, seats ledger.Seats, mode ledger.SecondReview) {
	t.Helper()
	require.NoError(t, fixture.Reassign(context.Background(), fixture.Actor, id, ledger.DefaultFreshness,
		func(s *ledger.Session) error { return s.SetReviewers(seats, mode, Now) }))
}

// Happened lists the tenant's log events after the first skip ones.
func (fixture *Fixture) Happened(t *testing.T, skip int64) (out []string) {
	t.Helper()
	events, err := fixture.Events(context.Background(), fixture.Tenant.ID, skip, 1000)
	require.NoError(t, err)
	for _, e := range events {
		out = append(out, e.Action)
	}
	return out
}

var Confirm = ledger.ReviewInput{Action: ledger.Confirm}

// FindAll returns all results of a query, read in pages of size; the page size must not change the results.
func (fixture *Fixture) FindAll(t testing.TB, who access.Actor, q ledger.FindQuery, size int) []ledger.Found {
	t.Helper()
	var all []ledger.Found
	for q.Limit = size; ; {
		found, next, err := fixture.Find(context.Background(), who, q)
		require.NoError(t, err)
		require.LessOrEqual(t, len(found), size)
		all = append(all, found...)
		if next == "" {
			return all
		}
		require.Len(t, found, size)
		q.After = next
	}
}

// Replace replaces a session's first document by one with these passages.
func (fixture *Fixture) Replace(t testing.TB, s *ledger.Session, passages ...string) *db.Withdrawal {
	t.Helper()
	newer := ledger.Document{ID: uuid.NewString()}
	for i, p := range passages {
		newer.Chunks = append(newer.Chunks,
			ledger.Chunk{ID: uuid.NewString(), Key: fmt.Sprintf("n%d", i), Position: i, Text: p,
				Hash: ledger.ChunkDigest(p), Root: ledger.TextDigest(p)})
	}
	out, err := fixture.ReplaceDocument(context.Background(), fixture.Actor, s.Documents[0].ID, "Of 2026", "", &newer,
		nil,
		func(s *ledger.Session, position int) (*db.Withdrawal, error) {
			affected, err := s.Replace(position, newer, "Of 2026", Now)
			return &db.Withdrawal{Ledger: Assess(s), Affected: affected, Newer: &s.Documents[len(s.Documents)-1]}, err
		})
	require.NoError(t, err)
	return out
}

// JudgeAgain adds a run that finds nothing for any claim.
func (fixture *Fixture) JudgeAgain(t *testing.T, id, run string) *db.Judged {
	t.Helper()
	out, err := fixture.JudgeSession(context.Background(), fixture.Actor, db.JudgeRequest{SessionID: id},
		func(_ int, s *ledger.Session) (*db.Judged, error) {
			return TakeEmptyRun(s, run), nil
		})
	require.NoError(t, err)
	return out
}

// TakeEmptyRun makes a run of a session that finds nothing.
func TakeEmptyRun(s *ledger.Session, run string) *db.Judged {
	judged := *s
	judged.Claims = slices.Clone(s.Claims)
	judged.Run = ledger.Run{ID: run, Judge: "nothing", Version: "9", InputDigest: run, At: Now}
	for i := range judged.Claims {
		c := &judged.Claims[i]
		c.Judge, c.Given, c.Unjudged, c.Matches = "nothing", false, "", nil
	}
	out := &db.Judged{Changes: s.TakeRun(&judged, Now)}
	out.Ledger = Assess(s)
	return out
}

// ReviewClaim appends a review like the handlers do.
func (fixture *Fixture) ReviewClaim(id string, position int, in ledger.ReviewInput) (*ledger.Ledger, error) {
	return fixture.UpdateSession(context.Background(), fixture.Actor, id, db.ClaimReviewed(id, position+1, in.Action),
		func(s *ledger.Session) (*ledger.Ledger, *db.Receipt, error) {
			if _, err := s.AddReview(position, in, uuid.NewString(), fixture.Actor.User, string(fixture.Actor.Role),
				Now); err != nil {
				return nil, nil, err
			}
			return Assess(s), nil, nil
		})
}
