package db

import (
	"errors"
	"fmt"
	"strings"
)

// partitionedTables are the tables that grow with all that is imported and done: an operator may have them partitioned
// by tenant.
var partitionedTables = []string{"claims", "matches", "citations", "chunks", "events", "claim_search", "find_search"}

// Bounds of the number of partitions. A statement that reads all partitions locks each with its indexes, and a server
// has room for some 6,400 locks by default.
const (
	leastPartitions = 2
	mostPartitions  = 64
)

// partition divides the big tables into n hash partitions by tenant, while they are empty. Later it only checks that
// they have n.
func (e *postgresEngine) partition(t *tx, n int) error {
	if n < leastPartitions || n > mostPartitions {
		return fmt.Errorf("the number of partitions is from %d to %d, not %d", leastPartitions, mostPartitions, n)
	}
	have := 0
	if err := t.row("SELECT count(*) FROM pg_inherits WHERE inhparent = 'claims'::regclass", nil, &have); err != nil {
		return err
	}
	if have == n {
		return nil
	}
	filled := have > 0
	for _, table := range partitionedTables {
		any := false
		if err := t.row("SELECT EXISTS (SELECT 1 FROM "+table+")", nil, &any); err != nil {
			return err
		}
		filled = filled || any
	}
	if filled {
		was := "without partitions"
		if have > 0 {
			was = fmt.Sprintf("with %d partitions", have)
		}
		return fmt.Errorf("the database was made %s, which are chosen when it is made; for %d partitions, "+
			"move what it holds to a new one (sanad move --database-partitions %d)", was, n, n)
	}
	err := makePartitions(t, n)
	e.isPartitioned.Store(err == nil)
	return err
}

// makePartitions makes the empty tables again with n partitions each, and gives them everything else that they had.
func makePartitions(t *tx, n int) error {
	names := "'" + strings.Join(partitionedTables, "', '") + "'"
	var after []string // what the dropped tables take with them; keys come before those that refer to them
	for _, query := range []string{
		`SELECT 'ALTER TABLE ' || c.relname || ' ADD CONSTRAINT ' || quote_ident(k.conname) || ' ' || pg_get_constraintdef(k.oid)
			FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
			WHERE k.contype IN ('p', 'u') AND k.conrelid IN (SELECT oid FROM big)`,
		`SELECT pg_get_indexdef(i.indexrelid) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
			WHERE i.indrelid IN (SELECT oid FROM big)
			AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u'))`,
		`SELECT pg_get_triggerdef(g.oid) FROM pg_trigger g
			WHERE NOT g.tgisinternal AND g.tgrelid IN (SELECT oid FROM big)`,
		`SELECT 'ALTER TABLE ' || c.relname || ' ADD CONSTRAINT ' || quote_ident(k.conname) || ' ' || pg_get_constraintdef(k.oid)
			FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
			WHERE k.contype = 'f' AND (k.conrelid IN (SELECT oid FROM big) OR k.confrelid IN (SELECT oid FROM big))`,
		`SELECT 'CREATE VIEW ' || c.relname || ' AS ' || pg_get_viewdef(c.oid) FROM pg_class c
			WHERE c.relkind = 'v' AND c.oid IN (SELECT r.ev_class FROM pg_depend d JOIN pg_rewrite r ON r.oid = d.objid
			WHERE d.classid = 'pg_rewrite'::regclass AND d.refobjid IN (SELECT oid FROM big))`,
	} {
		made, err := collect(t, "WITH big AS (SELECT oid FROM pg_class WHERE relnamespace = current_schema()::regnamespace"+
			" AND relname IN ("+names+")) "+query, nil, scanText)
		if err != nil {
			return err
		}
		after = append(after, made...)
	}
	for _, table := range partitionedTables {
		script := []string{
			"CREATE TABLE divided (LIKE " + table + " INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING IDENTITY)" +
				" PARTITION BY HASH (tenant_id)",
			"DROP TABLE " + table + " CASCADE",
			"ALTER TABLE divided RENAME TO " + table,
		}
		for i := range n {
			script = append(script, fmt.Sprintf("CREATE TABLE %s_p%d PARTITION OF %s FOR VALUES WITH (MODULUS %d, REMAINDER %d)",
				table, i, table, n, i))
		}
		if err := t.script(strings.Join(script, "; ")); err != nil {
			return err
		}
	}
	return t.script(strings.Join(after, "; "))
}

// errNoPartitions is the refusal of SQLite, whose store is one file.
var errNoPartitions = errors.New("partitions are of a PostgreSQL database: name it with --database, or leave --database-partitions out")
