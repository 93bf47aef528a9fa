package backup

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"

	"sanad/internal/db"
	"sanad/internal/db/sqldb"
)

// movedStep is what was copied of a table, or of an index of words.
type movedStep struct {
	name   string
	rows   int64
	digest string // of the rows as the source has them
}

// moveInto copies what has not been copied yet.
func moveInto(ctx context.Context, s *db.Store, target *db.Store) (m Moved, err error) {
	if err := target.Migrate(ctx); err != nil {
		return m, err
	}
	in := func(do func(to *sqldb.Tx) error) error { return target.WriteAlone(ctx, do) }
	err = s.Look(ctx, func(from *sqldb.Tx) error {
		var tables []sqldb.Table
		var done map[string]movedStep
		err := in(func(to *sqldb.Tx) (err error) {
			tables, done, err = beginMove(from, to)
			return err
		})
		if err != nil {
			return err
		}
		steps := make([]moveStep, 0, len(tables)+len(db.SearchTables))
		for _, x := range tables {
			steps = append(steps, moveStep{name: x.Name, tables: []sqldb.Table{x},
				copy: func(from, to *sqldb.Tx, sum *rowSum) (int64, error) {
					return copyTable(&x, from, to, sum)
				}})
		}
		for _, name := range db.SearchTables {
			steps = append(steps, moveStep{name: name, copy: func(from, to *sqldb.Tx, sum *rowSum) (int64, error) {
				return copyWords(from, to, name, sum)
			}})
		}
		for _, step := range steps {
			if was, ok := done[step.name]; ok {
				if err := step.same(from, was); err != nil {
					return err
				}
			} else if err := in(func(to *sqldb.Tx) (err error) {
				was, err = step.run(from, to)
				done[step.name] = was
				return err
			}); err != nil {
				return err
			}
			if step.tables != nil {
				m.Tables = append(m.Tables, MovedTable{Name: step.name, Rows: done[step.name].rows})
			}
			if AfterMoveStep != nil {
				if err := AfterMoveStep(step.name); err != nil {
					return err
				}
			}
		}
		return in(func(to *sqldb.Tx) error {
			return errors.Join(copyNumbers(from, to, tables), sameCounts(from, to, tables))
		})
	})
	return m, err
}

// AfterMoveStep lets tests cut a move off.
var AfterMoveStep func(name string) error

// beginMove returns the tables in the order in which they are copied, those that others refer to first, and what was
// copied before.
func beginMove(from, to *sqldb.Tx) (tables []sqldb.Table, done map[string]movedStep, err error) {
	done = map[string]movedStep{}
	begun, err := to.Engine.HasTable(to, db.MovingTable)
	switch {
	case err != nil:
		return nil, nil, err
	case begun:
		if tables, err = tablesOf(from, to); err != nil {
			return nil, nil, err
		}
		err = to.Each("SELECT name, copied, digest FROM "+db.MovingTable+" ORDER BY name", nil,
			func(r sqldb.Scanner) error {
				var d movedStep
				err := r.Scan(&d.name, &d.rows, &d.digest)
				done[d.name] = d
				return err
			})
	default:
		if tables, err = emptyTables(from, to); err != nil {
			return nil, nil, err
		}
		_, err = to.Exec("CREATE TABLE " + db.MovingTable + " (name text PRIMARY KEY, copied bigint NOT NULL, digest text NOT NULL)")
	}
	if err != nil {
		return nil, nil, err
	}
	keys, err := from.Engine.References(from)
	if err == nil && keys == nil {
		keys, err = to.Engine.References(to)
	}
	return byReferences(tables, keys), done, err
}

