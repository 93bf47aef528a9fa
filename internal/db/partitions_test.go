package db_test

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
)

// TestPartitionsAreChosenAtCreation asks for partitions of databases that are new, of those that have as many, other or
// no partitions, and of SQLite.
func TestPartitionsAreChosenAtCreation(t *testing.T) {
	ctx := context.Background()
	open := func(dir, database string, partitions int) (*db.Store, error) {
		return db.Open(ctx, db.Options{Dir: dir, Database: database, Partitions: partitions, Now: time.Now, NewID: uuid.NewString,
			Keys: masterKey(t, 1)})
	}
	_, err := open(t.TempDir(), "", 4)
	require.ErrorContains(t, err, "partitions are of a PostgreSQL database")
	if !dbtest.OnPostgres() {
		return // the rest asks a server: make postgres
	}
	dir := t.TempDir()
	for _, n := range []int{-1, 1, 65} {
		_, err = open(dir, dbtest.Database(dir), n)
		require.ErrorContains(t, err, "from 2 to 64", "%d", n)
	}
	made := func(dir string, partitions int) {
		s, err := open(dir, dbtest.Database(dir), partitions)
		require.NoError(t, err)
		h := &fixture{Store: s, dir: dir}
		h.tenant, err = s.EnsureTenant(ctx, "main", "Main")
		require.NoError(t, err)
		h.actor = domain.Actor{Tenant: h.tenant.ID, ID: "id-of-noura", User: "Noura", Role: domain.Reviewer}
		h.insert(t, sizedSession(3))
		report := h.verify(t)
		require.True(t, report.OK(), report.Faults)
		require.NoError(t, s.Close())
	}
	made(dir, 64) // begun without, which nothing was written to
	for _, n := range []int{0, 64} {
		s, err := open(dir, dbtest.Database(dir), n)
		require.NoError(t, err)
		require.NoError(t, s.Close())
	}
	_, err = open(dir, dbtest.Database(dir), 8)
	require.ErrorContains(t, err, "the database was made with 64 partitions")
	require.ErrorContains(t, err, "sanad move --database-partitions 8")
	other := t.TempDir()
	made(other, 0)
	_, err = open(other, dbtest.Database(other), 8)
	require.ErrorContains(t, err, "the database was made without partitions")
	whole := list(t, server(t, dir), `SELECT p.relname FROM pg_class c JOIN pg_inherits i ON i.inhparent = c.oid
		JOIN pg_class p ON p.oid = i.inhrelid WHERE c.relkind = 'p' ORDER BY 1`)
	require.Len(t, whole, 64*len(db.Partitioned()))
	require.Contains(t, whole, "events_p63")
}

// partOf matches a step of a plan that reads or looks into a partition.
var partOf = regexp.MustCompile(`\bon (\w+)_p(\d+)\b`)

// TestPagesReadOnePartition checks that no query of a page reads two partitions of a table: its tenant's rows are in
// one.
func TestPagesReadOnePartition(t *testing.T) {
	if dbtest.Partitions() == 0 {
		t.Skip("needs a PostgreSQL server and SANAD_TEST_POSTGRES_PARTITIONS: make postgres runs it a second time with these")
	}
	h := newFixture(t)
	s := sizedSession(20)
	h.insert(t, s)
	d := server(t, h.dir)
	must(t, d, "SET enable_seqscan = off") // some tables are so small that indexes would not be worth it
	read := map[string]bool{}
	for name, call := range h.pages(t, s) {
		for _, q := range sentBy(t, h, call) {
			if !strings.HasPrefix(strings.TrimSpace(q.query), "SELECT") && !strings.HasPrefix(strings.TrimSpace(q.query), "WITH") {
				continue
			}
			parts := map[string][]string{}
			plan := postgresPlan(t, d, "EXPLAIN (ANALYZE, COSTS off, TIMING off, SUMMARY off) ", q)
			for _, step := range plan {
				found := partOf.FindStringSubmatch(step)
				if found != nil && !strings.Contains(step, "never executed") && !slices.Contains(parts[found[1]], found[2]) {
					parts[found[1]] = append(parts[found[1]], found[2])
				}
			}
			for table, of := range parts {
				read[table] = true
				require.Len(t, of, 1, "%s reads several partitions of %s: %s\n%s", name, table, q.query,
					strings.Join(plan, "\n"))
			}
		}
	}
	for _, table := range []string{"claims", "matches", "citations", "events", "claim_search", "find_search"} {
		require.True(t, read[table], "no page reads %s", table)
	}
}
