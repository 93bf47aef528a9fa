package sessions_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db/dbtest"
	"sanad/internal/thorough"
)

// TestImportKeepsEveryCharacter stores texts with the characters that a stream of rows escapes, and reads them back.
func TestImportKeepsEveryCharacter(t *testing.T) {
	h := dbtest.New(t)
	odd := "tab\tline\nreturn\r back\\slash \\N \\. \\x41 quote'\" end\x01\u200f نص 🌴"
	s := dbtest.SizedSession(30)
	s.Answer = odd + s.Answer
	for i := range s.Claims {
		s.Claims[i].Text += odd
		s.Claims[i].Span = nil
	}
	s.Documents[0].Chunks[3].Text = odd + "\n\\.\n" // what ends a stream if it stands in a line of its own
	h.AddSession(t, s)
	got, err := h.Session(context.Background(), h.Tenant.ID, s.ID)
	require.NoError(t, err)
	require.Equal(t, s.Answer, got.Answer)
	require.Equal(t, s.Documents[0].Chunks[3].Text, got.Documents[0].Chunks[3].Text)
	require.Equal(t, s.Claims[29].Text, got.Claims[29].Text)
	require.Nil(t, got.Claims[3].Matches)
	require.Equal(t, s.Claims[0].Matches[0].Similarity, got.Claims[0].Matches[0].Similarity)
}

// TestImportsInFewStatements prints how many statements an import of 1,000 and of 20,000 claims sends. On PostgreSQL
// rows go as streams of a megabyte.
func TestImportsInFewStatements(t *testing.T) {
	h := dbtest.New(t)
	sent := map[int]int64{}
	many := thorough.Times(5000, 20_000) // their check takes as many seconds as a reading may, under the race detector
	for _, n := range []int{1000, many} {
		s := dbtest.SizedSession(n)
		before := h.QueryCount()
		h.AddSession(t, s)
		sent[n] = h.QueryCount() - before
		t.Logf("an import of %d claims: %d statements", n, sent[n])
	}
	if dbtest.OnPostgres() {
		require.LessOrEqual(t, sent[1000], int64(50))
		require.LessOrEqual(t, sent[many], int64(80))
	}
}

// TestGrownTablesAreAnalysed checks that the planner knows of a bulk import's rows as soon as it is done, so that a
// search for a common word does not read and sort all of them.
func TestGrownTablesAreAnalysed(t *testing.T) {
	if !dbtest.OnPostgres() {
		t.Skip("SQLite plans without figures: make postgres")
	}
	h := dbtest.New(t)
	h.AddSession(t, dbtest.SizedSession(200))
	d := dbtest.Raw(t, h.Dir)
	known := func() string {
		return dbtest.TextsOf(t, d, "SELECT (reltuples >= 20000)::text FROM pg_class WHERE relname IN ('claims', 'claim_search') ORDER BY relname")[0]
	}
	require.Equal(t, "false", known())
	h.AddSession(t, dbtest.SizedSession(20_000))
	require.Equal(t, "true", known())
}

// TestFailedImportLeavesNothing checks that rows which were streamed go with their transaction.
func TestFailedImportLeavesNothing(t *testing.T) {
	h := dbtest.New(t)
	s := dbtest.SizedSession(3000)
	s.Claims[2999].Text = strings.Repeat("x", 10) + "\x00" // PostgreSQL refuses it, late
	l := dbtest.Assess(s)
	_, created, err := h.InsertSession(context.Background(), h.Actor, l, nil, nil)
	d := dbtest.Raw(t, h.Dir)
	if !dbtest.OnPostgres() {
		require.NoError(t, err)
		return
	}
	require.Error(t, err)
	require.False(t, created)
	for _, table := range []string{"sessions", "claims", "matches", "claim_search", "documents"} {
		require.Zero(t, dbtest.Count(t, d, table), table)
	}
	h.AddSession(t, dbtest.SizedSession(5)) // and the connection is still good
}

// The schema refuses what is not of the closed vocabularies, whoever writes it (rule DB-14).
func TestSchemaRefusesOtherWords(t *testing.T) {
	h := dbtest.New(t)
	h.AddSession(t, dbtest.SizedSession(3))
	d := dbtest.Raw(t, h.Dir)
	for _, change := range []string{
		"claims SET type = 'guess'", "claims SET importance = 'huge'", "claims SET verdict = 'fine'",
		"claims SET machine_verdict = 'fine'", "claims SET confidence = 1.5", "claims SET effective_type = ''",
		"claims SET effective_importance = ''", "matches SET similarity = -0.1", "matches SET support = 'some'",
	} {
		_, err := d.ExecContext(context.Background(), "UPDATE "+change)
		require.Error(t, err, change)
	}
	dbtest.Exec(t, d, "UPDATE claims SET verdict = ''") // an unjudged claim has none
}
