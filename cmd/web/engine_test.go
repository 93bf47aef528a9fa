package main

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
)

// databaseOf returns the address of a data folder's database where the stores of tests lie on a PostgreSQL server, ""
// for the file in it. A folder that has the file, because it was restored, keeps to it.
func databaseOf(dir string) string {
	if _, err := os.Stat(filepath.Join(dir, db.DatabaseFile)); err == nil {
		return ""
	}
	return dbtest.Database(dir)
}

// onEngine adds to a command line the database of its data folder, which is the last that is named.
func onEngine(args ...string) []string {
	if !dbtest.OnPostgres() || slices.Contains(args, "--database") {
		return args
	}
	dir := ""
	for i, arg := range args[:max(0, len(args)-1)] {
		if arg == "--data" {
			dir = args[i+1]
		}
	}
	cmd, _, err := newRoot(streams{in: strings.NewReader(""), out: io.Discard, err: io.Discard}).Find(args)
	if err != nil || dir == "" || cmd.Flags().Lookup("database") == nil || cmd.Name() == "restore" {
		return args
	}
	if address := databaseOf(dir); address != "" {
		args = append(slices.Clone(args), "--database", address)
	}
	return args
}

// atData is the configuration of the main tenant in a data folder.
func atData(dir string) config {
	return config{data: dir, database: databaseOf(dir), tenant: mainTenant, creates: true}
}

// allRows returns all rows of a data folder's database on a PostgreSQL server as text.
func allRows(t *testing.T, dir string) string {
	t.Helper()
	d := dbtest.Raw(t, dir)
	rows, err := d.Query("SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename")
	require.NoError(t, err)
	var tables []string
	for rows.Next() {
		tables = append(tables, "")
		require.NoError(t, rows.Scan(&tables[len(tables)-1]))
	}
	require.NoError(t, rows.Err())
	require.NotEmpty(t, tables)
	var all strings.Builder
	for _, table := range tables {
		var text string
		require.NoError(t, d.QueryRow("SELECT coalesce(string_agg(x::text, ' '), '') FROM "+table+" x").Scan(&text))
		all.WriteString(text)
	}
	return all.String()
}
