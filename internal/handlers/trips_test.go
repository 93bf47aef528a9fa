package handlers_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"sanad/internal/db/dbtest"
	"sanad/internal/handlers/webtest"
)

// wanted is how many round trips to the database a page should need at most.
const wanted = 8

// TestRoundTripsOfPages prints how often each hot page waits for PostgreSQL, as counted between the two, once its
// statements are prepared; docs/scaling.md has the figures. A page may not need more than it does today.
func TestRoundTripsOfPages(t *testing.T) {
	if !dbtest.OnPostgres() {
		t.Skip("SQLite has no round trips: make postgres")
	}
	wire := dbtest.CountTrips(t)
	s := webtest.NewServer(t)
	id := s.Create(webtest.ManyClaims(1000)).SessionID
	packed := s.Signed("dec-trips").PackID
	cookie := "sanad=" + s.Person("viewer").Cookie
	for _, page := range []struct {
		name, path string
		most       int64
	}{
		{"dashboard", "/", 17},
		{"sessions", "/sessions", 7},
		{"ledger", "/sessions/" + id, 16},
		{"claim", "/sessions/" + id + "/claims/2", 13},
		{"pack", "/packs/" + packed, 25},
		{"search", "/search?q=covered", 13},
		{"search of claims", "/search?q=covered&kind=claim", 7},
	} {
		trips, statements := int64(1<<62), int64(0)
		for range 25 { // each connection of the pool prepares a statement when it first sends it
			before, sent := wire.Trips(), s.Store.QueryCount()
			require.Equal(t, 200, s.Serve(webtest.Request("GET", page.path, "", "Cookie", cookie)).Code, page.path)
			trips, statements = min(trips, wire.Trips()-before), s.Store.QueryCount()-sent
		}
		more := ""
		if trips > wanted {
			more = "  (more than wanted)"
		}
		t.Logf("%-18s %2d round trips, %2d statements%s", page.name, trips, statements, more)
		assert.LessOrEqual(t, trips, page.most, page.name)
	}
}