// byReferences orders tables so that each follows those that it refers to.
func byReferences(tables []sqldb.Table, keys []sqldb.Reference) (out []sqldb.Table) {
	left := slices.Clone(tables)
	for len(left) > 0 {
		n := slices.IndexFunc(left, func(x sqldb.Table) bool {
			return !slices.ContainsFunc(keys, func(k sqldb.Reference) bool {
				return k.From == x.Name && k.To != x.Name &&
					slices.ContainsFunc(left, func(y sqldb.Table) bool { return y.Name == k.To })
			})
		})
		n = max(n, 0) // if they refer to each other in a circle, the commit says so
		out = append(out, left[n])
		left = slices.Delete(left, n, n+1)
	}
	return out
}

// moveStep is what one transaction copies.
type moveStep struct {
	name   string
	tables []sqldb.Table // whose triggers are off meanwhile
	copy   func(from, to *sqldb.Tx, sum *rowSum) (int64, error)
}

func (x *moveStep) run(from, to *sqldb.Tx) (done movedStep, err error) {
	restore, err := to.Engine.DisableTriggers(to, x.tables)
	if err != nil {
		return done, err
	}
	sum := &rowSum{}
	n, err := x.copy(from, to, sum)
	if err != nil {
		return done, err
	}
	if err := restore(); err != nil {
		return done, fmt.Errorf("%s: %w", x.name, err)
	}
	done = movedStep{name: x.name, rows: n, digest: sum.String()}
	_, err = to.Exec("INSERT INTO "+db.MovingTable+" (name, copied, digest) VALUES (?, ?, ?)", done.name, done.rows,
		done.digest)
	return done, err
}

// same refuses to go on after what was copied has changed in the source.
func (x *moveStep) same(from *sqldb.Tx, was movedStep) error {
	sum := &rowSum{}
	n, err := x.copy(from, nil, sum)
	if err == nil && (n != was.rows || sum.String() != was.digest) {
		err = fmt.Errorf("the database that is moved is not the one of the move that was cut off, or was changed since: %s has other "+
			"rows than were copied; empty the database that is moved to, and begin again", x.name)
	}
	return err
}

// endMove lets the new database be opened.
func endMove(ctx context.Context, to db.Options) error {
	s, err := openForMove(ctx, to, to.Database)
	if err != nil {
		return err
	}
	err = s.WriteAlone(ctx, func(t *sqldb.Tx) error {
		_, err := t.Exec("DROP TABLE " + db.MovingTable)
		return err
	})
	return errors.Join(err, s.Close())
}

// rowSum is a digest of rows in any order: the sum of their SHA-256.
type rowSum struct {
	sum [4]uint64
	row []byte
}

// add adds a row; to a nil sum nothing.
func (s *rowSum) add(values ...any) {
	if s == nil {
		return
	}
	s.row = s.row[:0]
	for _, v := range values {
		switch v := v.(type) {
		case nil:
			s.row = append(s.row, 'n')
		case int64:
			s.row = binary.BigEndian.AppendUint64(append(s.row, 'i'), uint64(v)) // its bits
		case float64:
			s.row = binary.BigEndian.AppendUint64(append(s.row, 'f'), math.Float64bits(v))
		case []byte:
			s.row = append(binary.BigEndian.AppendUint64(append(s.row, 'b'), uint64(len(v))), v...)
		case string:
			s.row = append(binary.BigEndian.AppendUint64(append(s.row, 's'), uint64(len(v))), v...)
		default:
			s.row = fmt.Appendf(append(s.row, 'o'), "%T %v", v, v)
		}
	}
	digest := sha256.Sum256(s.row)
	carry := uint64(0)
	for i := range s.sum {
		n := binary.BigEndian.Uint64(digest[8*i:])
		sum := s.sum[i] + n + carry
		if sum < n || carry == 1 && sum == n {
			carry = 1
		} else {
			carry = 0
		}
		s.sum[i] = sum
	}
}

func (s *rowSum) String() string {
	var out []byte
	for _, n := range s.sum {
		out = binary.BigEndian.AppendUint64(out, n)
	}
	return hex.EncodeToString(out)
}
