package backup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sanad/internal/db"
	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/audit"
)

// Moved is what Move has copied and verified.
type Moved struct {
	Tables []MovedTable
	Logs   int // tenants whose log and contents were verified in the new database
}

// MovedTable is how many rows of a table were copied.
type MovedTable struct {
	Name string
	Rows int64
}

// Move copies everything in the database of from into that of to, which must be of the other engine and empty. The
// files of the store (originals, lake, checkpoints) stay where they are; to names their places. Nobody else may have
// either database open. Each table is copied in one transaction. A move that was cut off goes on with the table in
// which it was, if the tables that were copied before are in the source as they were then; until its end nobody can
// open the new database. Before it returns, the rows of each table are counted on both sides, and every log and every
// digest of the new database is verified against the checkpoints and the files.
func Move(ctx context.Context, from, to db.Options) (m Moved, err error) {
	if (from.Database == "") == (to.Database == "") {
		return m, errors.New("a move goes from a data folder to PostgreSQL, or back")
	}
	if from.Database == "" { // opening it would make it
		path := filepath.Join(from.Dir, db.DatabaseFile)
		if _, err := os.Stat(path); err != nil {
			return m, fmt.Errorf("%s holds no store to be moved: %w", from.Dir, err)
		}
	}
	source, err := openForMove(ctx, from, from.Database)
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	if err := readyToMove(ctx, source); err != nil {
		return m, inUse(source.Engine.Place(), err)
	}
	target, err := openForMove(ctx, to, to.Database)
	if err != nil {
		return m, err
	}
	m, err = moveInto(ctx, source, target)
	if err = errors.Join(err, target.Close()); err != nil {
		return m, err
	}
	if err := m.verify(ctx, to); err != nil {
		return m, err
	}
	return m, endMove(ctx, to)
}

// openForMove opens a database exclusively, without looking at what is in it.
func openForMove(ctx context.Context, o db.Options, place string) (*db.Store, error) {
	path, err := filepath.Abs(filepath.Join(o.Dir, db.DatabaseFile))
	if err != nil {
		return nil, err
	}
	if place == "" {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, err
		}
	}
	s := db.NewStore(o)
	o.Exclusive, o.Log = true, nil
	e, err := sqldb.EngineOf(o.Database, path, db.Schema)
	if err != nil {
		return nil, err
	}
	if s.DB, err = sqldb.Open(ctx, db.EngineConfig(o, e)); err != nil {
		return nil, inUse(e.Place(), err)
	}
	return s, nil
}

// inUse says that a place is open, if err says so, and otherwise returns err.
func inUse(place string, err error) error {
	var who sqldb.OpenElsewhere
	switch {
	case errors.As(err, &who):
		return fmt.Errorf("%s is open: stop every server and command that works on it first; %w", place, who)
	case sqldb.IsFault(err, sqldb.LockedFault):
		return fmt.Errorf("%s is open: stop every server and command that works on it first", place)
	}
	return err
}

// readyToMove refuses a source that has no store, or one of another level.
func readyToMove(ctx context.Context, s *db.Store) error {
	known, err := sqldb.KnownMigrations(s.Engine)
	if err != nil {
		return err
	}
	there := false
	var done []sqldb.Migration
	err = s.Look(ctx, func(t *sqldb.Tx) (err error) {
		if err := db.NotFilled(t); err != nil {
			return err
		}
		if there, err = t.Engine.HasTable(t, "schema_migrations"); err != nil || !there {
			return err
		}
		if done, err = sqldb.Applied(t); err == nil {
			err = sqldb.CheckBaseline(done, known[0])
		}
		return err
	})
	switch {
	case err != nil:
		return err
	case !there:
		return fmt.Errorf("%s holds no store to be moved", s.Engine.Place())
	case len(done) > len(known):
		return sqldb.TooNew(done[len(done)-1].Version, known[len(known)-1].Version)
	case len(done) != len(known):
		return errors.New("the store has another schema than this program: run sanad backup, then sanad migrate first")
	}
	return s.Look(ctx, s.CheckMasterKey)
}

