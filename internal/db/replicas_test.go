package db_test

import (
	"context"
	"database/sql"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/ledger"
)

// openReplicated opens the store of a fixture once more, with replicas.
func openReplicated(t *testing.T, h *fixture, replicas ...string) (*db.Store, error) {
	t.Helper()
	s, err := db.Open(context.Background(), db.Options{Dir: h.dir, Database: dbtest.Database(h.dir), Replicas: replicas,
		Now: time.Now, NewID: uuid.NewString, Keys: masterKey(t, 1)})
	if err == nil {
		t.Cleanup(func() { require.NoError(t, s.Close()) })
	}
	return s, err
}

// waitFor waits until what is known of the first replica satisfies a condition.
func waitFor(t *testing.T, s *db.Store, what string, is func(r db.ReplicaState) bool) {
	t.Helper()
	last := db.ReplicaState{}
	require.Eventually(t, func() bool { last = s.Replicas()[0]; return is(last) }, 2*time.Minute, 50*time.Millisecond, what)
}

// listFrom lists the titles of the sessions as a reader who has reached a position, and whether a replica answered.
func listFrom(t *testing.T, s *db.Store, h *fixture, at db.Position) (titles []string, replica bool) {
	t.Helper()
	before := readsOf(s)
	ctx, _ := db.WithReading(context.Background(), at, "somebody")
	rows, _, err := s.Sessions(ctx, h.tenant.ID, ledger.SessionQuery{Limit: 10})
	require.NoError(t, err)
	for _, r := range rows {
		titles = append(titles, r.Title)
	}
	return titles, readsOf(s) > before
}

func readsOf(s *db.Store) (n uint64) {
	for _, r := range s.Replicas() {
		n += r.Reads
	}
	return n
}

func positionOf(t *testing.T, s *db.Store) db.Position {
	t.Helper()
	at, err := s.Position(context.Background())
	require.NoError(t, err)
	require.Equal(t, at, db.ParsePosition(at.String()))
	require.True(t, s.Knows(at))
	return at
}

// titled is a small session with a title.
func titledSession(title string) *ledger.Session {
	s := sizedSession(2)
	s.Title = title
	return s
}

// TestReplicaAnswersWhoItHasReached checks that lists come from a replica exactly where it has reached the reader's position,
// that what decides rights and what follows a write do not, and that one which lags is not asked.
func TestReplicaAnswersWhoItHasReached(t *testing.T) {
	h := newFixture(t)
	at := dbtest.Replicas(t, h.dir)[0]
	h.insert(t, titledSession("first"))
	s, err := openReplicated(t, h, at)
	require.NoError(t, err)
	waitFor(t, s, "asked", func(r db.ReplicaState) bool { return r.InUse })
	first := positionOf(t, s)
	require.Eventually(t, func() bool {
		titles, replica := listFrom(t, s, h, first)
		require.Equal(t, []string{"first"}, titles)
		return replica
	}, time.Minute, 20*time.Millisecond, "no replica has answered")

	resume := dbtest.PauseReplica(t, at)
	h.insert(t, titledSession("second"))
	second := positionOf(t, s)
	titles, replica := listFrom(t, s, h, second)
	require.ElementsMatch(t, []string{"second", "first"}, titles)
	require.False(t, replica, "it has not reached the position")
	titles, replica = listFrom(t, s, h, first)
	require.Equal(t, []string{"first"}, titles)
	require.True(t, replica)
	titles, replica = listFrom(t, s, h, db.Position{})
	require.ElementsMatch(t, []string{"second", "first"}, titles)
	require.False(t, replica, "the position is unknown")
	titles, replica = listFrom(t, s, h, db.ParsePosition("1.1"))
	require.ElementsMatch(t, []string{"second", "first"}, titles)
	require.False(t, replica, "the position is of another server")

	late, err := openReplicated(t, h, at)
	require.NoError(t, err)
	require.False(t, late.Replicas()[0].InUse)
	require.Contains(t, late.Replicas()[0].Why, "not known yet", "a process that has just begun can't tell minutes from hours")
	titles, replica = listFrom(t, late, h, first)
	require.ElementsMatch(t, []string{"second", "first"}, titles)
	require.False(t, replica)

	before := readsOf(s)
	ctx, reading := db.WithReading(context.Background(), first, "somebody")
	_, err = s.User(ctx, uuid.NewString())
	require.Error(t, err)
	_, err = s.SignedIn(ctx, db.HashToken("x"))
	require.Error(t, err)
	require.False(t, reading.Wrote())
	require.NoError(t, s.LogEvent(ctx, h.actor,
		db.Event{Action: "session.exported", Kind: "session", ObjectID: uuid.NewString()}))
	require.True(t, reading.Wrote())
	rows, _, err := s.Sessions(ctx, h.tenant.ID, ledger.SessionQuery{Limit: 10})
	require.NoError(t, err)
	require.Len(t, rows, 2, "what follows a write comes from the primary")
	ctx, _ = db.WithReading(context.Background(), first, "somebody")
	newest := rows[slices.IndexFunc(rows, func(r ledger.SessionRow) bool { return r.Title == "second" })].ID
	_, err = s.Session(ctx, h.tenant.ID, newest)
	require.NoError(t, err, "what a replica does not have yet is looked up at the primary")
	require.Equal(t, before, readsOf(s))

	waitFor(t, s, "lag", func(r db.ReplicaState) bool { return !r.InUse && strings.Contains(r.Why, "s behind") })
	require.Positive(t, s.Replicas()[0].Bytes)
	require.Greater(t, s.Replicas()[0].Lag, 10.0)
	titles, replica = listFrom(t, s, h, first)
	require.ElementsMatch(t, []string{"second", "first"}, titles)
	require.False(t, replica, "it lags")

	resume()
	waitFor(t, s, "asked again", func(r db.ReplicaState) bool { return r.InUse })
	require.Eventually(t, func() bool {
		titles, replica := listFrom(t, s, h, second)
		require.ElementsMatch(t, []string{"second", "first"}, titles)
		return replica
	}, time.Minute, 20*time.Millisecond, "no replica has answered")
}

