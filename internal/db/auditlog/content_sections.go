package auditlog

import (
	"strings"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/audit"
)

// Section is a part of a session's state: a tree whose leaves are the digests of rows of one table, by their owner
// (rule LOG-8). Names, tables, columns and their order are stored in digests: only add to them. A column of a table
// that is digested and that stands in no section fails TestEveryColumnIsListed.
type Section struct {
	name    string
	Table   audit.Table
	owner   string // column with the number of a leaf, "" for one leaf
	shift   int    // number of the first leaf, minus
	order   string // of the rows of a leaf
	salt    string // SQL of the salt, for a row r
	session string // SQL of the number of a row's session
	query   string // rows of sessions, to be followed by which
}

// NewSection declares a section of the columns of a table, in the words of section.
func NewSection(name, table, owner string, shift int, order, salt, columns string) Section {
	x := Section{name: name, Table: audit.NewTable(table, columns), owner: owner, shift: -shift, order: order,
		salt: salt}
	leaf, session := "0", "r.session_no"
	if owner != "" {
		leaf = "r." + owner
	}
	if table == "sessions" {
		session = "r.no"
	}
	x.session = session
	x.query = "SELECT " + session + ", " + leaf + ", " + salt + ", r." + strings.Join(x.Table.Names(), ", r.") +
		" FROM " + table + " r WHERE r.tenant_id = ? AND " + session
	return x
}

// Contents are the rows that the log digests. The rooms that own the tables declare them.
type Contents struct {
	Sections []Section     // of a session's state, in their order
	Tables   []RecordTable // in the order in which they are verified
}

// section returns a section by its name.
func (contents *Contents) section(name string) *Section {
	for i := range contents.Sections {
		if contents.Sections[i].name == name {
			return &contents.Sections[i]
		}
	}
	panic("db: no section " + name)
}

// ContentsOf returns the rows that the log of a writing transaction digests.
func ContentsOf(t *sqldb.Tx) *Contents {
	c := LogOf.Of(t).contents
	if c == nil {
		panic("db: rows that the log records are changed in a transaction without its hooks")
	}
	return c
}

// condition restricts the rows of a section; the empty one restricts nothing.
type condition struct {
	sql  string
	args []any
}

// among is the condition of some leaves, nil for all.
func (section *Section) among(leaves []int) condition {
	if leaves == nil || section.owner == "" {
		return condition{}
	}
	values := make([]any, len(leaves))
	for i, leaf := range leaves {
		values[i] = leaf - section.shift
	}
	list, more := sqldb.InList(values)
	return condition{" AND r." + section.owner + " IN " + list, more}
}

// parts are the conditions that divide a section of so many leaves. The first and the last have no bound outwards: they
// find the rows that should not be there.
func (section *Section) parts(size, most int) (out []condition) {
	if section.owner == "" || size <= most {
		return []condition{{}}
	}
	for from := 0; from < size; from += most {
		var c condition
		if from > 0 {
			c.sql, c.args = " AND r."+section.owner+" >= ?", []any{from - section.shift}
		}
		if from+most < size {
			c.sql, c.args = c.sql+" AND r."+section.owner+" < ?", append(c.args, from+most-section.shift)
		}
		out = append(out, c)
	}
	return out
}

// leaves calls each with the digest of every leaf of a session that has rows that meet a condition, in order.
func (section *Section) leaves(t *sqldb.Tx, tenant string, no int, of condition,
	each func(leaf int, digest audit.Hash) error) error {
	return section.leavesOf(t, tenant, []int{no}, of, func(_, leaf int, digest audit.Hash) error {
		return each(leaf, digest)
	})
}

// leavesOf is leaves for several sessions: each is called with the number of the session, too.
func (section *Section) leavesOf(t *sqldb.Tx, tenant string, numbers []int, of condition,
	each func(no, leaf int, digest audit.Hash) error) error {
	which, args := " = ?", []any{tenant, numbers[0]}
	order := ""
	if len(numbers) > 1 {
		list, more := sqldb.InList(sqldb.Anys(numbers))
		which, args, order = " IN "+list, append([]any{tenant}, more...), section.session+", "
	}
	if section.owner != "" && section.owner != section.order {
		order += "r." + section.owner + ", "
	}
	var rows []audit.Hash
	session, current := 0, -1
	flush := func() error {
		if current < 0 {
			return nil
		}
		return each(session, current, audit.LeafDigest(rows))
	}
	err := section.rows(t, section.query+which+of.sql+" ORDER BY "+order+"r."+section.order, append(args, of.args...),
		func(no, leaf int, digest audit.Hash) error {
			if leaf != current || no != session {
				if err := flush(); err != nil {
					return err
				}
				session, current, rows = no, leaf, rows[:0]
			}
			rows = append(rows, digest)
			return nil
		})
	if err != nil {
		return err
	}
	return flush()
}

// rows calls each with the digest of each row that a query finds.
func (section *Section) rows(t *sqldb.Tx, query string, args []any,
	each func(no, leaf int, digest audit.Hash) error) error {
	values := make([]any, len(section.Table.Columns))
	var no, leaf int
	var salt, buffer []byte
	fields := []any{&no, &leaf, &salt}
	for i := range values {
		fields = append(fields, &values[i])
	}
	return t.Each(query, args, func(r sqldb.Scanner) error {
		if err := r.Scan(fields...); err != nil {
			return err
		}
		return each(no, leaf+section.shift, section.Table.RowDigest(salt, values, &buffer))
	})
}