// copyRows copies the rows of every table from one engine into the empty tables of the other, in one transaction.
func copyRows(from, to *sqldb.Tx) (out []MovedTable, err error) {
	tables, err := emptyTables(from, to)
	if err != nil {
		return nil, err
	}
	restore, err := to.Engine.DisableTriggers(to, tables)
	if err != nil {
		return nil, err
	}
	for _, x := range tables {
		n, err := copyTable(&x, from, to, nil)
		if err != nil {
			return nil, err
		}
		out = append(out, MovedTable{Name: x.Name, Rows: n})
	}
	for _, name := range db.SearchTables {
		if _, err := copyWords(from, to, name, nil); err != nil {
			return nil, err
		}
	}
	if err := copyNumbers(from, to, tables); err != nil {
		return nil, err
	}
	if err := restore(); err != nil {
		return nil, err
	}
	return out, sameCounts(from, to, tables)
}

// tablesOf describes the tables that are copied.
func tablesOf(from, to *sqldb.Tx) ([]sqldb.Table, error) {
	tables, err := to.Engine.Tables(to)
	if err == nil && tables == nil {
		tables, err = from.Engine.Tables(from)
	}
	return tables, err
}

// emptyTables is tablesOf for a database that has no rows but those that migrations make.
func emptyTables(from, to *sqldb.Tx) ([]sqldb.Table, error) {
	tables, err := tablesOf(from, to)
	if err != nil {
		return nil, err
	}
	for _, x := range tables {
		if x.Name == "tenants" {
			continue
		}
		n := 0
		if err := to.Row("SELECT count(*) FROM (SELECT 1 FROM "+x.Name+" LIMIT 1) AS found", nil, &n); err != nil {
			return nil, err
		}
		if n > 0 {
			return nil, fmt.Errorf("%s is not empty: it has rows in %s; name a new one, or remove what is there",
				to.Engine.Place(), x.Name)
		}
	}
	return tables, nil
}

// copyNumbers has the tables go on counting where those of the source do.
func copyNumbers(from, to *sqldb.Tx, tables []sqldb.Table) error {
	for _, x := range tables {
		last, err := from.Engine.LastNumber(from, x)
		if err == nil && last > 0 {
			err = to.Engine.SetNumber(to, x, last)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", x.Name, err)
		}
	}
	return nil
}

// copyTable copies the rows in the order in which they were written, as far as they have one, and adds them to sum.
// Without to it only reads them.
func copyTable(x *sqldb.Table, from, to *sqldb.Tx, sum *rowSum) (n int64, err error) {
	if to != nil && x.Name == "tenants" { // a migration has made this one
		if _, err := to.Exec("DELETE FROM tenants WHERE id = ?", reads.SystemTenant); err != nil {
			return 0, err
		}
	}
	var rows *sqldb.Bulk
	if to != nil {
		rows = sqldb.NewBulk(to, x.Name, strings.Join(x.Columns, ", "))
	}
	query := "SELECT " + strings.Join(x.Columns, ", ") + " FROM " + x.Name
	if x.Number != "" {
		query += ` ORDER BY "` + x.Number + `"`
	}
	values, into := make([]any, len(x.Columns)), make([]any, len(x.Columns))
	for i := range values {
		into[i] = &values[i]
	}
	err = from.Each(query, nil, func(r sqldb.Scanner) error {
		if err := r.Scan(into...); err != nil {
			return err
		}
		for i, v := range values {
			if data, ok := v.([]byte); ok && data == nil {
				values[i] = []byte{} // an empty value, which is not none
			}
			if s, ok := v.(string); ok && to != nil && !to.Engine.Storable(s) {
				return fmt.Errorf("row %d has a NUL (U+0000) in %s, which PostgreSQL cannot store: %q", n+1,
					x.Columns[i],
					s[:min(len(s), 60)])
			}
		}
		n++
		sum.add(values...)
		if rows == nil {
			return nil
		}
		rows.Add(values...)
		return rows.Err
	})
	if rows != nil {
		err = errors.Join(err, rows.Flush())
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", x.Name, err)
	}
	return n, err
}

// owners lists, by search table, the first row of each tenant's range of rows, in order.
var owners = map[string]string{
	"session_search":  "SELECT no, tenant_id FROM sessions ORDER BY no",
	"claim_search":    "SELECT first_claim, tenant_id FROM sessions ORDER BY first_claim, total, no",
	"find_search":     "SELECT first, tenant_id FROM find_runs ORDER BY first",
	"decision_search": "SELECT no, tenant_id FROM decisions ORDER BY no",
	"pack_search":     "SELECT no, tenant_id FROM evidence_packs ORDER BY no",
}

