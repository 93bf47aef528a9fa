package db_test

import (
	"context"
	"database/sql"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
)

// walked matches a step of PostgreSQL's plan that reads a whole table, which it names.
var walked = regexp.MustCompile(`Seq Scan on (\w+?)(?:_p\d+)?\b`)

// TestPagesUseIndexesOnPostgres is TestPagesScanNothing for PostgreSQL: it asks for the plan of each query of each page
// with whole scans discouraged, so that one is planned only where no index serves. Tables of a few hundred rows read
// whole would be right there, and would hide a missing index.
func TestPagesUseIndexesOnPostgres(t *testing.T) {
	onPostgresOnly(t)
	h := newFixture(t)
	s := sizedSession(200)
	h.insert(t, s)
	h.insert(t, sizedSession(5))
	d := server(t, h.dir)
	must(t, d, "SET enable_seqscan = off")
	seen := 0
	for name, call := range h.pages(t, s) {
		for _, q := range sentBy(t, h, call) {
			seen++
			for _, step := range postgresPlan(t, d, "EXPLAIN ", q) {
				if found := walked.FindStringSubmatch(step); found != nil {
					t.Errorf("%s: %s\n%s", name, step, q.query)
				}
			}
		}
	}
	require.Greater(t, seen, 100)
}

// TestPlansOfManyClaims looks at the plans that PostgreSQL takes by itself in a store of 100,000 claims in 500 sessions
// of 10 tenants: none reads a table of 10,000 rows or more whole.
func TestPlansOfManyClaims(t *testing.T) {
	onPostgresOnly(t)
	h := newFixture(t)
	s := sizedSession(200)
	h.insert(t, s)
	dbtest.Raw(t, h.dir) // which says that what is added isn't in the log
	dbtest.Multiply(t, h.dir, 10, 500, 0)
	d := server(t, h.dir)
	large := map[string]bool{"claims": true, "matches": true, "chunks": true, "claim_search": true, "find_search": true}
	for name, call := range h.pages(t, s) {
		for _, q := range sentBy(t, h, call) {
			for _, step := range postgresPlan(t, d, "EXPLAIN ", q) {
				if found := walked.FindStringSubmatch(step); found != nil && large[found[1]] {
					t.Errorf("%s: %s\n%s", name, step, q.query)
				}
			}
		}
	}
}

// server opens one connection to the database of a data folder; its statements are PostgreSQL's.
func server(t testing.TB, dir string) *sql.DB {
	t.Helper()
	d, err := sql.Open("pgx", dbtest.Database(dir))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	d.SetMaxOpenConns(1)
	return d
}

// statement is one that the store has sent.
type statement struct {
	query string
	args  []any
}

func sentBy(t testing.TB, h *fixture, call func() error) (sent []statement) {
	t.Helper()
	stop := h.Trace(func(query string, args []any) { sent = append(sent, statement{query, args}) })
	defer stop()
	require.NoError(t, call())
	return sent
}

// postgresPlan returns the lines of a plan.
func postgresPlan(t testing.TB, d *sql.DB, explain string, q statement) (steps []string) {
	t.Helper()
	args := make([]any, len(q.args))
	for i, v := range q.args {
		if b, ok := v.(bool); ok {
			v = map[bool]int{true: 1}[b]
		}
		args[i] = v
	}
	rows, err := d.QueryContext(context.Background(), explain+db.RewriteForPostgres(q.query), args...)
	require.NoError(t, err, q.query)
	defer rows.Close() //nolint:errcheck // rows.Err has the error
	for rows.Next() {
		step := ""
		require.NoError(t, rows.Scan(&step))
		steps = append(steps, step)
	}
	require.NoError(t, rows.Err())
	return steps
}
