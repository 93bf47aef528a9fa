package dbtest

import (
	"context"
	"database/sql"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
)

// Calls are what pages ask the store, by name.
type Calls map[string]func() error

// Queries counts what each call sends.
func (fixture *Fixture) Queries(t testing.TB, calls Calls) map[string]int64 {
	t.Helper()
	out := map[string]int64{}
	for name, call := range calls {
		before := fixture.QueryCount()
		require.NoError(t, call(), name)
		out[name] = fixture.QueryCount() - before
	}
	return out
}

// RequireIndexes asks the engine for its plan of each query of each call. No query may read a whole table. On SQLite,
// no query may sort more than a page either, unless sortsLittle matches it because its rows are bounded; nil matches
// none. PostgreSQL is asked with whole scans discouraged, so that one is planned only where no index serves: tables of
// a few hundred rows read whole would be right there, and would hide a missing index. With -v the plans are printed.
func (fixture *Fixture) RequireIndexes(t *testing.T, calls Calls, sortsLittle *regexp.Regexp) {
	t.Helper()
	require.NotEmpty(t, calls)
	if OnPostgres() {
		fixture.requireNoWalk(t, calls, func(string) bool { return true }, "SET enable_seqscan = off")
		return
	}
	d := Raw(t, fixture.Dir)
	for name, call := range calls {
		for _, q := range SentBy(t, fixture, call) {
			for _, step := range Plan(t, d, q.Query, q.Args) {
				little := strings.Contains(step,
					"TEMP B-TREE") && sortsLittle != nil && sortsLittle.MatchString(q.Query)
				if costly(q.Query, step) && !little {
					t.Errorf("%s: %s\n%s", name, step, q.Query)
				}
				if testing.Verbose() {
					t.Logf("%-18s %s", name, step)
				}
			}
		}
	}
}

// RequireNoWalk asks PostgreSQL for the plans that it takes by itself: none may read one of these tables whole.
func (fixture *Fixture) RequireNoWalk(t *testing.T, calls Calls, tables ...string) {
	t.Helper()
	fixture.requireNoWalk(t, calls, func(table string) bool { return slices.Contains(tables, table) }, "")
}

// walked matches a step of PostgreSQL's plan that reads a whole table, which it names.
var walked = regexp.MustCompile(`Seq Scan on (\w+?)(?:_p\d+)?\b`)

func (fixture *Fixture) requireNoWalk(t *testing.T, calls Calls, is func(table string) bool, before string) {
	t.Helper()
	d, err := sql.Open("pgx", Database(fixture.Dir)) // not Raw: the statements are PostgreSQL's
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	d.SetMaxOpenConns(1)
	if before != "" {
		Exec(t, d, before)
	}
	for name, call := range calls {
		sent := SentBy(t, fixture, call)
		require.NotEmpty(t, sent, name)
		for _, q := range sent {
			for _, step := range postgresPlan(t, d, q) {
				if found := walked.FindStringSubmatch(step); found != nil && is(found[1]) {
					t.Errorf("%s: %s\n%s", name, step, q.Query)
				}
			}
		}
	}
}

// postgresPlan returns the lines of a plan.
func postgresPlan(t testing.TB, d *sql.DB, q Statement) (steps []string) {
	t.Helper()
	args := make([]any, len(q.Args))
	for i, v := range q.Args {
		if b, ok := v.(bool); ok {
			v = map[bool]int{true: 1}[b]
		}
		args[i] = v
	}
	rows, err := d.QueryContext(context.Background(), "EXPLAIN "+db.RewriteForPostgres(q.Query), args...)
	require.NoError(t, err, q.Query)
	defer rows.Close() //nolint:errcheck // rows.Err has the error
	for rows.Next() {
		step := ""
		require.NoError(t, rows.Scan(&step))
		steps = append(steps, step)
	}
	require.NoError(t, rows.Err())
	return steps
}

// Statement is one that the store has sent.
type Statement struct {
	Query string
	Args  []any
}

// SentBy returns the statements that a call sends.
func SentBy(t testing.TB, h *Fixture, call func() error) (sent []Statement) {
	t.Helper()
	stop := h.Trace(func(query string, args []any) { sent = append(sent, Statement{query, args}) })
	defer stop()
	require.NoError(t, call())
	return sent
}

// expensive matches a step of a query plan that scans a whole table or sorts.
var expensive = regexp.MustCompile(`^SCAN |TEMP B-TREE`)

// bounded matches steps that look expensive but are not: full text search, the rows of a VALUES list or of
// a bounded subquery.
var bounded = regexp.MustCompile(`VIRTUAL TABLE INDEX|VALUES CLAUSE|CONSTANT ROW|SCAN \(subquery|SCAN newest|SCAN wanted|SCAN counted|SCAN page|SCAN own|SCAN others`)

// sortsTies are queries that walk an index and sort by number what is equal in it: rows of one nanosecond, and views of
// one name.
var sortsTies = regexp.MustCompile(
	`ORDER BY (\w\.(created_at|asked_at)|v\.page, v\.name_key)( DESC)?, \w\.(no|rowid)( DESC)? LIMIT`)

// costly reports whether a step of a query's plan walks a whole table, or sorts more than a page.
func costly(query, step string) bool {
	ties := strings.Contains(step, "TEMP B-TREE FOR LAST TERM OF ORDER BY") && sortsTies.MatchString(query)
	return expensive.MatchString(step) && !bounded.MatchString(step) && !ties
}

// Plan returns the steps of SQLite's plan for a query.
func Plan(t testing.TB, d *sql.DB, query string, args []any) (steps []string) {
	t.Helper()
	rows, err := d.QueryContext(context.Background(), "EXPLAIN QUERY PLAN "+query, args...)
	require.NoError(t, err, query)
	defer func() { require.NoError(t, rows.Close()) }()
	for rows.Next() {
		var id, parent, unused int
		var step string
		require.NoError(t, rows.Scan(&id, &parent, &unused, &step))
		steps = append(steps, step)
	}
	return steps
}
