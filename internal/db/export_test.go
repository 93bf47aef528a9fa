package db

import (
	"fmt"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sessions"
	"sanad/internal/db/sqldb"
)

// DigestedColumns lists the columns that are digested, by table, each with whether it can be NULL.
func DigestedColumns() map[string]map[string]bool {
	out := map[string]map[string]bool{}
	for i := range sessions.SessionSections {
		table := &sessions.SessionSections[i].Table
		if out[table.Name] == nil {
			out[table.Name] = map[string]bool{}
		}
		for _, c := range table.Columns {
			out[table.Name][c.Name] = c.Nullable
		}
	}
	return out
}

// RecordedColumns lists the columns that events record of rows outside of sessions, by table.
func RecordedColumns() map[string][]string {
	out := map[string][]string{}
	for _, x := range recordTables() {
		out[x.Name] = x.Columns
	}
	return out
}

// RecordedTogether lists the tables whose rows of one key are recorded together.
func RecordedTogether() (out []string) {
	for _, x := range recordTables() {
		if x.Order != "" {
			out = append(out, x.Name)
		}
	}
	return out
}

// WithLater returns options for a program of a later version, with the text of one more step for each level after the
// newest one of this program.
func WithLater(o Options, texts ...string) Options {
	for i, text := range texts {
		level := NewestLevel() + 1 + i
		o.later = append(o.later, sqldb.Step{Version: level, Name: fmt.Sprintf("%04d_later.sql", level),
			Text: []byte(text)})
	}
	return o
}

// NewestLevel is the level of the schema that this program knows.
func NewestLevel() int {
	known, err := sqldb.KnownMigrations(sqldb.SQLiteFile("", Schema))
	if err != nil {
		panic(err)
	}
	return known[len(known)-1].Version
}

// MigrationTexts returns the texts of the steps of both engines, by engine and file.
func MigrationTexts() (map[string]string, error) {
	out := map[string]string{}
	for name, address := range map[string]string{"sqlite": "", "postgres": "postgres://somebody@localhost/sanad"} {
		e, err := sqldb.EngineOf(address, "", Schema)
		if err != nil {
			return nil, err
		}
		files, err := e.Migrations()
		if err != nil {
			return nil, err
		}
		for i := range files {
			out[name+"/"+files[i].Name] = string(files[i].Text)
		}
	}
	return out, nil
}

// ServesFrom returns the lowest level of a program that may serve once a step is applied.
func ServesFrom(version int, text string) int {
	f := sqldb.Step{Version: version, Text: []byte(text)}
	return f.Serves()
}

// ErasureClaims returns what each room says that erasures do to its tables and files.
func ErasureClaims() map[string][]auditlog.Claim { return erasureClaims() }
