package sqldb

import (
	"errors"
	"slices"
	"strings"
)

func (engine *postgresEngine) Migrations() ([]Step, error) {
	return migrationsIn(engine.schema.Steps, "migrations", "migrations/postgres")
}

// apart lists the tables that are not copied, as SQL.
func (engine *postgresEngine) apart() string {
	return "'" + strings.Join(append([]string{"schema_migrations"}, engine.schema.Apart...), "', '") + "'"
}

// noPartition is the condition that a table c of information_schema.columns is not a partition, as an operator may have
// made of a large table.
const noPartition = `NOT EXISTS (SELECT 1 FROM pg_class p WHERE p.relispartition AND p.relname = c.table_name
	AND p.relnamespace = current_schema()::regnamespace)`

func (engine *postgresEngine) Tables(t *Tx) ([]Table, error) {
	var out []Table
	err := t.Each(`SELECT c.table_name, c.column_name, c.is_identity FROM information_schema.columns c
		JOIN information_schema.tables t ON t.table_schema = c.table_schema AND t.table_name = c.table_name
		WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE'
		AND c.table_name NOT IN (`+engine.apart()+`) AND `+noPartition+`
		ORDER BY c.table_name, c.ordinal_position`, nil, func(r Scanner) error {
		var name, column, identity string
		if err := r.Scan(&name, &column, &identity); err != nil {
			return err
		}
		if slices.Contains(engine.schema.Search, name) {
			return nil
		}
		if len(out) == 0 || out[len(out)-1].Name != name {
			out = append(out, Table{Name: name})
		}
		x := &out[len(out)-1]
		x.Columns = append(x.Columns, `"`+column+`"`)
		if identity == "YES" {
			x.Number = column
		}
		return nil
	})
	return out, err
}

func (engine *postgresEngine) checkOwner(t *Tx) error {
	ours, others := 0, 0
	err := t.Row(`SELECT count(CASE WHEN tablename = 'schema_migrations' THEN 1 END), count(*) FROM pg_tables
		WHERE schemaname = current_schema()`, nil, &ours, &others)
	if err == nil && ours == 0 && others > 0 {
		err = openError{engine.Place() + " belongs to another program: it has tables, and none is Sanad's; " +
			"create one for Sanad alone"}
	}
	return err
}

func (*postgresEngine) HasTable(t *Tx, name string) (bool, error) {
	n := 0
	err := t.Row("SELECT count(*) FROM pg_tables WHERE schemaname = current_schema() AND tablename = ?", []any{name},
		&n)
	return n > 0, err
}

func (*postgresEngine) References(t *Tx) ([]Reference, error) {
	return Collect(t, `SELECT DISTINCT f.relname, r.relname FROM pg_constraint k JOIN pg_class f ON f.oid = k.conrelid
		JOIN pg_class r ON r.oid = k.confrelid WHERE k.contype = 'f' AND k.connamespace = current_schema()::regnamespace`,
		nil, func(r Scanner, k *Reference) error { return r.Scan(&k.From, &k.To) })
}

func (*postgresEngine) DeferKeys(t *Tx) error {
	_, err := t.Exec("SET CONSTRAINTS ALL DEFERRED")
	return err
}

func (engine *postgresEngine) DisableTriggers(t *Tx, tables []Table) (restore func() error, err error) {
	all := func(what string) error {
		for _, x := range tables {
			if err := t.script("ALTER TABLE " + x.Name + " " + what + " TRIGGER USER"); err != nil {
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
	}, errors.Join(all("DISABLE"), engine.DeferKeys(t))
}

func (*postgresEngine) IndexedWords(_ *Tx, index string) (query string, done func() error, err error) {
	return "SELECT rowid, array_to_string(tsvector_to_array(words), ' ') FROM " + index + " ORDER BY rowid",
		func() error { return nil }, nil
}

func (*postgresEngine) LastNumber(t *Tx, x Table) (last int64, err error) {
	if x.Number == "" {
		return 0, nil
	}
	name := ""
	if err := t.Row("SELECT pg_get_serial_sequence(?, ?)", []any{x.Name, x.Number}, &name); err != nil {
		return 0, err
	}
	err = t.Row("SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM "+name, nil, &last)
	return last, err
}

func (*postgresEngine) SetNumber(t *Tx, x Table, last int64) error {
	if x.Number == "" {
		return nil
	}
	return t.Each("SELECT setval(pg_get_serial_sequence(?, ?), ?)", []any{x.Name, x.Number, last},
		func(Scanner) error { return nil })
}
