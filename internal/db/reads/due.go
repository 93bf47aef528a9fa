package reads

import (
	"strings"
	"time"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/due"
)

// DueDate reads the due date of a session or pack, except whether it is open.
func DueDate(t *sqldb.Tx, tenant, object, id string) (d due.Date, err error) {
	err = t.Row("SELECT d.revision, d.day, d.zone, d.late_at, d.set_by, d.set_at, coalesce("+NameOf("d",
		"set_by")+`, '')
		FROM due_dates d WHERE d.tenant_id = ? AND d.object_kind = ? AND d.object_id = ?`, []any{tenant, object, id},
		&d.Revision, &d.Day, &d.Zone, sqldb.TimeOrNoneInto(&d.LateAt), &d.SetBy, sqldb.TimeOrNoneInto(&d.SetAt),
		&d.SetName)
	if sqldb.NoRow(err) {
		err = nil
	}
	return d, err
}

// DueOf is a column with the due date of a row of a list: its day, zone, end, and whether it is open. The row's table
// and its column with the object's id are given.
func DueOf(object, table, id string) string {
	return `coalesce((SELECT d.day || ' ' || d.late_at || ' ' || d.open || ' ' || d.zone FROM due_dates d
		WHERE d.tenant_id = ` + table + ".tenant_id AND d.object_kind = '" + object + "' AND d.object_id = " + table + "." +
		id + " AND d.day <> ''), '')"
}

// LateAt is a column with the end of the due day of a row of a list, behind all others without one.
func LateAt(object, table, id string) string {
	return "coalesce((SELECT d.late_at FROM due_dates d WHERE d.tenant_id = " + table + ".tenant_id AND d.object_kind = '" +
		object + "' AND d.object_id = " + table + "." + id + " AND d.day <> ''), '~')"
}

// dated says that a row d has the due day of an open object of a kind.
func dated(object string) string {
	return "d.object_kind = '" + object + "' AND d.open = 1 AND d.day <> ''"
}

// Dated is the condition that the object of a row is open and has a due day.
func Dated(object, table, id string) string {
	return "EXISTS (SELECT 1 FROM due_dates d WHERE d.tenant_id = " + table + ".tenant_id AND d.object_id = " + table +
		"." + id + " AND " + dated(object) + ")"
}

// OpenDates are the rows of a table whose objects are open and have a due day, which is d: what follows FROM.
func OpenDates(object, named, table, id string) string {
	return "due_dates d JOIN " + named + " " + table + " ON " + table + ".tenant_id = d.tenant_id AND " + table + "." + id +
		" = d.object_id AND " + dated(object)
}

// DueColumn reads DueOf.
type DueColumn struct{ Date *due.Date }

// Scan implements sql.Scanner.
func (dueColumn DueColumn) Scan(v any) (err error) {
	*dueColumn.Date = due.Date{}
	text, _ := v.(string)
	part := strings.SplitN(text, " ", 4)
	if len(part) < 4 {
		return nil
	}
	dueColumn.Date.Day, dueColumn.Date.Open, dueColumn.Date.Zone = part[0], part[2] == "1", part[3]
	return sqldb.TimeInto(&dueColumn.Date.LateAt).Scan(part[1])
}

// DueWithin is the condition that a row's due date stands as a filter says.
func DueWithin(w *sqldb.Conditions, object, id, tenant string, state due.State, now time.Time) {
	const of = ` IN (SELECT d.object_id FROM due_dates d WHERE d.tenant_id = ? AND d.object_kind = ? AND d.open = 1
		AND d.day <> '' AND d.late_at `
	switch state {
	case due.Late:
		w.Add(id+of+"<= ?)", tenant, object, sqldb.Stamp(now))
	case due.Soon:
		w.Add(id+of+"> ? AND d.late_at <= ?)", tenant, object, sqldb.Stamp(now), sqldb.Stamp(now.Add(due.Near)))
	}
}
