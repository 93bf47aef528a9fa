package db

import (
	"errors"
	"slices"
	"strings"
)

func (e *postgresEngine) migrations() ([]migrationFile, error) {
	return migrationsIn(e.schema.Steps, "migrations", "migrations/postgres")
}

// apart lists the tables that are not copied, as SQL.
func (e *postgresEngine) apart() string {
	return "'" + strings.Join(append([]string{"schema_migrations"}, e.schema.Apart...), "', '") + "'"
}

// noPartition is the condition that a table c of information_schema.columns is not a partition, as an operator may have
// made of a large table.
const noPartition = `NOT EXISTS (SELECT 1 FROM pg_class p WHERE p.relispartition AND p.relname = c.table_name
	AND p.relnamespace = current_schema()::regnamespace)`

func (e *postgresEngine) tables(t *tx) ([]table, error) {
	var out []table
	err := t.each(`SELECT c.table_name, c.column_name, c.is_identity FROM information_schema.columns c
		JOIN information_schema.tables t ON t.table_schema = c.table_schema AND t.table_name = c.table_name
		WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE'
		AND c.table_name NOT IN (`+e.apart()+`) AND `+noPartition+`
		ORDER BY c.table_name, c.ordinal_position`, nil, func(r scanner) error {
		var name, column, identity string
		if err := r.Scan(&name, &column, &identity); err != nil {
			return err
		}
		if slices.Contains(e.schema.Search, name) {
			return nil
		}
		if len(out) == 0 || out[len(out)-1].name != name {
			out = append(out, table{name: name})
		}
		x := &out[len(out)-1]
		x.columns = append(x.columns, `"`+column+`"`)
		if identity == "YES" {
			x.number = column
		}
		return nil
	})
	return out, err
}

func (e *postgresEngine) checkOwner(t *tx) error {
	ours, others := 0, 0
	err := t.row(`SELECT count(CASE WHEN tablename = 'schema_migrations' THEN 1 END), count(*) FROM pg_tables
		WHERE schemaname = current_schema()`, nil, &ours, &others)
	if err == nil && ours == 0 && others > 0 {
		err = openError{e.place() + " belongs to another program: it has tables, and none is Sanad's; " +
			"create one for Sanad alone"}
	}
	return err
}

func (*postgresEngine) hasTable(t *tx, name string) (bool, error) {
	n := 0
	err := t.row("SELECT count(*) FROM pg_tables WHERE schemaname = current_schema() AND tablename = ?", []any{name}, &n)
	return n > 0, err
}

func (*postgresEngine) references(t *tx) ([]reference, error) {
	return collect(t, `SELECT DISTINCT f.relname, r.relname FROM pg_constraint k JOIN pg_class f ON f.oid = k.conrelid
		JOIN pg_class r ON r.oid = k.confrelid WHERE k.contype = 'f' AND k.connamespace = current_schema()::regnamespace`,
		nil, func(r scanner, k *reference) error { return r.Scan(&k.from, &k.to) })
}

func (*postgresEngine) tablesWith(t *tx, column string) ([]string, error) {
	return collect(t, `SELECT c.table_name FROM information_schema.columns c JOIN information_schema.tables t
		ON t.table_schema = c.table_schema AND t.table_name = c.table_name
		WHERE c.table_schema = current_schema() AND c.column_name = ? AND t.table_type = 'BASE TABLE'
		AND `+noPartition+` ORDER BY c.table_name`, []any{column}, scanText)
}

func (*postgresEngine) deferKeys(t *tx) error {
	_, err := t.exec("SET CONSTRAINTS ALL DEFERRED")
	return err
}

func (e *postgresEngine) disableTriggers(t *tx, tables []table) (restore func() error, err error) {
	all := func(what string) error {
		for _, x := range tables {
			if err := t.script("ALTER TABLE " + x.name + " " + what + " TRIGGER USER"); err != nil {
				return err
			}
		}
		return nil
	}
	return func() error {
		if err := t.script("SET CONSTRAINTS ALL IMMEDIATE"); err != nil { // tables with pending checks can't be altered
			return err
		}
		return all("ENABLE")
	}, errors.Join(all("DISABLE"), e.deferKeys(t))
}

func (*postgresEngine) indexedWords(_ *tx, index string) (query string, done func() error, err error) {
	return "SELECT rowid, array_to_string(tsvector_to_array(words), ' ') FROM " + index + " ORDER BY rowid",
		func() error { return nil }, nil
}

func (*postgresEngine) lastNumber(t *tx, x table) (last int64, err error) {
	if x.number == "" {
		return 0, nil
	}
	name := ""
	if err := t.row("SELECT pg_get_serial_sequence(?, ?)", []any{x.name, x.number}, &name); err != nil {
		return 0, err
	}
	err = t.row("SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM "+name, nil, &last)
	return last, err
}

func (*postgresEngine) setNumber(t *tx, x table, last int64) error {
	if x.number == "" {
		return nil
	}
	return t.each("SELECT setval(pg_get_serial_sequence(?, ?), ?)", []any{x.name, x.number, last},
		func(scanner) error { return nil })
}