// copyWords copies the words of a search index, like copyTable.
func copyWords(from, to *sqldb.Tx, name string, sum *rowSum) (n int64, err error) {
	type owner struct {
		first  int
		tenant string
	}
	ranges, err := sqldb.Collect(from, owners[name], nil,
		func(r sqldb.Scanner, o *owner) error { return r.Scan(&o.first, &o.tenant) })
	if err != nil {
		return 0, err
	}
	query, done, err := from.Engine.IndexedWords(from, name)
	if err != nil {
		return 0, err
	}
	var rows *sqldb.WordRows
	if to != nil {
		rows = sqldb.NewWordRows(to, name, "")
	}
	tenant := ""
	err = from.Each(query, nil, func(r sqldb.Scanner) error { // in the order of ranges
		var no int
		var words string
		err := r.Scan(&no, &words)
		n++
		for len(ranges) > 0 && ranges[0].first <= no {
			tenant, ranges = ranges[0].tenant, ranges[1:]
		}
		if sum != nil { // in no order
			list := strings.Fields(words)
			slices.Sort(list)
			sum.add(int64(no), strings.Join(list, " "))
		}
		if rows != nil {
			rows.Tenant = tenant
			rows.Add(no, words)
		}
		return err
	})
	if rows != nil {
		err = errors.Join(err, rows.Flush())
	}
	if err = errors.Join(err, done()); err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return n, err
}

// sameCounts compares how many rows each table has.
func sameCounts(from, to *sqldb.Tx, tables []sqldb.Table) error {
	for _, x := range tables {
		var a, b int64
		query := "SELECT count(*) FROM " + x.Name
		if err := errors.Join(from.Row(query, nil, &a), to.Row(query, nil, &b)); err != nil {
			return err
		}
		if a != b {
			return fmt.Errorf("%s has %d rows, and %d of them were copied", x.Name, a, b)
		}
	}
	return nil
}

// verify opens the new database as a server does, and verifies each tenant's log and contents.
func (moved *Moved) verify(ctx context.Context, to db.Options) (err error) {
	to.Inspect, to.Filling = true, true
	s, err := db.Open(ctx, to)
	if err != nil {
		return fmt.Errorf("everything was copied, but the new database cannot be opened: %w", err)
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if why := s.Frozen(); why != "" {
		return fmt.Errorf("everything was copied, but: %s", why)
	}
	tenants, err := s.AllTenants(ctx)
	if err != nil {
		return err
	}
	for _, tenant := range tenants {
		report, err := s.VerifyLog(ctx, tenant)
		if err != nil {
			return err
		}
		if len(report.Faults) > 0 {
			return fmt.Errorf("everything was copied, but the log of tenant %s does not verify; does it in the old database?", tenant)
		}
		faults := 0
		if _, err := s.VerifyContents(ctx, tenant, func(audit.ContentFault) { faults++ }); err != nil {
			return err
		}
		if faults > 0 {
			return fmt.Errorf("everything was copied, but %d contents of tenant %s are not what its log recorded; "+
				"are they in the old database? (sanad audit verify)", faults, tenant)
		}
		moved.Logs++
	}
	return nil
}

// copySnapshot writes what a database holds at one moment into a new file of SQLite, for an engine that cannot do it
// itself. It reads everything in one snapshot.
func copySnapshot(ctx context.Context, source sqldb.Engine, file string, now func() time.Time) error {
	from, err := sqldb.Inspect(ctx, sqldb.Config{Engine: source, Now: now})
	if err != nil {
		return err
	}
	if from == nil {
		return errors.New("the database has no store")
	}
	return errors.Join(from.Look(ctx, func(t *sqldb.Tx) error {
		if err := db.NotFilled(t); err != nil {
			return err
		}
		return copyInto(ctx, t, file, now)
	}), from.Close())
}

// copyInto writes what a transaction of PostgreSQL sees into a new file of SQLite, with the schema that this program
// makes there.
func copyInto(ctx context.Context, from *sqldb.Tx, file string, now func() time.Time) (err error) {
	d, err := sqldb.Open(ctx, sqldb.Config{Engine: sqldb.SQLiteFile(file, db.Schema), Now: now, Exclusive: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	if err := d.Migrate(ctx); err != nil {
		return err
	}
	return d.WriteAlone(ctx, func(to *sqldb.Tx) error {
		_, err := copyRows(from, to)
		return err
	})
}
