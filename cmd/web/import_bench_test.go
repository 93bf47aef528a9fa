package main

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/exporters"
	"sanad/internal/importers"
)

// benchClaims is how many claims the benchmark imports (against a bare insert loop).
const benchClaims = 100_000

// largeSession returns a session of n claims with one given match each. Every 40 claims share a chunk of about 1,200
// letters, and the first fifth of the claims is in the answer: about 330 bytes a claim.
func largeSession(n int) []byte {
	var answer, chunks, claims bytes.Buffer
	for i := range n {
		line := fmt.Sprintf("Item %d of the price list costs %d euros a year", i, i*3)
		at := ""
		if i < n/5 && i < 15_000 { // an answer has at most a million letters
			at = fmt.Sprintf(`"start_offset":%d,"end_offset":%d,`, answer.Len(), answer.Len()+len(line))
			answer.WriteString(line + ". ")
		}
		if i%40 == 0 {
			if i > 0 {
				chunks.WriteByte(',')
			}
			fmt.Fprintf(&chunks, `{"id":"c%d","page_number":%d,"heading_path":["Prices","%d"],"text":"`, i/40, i/40+1,
				i/40)
			for k := i; k < i+15; k++ {
				fmt.Fprintf(&chunks,
					"Item %d of the price list costs %d euros a year, whoever asks for it and however. ", k, k*3)
			}
			chunks.WriteString(`"}`)
		}
		if i > 0 {
			claims.WriteByte(',')
		}
		fmt.Fprintf(&claims, `{"claim_id":"k%d","claim_text":"%s","claim_type":"numeric","importance":"material",%s"matches":[{"chunk":"c%d","similarity":0.9,"support_level":"%s","snippet":"of the price list costs %d euros"}]}`,
			i, line, at, i/40, []string{"full", "partial"}[i%2], (i-i%40)*3)
	}
	return fmt.Appendf(nil, `{"format":"sanad.session/v1","session":{"title":"Prices of %d items","query":"What does it cost?","answer":%q},"documents":[{"id":"list","filename":"prices.txt","chunks":[%s]}],"claims":[%s]}`,
		n, answer.String(), chunks.String(), claims.String())
}

// BenchmarkImport does what `sanad import` and a job do with a file of 100,000 claims whose matches are given: read it,
// check it, take over the matches, assess, and store it with indexes, search and the log, in one transaction.
func BenchmarkImport(b *testing.B) {
	data := largeSession(benchClaims)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		b.StopTimer()
		c := atData(filepath.Join(b.TempDir(), "data"))
		require.NoError(b, c.with(context.Background(), func(s *db.Store, tenant db.Tenant) error {
			b.StartTimer()
			_, err := importFile(context.Background(), importer(s, tenant, nil), data, importers.Options{})
			b.StopTimer()
			return err
		}))
		b.StartTimer()
	}
}

// BenchmarkExport is `sanad export` of 100,000 claims in each format, in a process of its own: the most memory that it
// held, and the size of the file.
func BenchmarkExport(b *testing.B) {
	dir := b.TempDir()
	file, exe := filepath.Join(dir, "session.json"), webBinary(b)
	require.NoError(b, os.WriteFile(file, largeSession(benchClaims), 0o600))
	run := func(args ...string) *exec.Cmd {
		cmd := exec.CommandContext(context.Background(), exe, append(args, "--data", filepath.Join(dir, "data"))...)
		cmd.Env = append(os.Environ(), "SANAD_MASTER_KEY="+strings.Repeat("ab", 32))
		return cmd
	}
	out, err := run("import", file).Output()
	require.NoError(b, err)
	for _, f := range exporters.Formats {
		b.Run(f.Name, func(b *testing.B) {
			most, to := 0, filepath.Join(dir, "out."+f.Extension)
			for b.Loop() {
				most = peakOf(b, run("export", "--session", strings.Fields(string(out))[0], "--format", f.Name, "-o", to), false)
			}
			size, err := os.Stat(to)
			require.NoError(b, err)
			b.ReportMetric(float64(most>>20), "MB")
			b.ReportMetric(float64(size.Size()), "bytes")
		})
	}
}

// bareTables lists the tables that such an import fills, each after the tables that it refers to.
var bareTables = []string{"sessions", "ledger_runs", "answer_parts", "documents", "chunks", "claims", "matches",
	"citations"}

// searchTables lists the tables that make the claims and passages of such an import searchable.
var searchTables = []string{"find_runs", "claim_search", "find_search"}