// TestReplicaThatIsNone checks that nothing fails because of a server that is away, no standby, of another database, or
// promoted, and that it is said.
func TestReplicaThatIsNone(t *testing.T) {
	h := newFixture(t)
	replicas := dbtest.Replicas(t, h.dir)
	h.insert(t, titledSession("first"))
	elsewhere := strings.Replace(replicas[0], databaseOf(t, replicas[0]), "postgres", 1)
	for address, why := range map[string]string{
		"postgres://sanad@127.0.0.1:1/x?connect_timeout=2": "does not answer", dbtest.Database(h.dir): "no standby",
		elsewhere: "another database",
	} {
		s, err := openReplicated(t, h, address)
		require.NoError(t, err)
		waitFor(t, s, why, func(r db.ReplicaState) bool { return !r.InUse && strings.Contains(r.Why, why) })
		titles, replica := listFrom(t, s, h, positionOf(t, s))
		require.Equal(t, []string{"first"}, titles)
		require.False(t, replica)
		states, err := db.ExamineReplicas(context.Background(), db.Options{Dir: h.dir, Database: dbtest.Database(h.dir),
			Replicas: []string{address, replicas[0]}})
		require.NoError(t, err)
		require.Len(t, states, 2)
		require.Contains(t, states[0].Why, why, "as sanad doctor says it")
		require.True(t, states[1].InUse, states[1].Why)
	}

	s, err := openReplicated(t, h, replicas[1])
	require.NoError(t, err)
	waitFor(t, s, "asked", func(r db.ReplicaState) bool { return r.InUse })
	u, err := url.Parse(replicas[1])
	require.NoError(t, err)
	u.Path = "/postgres"
	d, err := sql.Open("pgx", u.String())
	require.NoError(t, err)
	defer d.Close() //nolint:errcheck // nothing is left to lose
	must(t, d, "SELECT pg_promote()")
	titles, replica := listFrom(t, s, h, positionOf(t, s))
	require.Equal(t, []string{"first"}, titles)
	require.False(t, replica, "it was promoted, before a probe has seen it")
	waitFor(t, s, "promoted", func(r db.ReplicaState) bool { return !r.InUse && strings.Contains(r.Why, "was promoted") })
}

// TestReplicaAddressesAreChecked checks that an address of a replica which cannot be one is refused at the start.
func TestReplicaAddressesAreChecked(t *testing.T) {
	if !dbtest.OnPostgres() {
		_, err := db.Open(context.Background(), db.Options{Dir: t.TempDir(), Replicas: []string{"postgres://sanad@127.0.0.1/x"},
			Now: time.Now, NewID: uuid.NewString, Keys: masterKey(t, 1)})
		require.ErrorContains(t, err, "--database-replica needs --database")
		return
	}
	h := newFixture(t)
	for address, why := range map[string]string{
		"replica.example":                           "postgres://USER@HOST:5432/NAME",
		"postgres://sanad:very-secret@[::1]:x/db":   "postgres://USER@HOST:5432/NAME",
		"postgres://sanad@a.example,b.example/db":   "postgres://USER@HOST:5432/NAME", // a comma separates addresses
		"host=a.example,b.example user=very-secret": "postgres://USER@HOST:5432/NAME",
	} {
		_, err := openReplicated(t, h, address)
		require.ErrorContains(t, err, why)
		require.NotContains(t, err.Error(), "very-secret")
	}
}
