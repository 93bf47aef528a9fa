package reads

import (
	"strings"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/notify"
)

// addressees returns who can be mentioned in a tenant: everybody who can log in there.
func addressees(t *sqldb.Tx, tenant string) ([]notify.Addressee, error) {
	return sqldb.Collect(t, `SELECT u.id, u.name, u.login FROM memberships m JOIN users u ON u.id = m.user_id
		WHERE m.tenant_id = ? AND m.disabled_at = '' AND u.disabled_at = ''`, []any{tenant},
		func(r sqldb.Scanner, a *notify.Addressee) error { return r.Scan(&a.ID, &a.Name, &a.Login) })
}

// FindMentions returns who is addressed in a text; the query is sent only if somebody may be.
func FindMentions(t *sqldb.Tx, tenant, text string) ([]notify.Mention, error) {
	if !strings.ContainsRune(text, '@') {
		return nil, nil
	}
	people, err := addressees(t, tenant)
	return notify.FindMentions(text, people), err
}

// maxChoices is how many people a form offers to mention; others can be typed.
const maxChoices = 100

// Mentionable lists who can be mentioned, by name, each with what to type: the name, or the login name where two share
// it.
func Mentionable(t *sqldb.Tx, tenant string) ([]access.Named, error) {
	return sqldb.Collect(t, `SELECT u.id, CASE WHEN count(*) OVER (PARTITION BY lower(u.name)) > 1 THEN u.login ELSE u.name END
		FROM memberships m JOIN users u ON u.id = m.user_id
		WHERE m.tenant_id = ? AND m.disabled_at = '' AND u.disabled_at = '' ORDER BY u.name, u.login LIMIT ?`,
		[]any{tenant, maxChoices}, func(r sqldb.Scanner, n *access.Named) error { return r.Scan(&n.ID, &n.Name) })
}

// NameOf returns SQL for the display name of the user in a column of a table: NULL if the row's tenant has no such
// user. Disabled users count.
func NameOf(table, column string) string {
	return "(SELECT named.name FROM memberships m JOIN users named ON named.id = m.user_id WHERE m.tenant_id = " + table +
		".tenant_id AND m.user_id = " + table + "." + column + ")"
}

// Asker returns the person who asked for a purge, with their present role; the zero Actor if they have left.
func Asker(t *sqldb.Tx, tenant, id string) (access.Actor, error) {
	who := access.Actor{Tenant: tenant, ID: id, Human: true}
	err := t.Row(`SELECT m.role FROM memberships m JOIN users u ON u.id = m.user_id
		WHERE m.tenant_id = ? AND m.user_id = ? AND m.disabled_at = '' AND u.disabled_at = ''`, []any{tenant, id},
		&who.Role)
	if sqldb.NoRow(err) {
		return who, nil
	}
	return who, err
}

// AdminsOf selects the ids of the enabled administrators of a tenant.
const AdminsOf = `SELECT m.user_id FROM memberships m JOIN users u ON u.id = m.user_id
	WHERE m.tenant_id = ? AND m.role = 'admin' AND m.disabled_at = '' AND u.disabled_at = ''`