// BenchmarkBareInsert inserts the same rows with one prepared statement per table, row by row in one transaction,
// without foreign keys and without the log. like=searched uses all of the store's tables and indexes, like=store leaves
// out those of search, like=bare uses tables with the same columns and no key or index.
func BenchmarkBareInsert(b *testing.B) {
	dir := filepath.Join(b.TempDir(), "data")
	c := atData(dir)
	require.NoError(b, c.with(context.Background(), func(s *db.Store, tenant db.Tenant) error {
		_, err := importFile(context.Background(), importer(s, tenant, nil), largeSession(benchClaims), importers.Options{})
		return err
	}))
	from := openRaw(b, filepath.Join(dir, "sanad.db"))
	rows, create, inserts := map[string][][]any{}, map[string]string{}, map[string]string{}
	for _, table := range bareTables {
		create[table], inserts[table], rows[table] = tableOf(b, from, table)
	}
	for _, table := range searchTables {
		if strings.HasSuffix(table, "_search") {
			inserts[table], rows[table] = wordsIn(b, from, table)
		} else {
			_, inserts[table], rows[table] = tableOf(b, from, table)
		}
	}
	for _, like := range []string{"searched", "store", "bare"} {
		b.Run("like="+like, func(b *testing.B) {
			tables := bareTables
			if like == "searched" {
				tables = slices.Concat(bareTables, searchTables)
			}
			for b.Loop() {
				b.StopTimer()
				to := filepath.Join(b.TempDir(), "data")
				if like != "bare" {
					c := atData(to)
					require.NoError(b, c.with(context.Background(), func(*db.Store, db.Tenant) error { return nil }))
				} else {
					require.NoError(b, os.MkdirAll(to, 0o700))
				}
				d := openRaw(b, filepath.Join(to, "sanad.db"))
				if like == "bare" {
					for _, table := range bareTables {
						_, err := d.Exec(create[table])
						require.NoError(b, err)
					}
				}
				b.StartTimer()
				insertRows(b, d, tables, inserts, rows)
				b.StopTimer()
				require.NoError(b, d.Close())
				b.StartTimer()
			}
		})
	}
}

// openRaw opens a store's file with the store's own durability settings, but does not check foreign keys.
func openRaw(b *testing.B, file string) *sql.DB {
	d, err := sql.Open("sqlite", "file:"+file+"?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_txlock=immediate")
	require.NoError(b, err)
	b.Cleanup(func() { _ = d.Close() })
	return d
}

// tableOf returns a table's rows, a statement that inserts one, and one that creates a table with the same columns.
func tableOf(b *testing.B, d *sql.DB, table string) (create, insert string, out [][]any) {
	rows, err := d.Query("SELECT * FROM " + table)
	require.NoError(b, err)
	defer rows.Close() //nolint:errcheck // only read
	names, err := rows.Columns()
	require.NoError(b, err)
	for rows.Next() {
		row, to := make([]any, len(names)), make([]any, len(names))
		for i := range row {
			to[i] = &row[i]
		}
		require.NoError(b, rows.Scan(to...))
		out = append(out, row)
	}
	require.NoError(b, rows.Err())
	list := strings.Join(names, ", ")
	return "CREATE TABLE " + table + " (" + list + ")", "INSERT INTO " + table + " (" + list + ") VALUES (?" +
		strings.Repeat(", ?", len(names)-1) + ")", out
}

// wordsIn returns the rows of a full-text table in the order of their numbers, each with its words, and the statement
// that inserts one. The words are read from the index, because such a table stores no text.
func wordsIn(b *testing.B, d *sql.DB, table string) (insert string, out [][]any) {
	d.SetMaxOpenConns(1) // the view of the index exists in one connection only
	_, err := d.Exec("CREATE VIRTUAL TABLE temp." + table + "_words USING fts5vocab(main, " + table + ", instance)")
	require.NoError(b, err)
	rows, err := d.Query("SELECT doc, group_concat(term, ' ') FROM (SELECT doc, term FROM temp." + table +
		"_words ORDER BY doc) GROUP BY doc ORDER BY doc")
	require.NoError(b, err)
	defer rows.Close() //nolint:errcheck // only read
	for rows.Next() {
		var no int
		var words string
		require.NoError(b, rows.Scan(&no, &words))
		out = append(out, []any{no, words})
	}
	require.NoError(b, rows.Err())
	require.Greater(b, len(out), benchClaims/2)
	return "INSERT INTO " + table + " (rowid, words) VALUES (?, ?)", out
}

func insertRows(b *testing.B, d *sql.DB, tables []string, inserts map[string]string, rows map[string][][]any) {
	tx, err := d.Begin()
	require.NoError(b, err)
	if err := func() error {
		for _, table := range tables {
			insert, err := tx.Prepare(inserts[table])
			if err != nil {
				return err
			}
			for _, row := range rows[table] {
				if _, err := insert.Exec(row...); err != nil {
					return err
				}
			}
		}
		return nil
	}(); err != nil {
		b.Fatal(err)
	}
	require.NoError(b, tx.Commit())
}
