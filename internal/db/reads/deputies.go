package reads

import (
	"time"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
)

// roleOf selects the present role of a user in the tenant of a deputy; empty for who has left or is disabled.
func roleOf(column string) string {
	return `coalesce((SELECT m.role FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.tenant_id = d.tenant_id
		AND m.user_id = d.` + column + ` AND m.disabled_at = '' AND u.disabled_at = ''), '')`
}

var fromDeputies = `SELECT d.tenant_id, d.id, d.user_id, coalesce(` + NameOf("d", "user_id") + `, ''), ` +
	roleOf("user_id") + `, d.deputy_id, coalesce(` + NameOf("d", "deputy_id") + `, ''), ` + roleOf("deputy_id") + `,
	d.starts_at, d.ends_at, d.zone, d.set_by, coalesce(` + NameOf("d", "set_by") + `, ''), d.set_at, d.log_index,
	d.ended_at, d.ended_by FROM deputies d WHERE `

// scanTurn scans a row of fromDeputies.
func scanTurn(r sqldb.Scanner, x *Turn) error {
	d := &x.Deputy
	return r.Scan(&x.Tenant, &d.ID, &d.For.ID, &d.For.Name, &d.For.Role, &d.By.ID, &d.By.Name, &d.By.Role,
		sqldb.TimeInto(&d.Starts), sqldb.TimeInto(&d.Ends), &d.Zone, &d.SetBy, &d.SetName, sqldb.TimeInto(&d.SetAt),
		&d.LogIndex, sqldb.TimeOrNoneInto(&d.EndedAt), &d.EndedBy)
}

func scanDeputy(r sqldb.Scanner, d *access.Deputy) error {
	var x Turn
	err := scanTurn(r, &x)
	*d = x.Deputy
	return err
}

// OtherOfDeputy selects the name of the other person of the deputy that a notification n is about; NULL if there is no
// such deputy.
var OtherOfDeputy = `(SELECT CASE d.user_id WHEN n.user_id THEN coalesce(` + NameOf("d", "deputy_id") + `, '')
	ELSE coalesce(` + NameOf("d", "user_id") + `, '') END
	FROM deputies d WHERE d.tenant_id = n.tenant_id AND d.id = n.object_id)`

// Turn is a deputy whose time has begun or is over.
type Turn struct {
	Tenant string
	Deputy access.Deputy
	Over   bool
}

// DeputyTurns lists the deputies of all tenants whose time has begun, or is over without having been ended before,
// after one moment and not after another.
func DeputyTurns(t *sqldb.Tx, after, until time.Time) ([]Turn, error) {
	span := []any{sqldb.Stamp(after), sqldb.Stamp(until)}
	turns := func(over bool, where string) ([]Turn, error) {
		return sqldb.Collect(t, fromDeputies+"d.ended_at = ''"+where+" ORDER BY d.log_index", span,
			func(r sqldb.Scanner, x *Turn) error {
				x.Over = over
				return scanTurn(r, x)
			})
	}
	begun, err := turns(false, " AND d.starts_at > ?1 AND d.starts_at <= ?2 AND d.ends_at > ?2")
	if err != nil {
		return nil, err
	}
	over, err := turns(true, " AND d.ends_at > ?1 AND d.ends_at <= ?2")
	return append(begun, over...), err
}

// Deputies lists the deputies of a tenant whose time is not over at a moment, in the order of its beginning, with the
// present roles of both.
func Deputies(t *sqldb.Tx, tenant string, now time.Time) ([]access.Deputy, error) {
	return sqldb.Collect(t, fromDeputies+`d.tenant_id = ? AND d.ends_at > ? AND d.ended_at = ''
		ORDER BY d.starts_at, d.log_index`, []any{tenant, sqldb.Stamp(now)}, scanDeputy)
}

// Deputy returns one deputy, whatever their time; NotFound for another tenant's.
func Deputy(t *sqldb.Tx, tenant, id string) (access.Deputy, error) {
	return sqldb.First(sqldb.Collect(t, fromDeputies+"d.tenant_id = ? AND d.id = ?", []any{tenant, id}, scanDeputy))
}

// Member returns a member of a tenant with their present role, "" if they are disabled; NotFound for anybody else.
func Member(t *sqldb.Tx, tenant, id string) (p access.Person, err error) {
	p.ID = id
	off := false
	err = t.Row(`SELECT u.name, m.role, m.disabled_at || u.disabled_at FROM memberships m JOIN users u ON u.id = m.user_id
		WHERE m.tenant_id = ? AND m.user_id = ?`, []any{tenant, id}, &p.Name, &p.Role, sqldb.SetInto(&off))
	if off {
		p.Role = ""
	}
	return p, err
}

// Members lists the enabled members of a tenant by login name, with their job titles.
func Members(t *sqldb.Tx, tenant string) ([]access.Person, error) {
	return sqldb.Collect(t, `SELECT m.user_id, u.name, m.role, m.title FROM memberships m JOIN users u ON u.id = m.user_id
		WHERE m.tenant_id = ? AND m.disabled_at = '' AND u.disabled_at = '' ORDER BY u.login`, []any{tenant},
		func(r sqldb.Scanner, p *access.Person) error { return r.Scan(&p.ID, &p.Name, &p.Role, &p.Title) })
}
