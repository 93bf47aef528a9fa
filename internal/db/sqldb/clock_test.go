package sqldb_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
)

// Processes whose clocks are ten minutes before and behind that of the database's server use the server's. A file has
// no clock, so its process keeps its own.
func TestClockOfTheServer(t *testing.T) {
	dir := dbtest.Dir(t)
	for _, skew := range []time.Duration{10 * time.Minute, -10 * time.Minute, 100 * time.Millisecond} {
		own := func() time.Time { return time.Now().Add(skew) }
		s, err := db.Open(context.Background(),
			db.Options{Dir: dir, Database: dbtest.Database(dir), Now: own, NewID: uuid.NewString,
				Keys: dbtest.MasterKey(t, 1), ServerClock: true})
		require.NoError(t, err)
		off := time.Until(s.Now())
		if !dbtest.OnPostgres() {
			off -= skew
		}
		require.Less(t, off.Abs(), time.Minute, skew)
		require.NoError(t, s.Close())
	}
}
