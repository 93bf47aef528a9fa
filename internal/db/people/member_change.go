package people

import (
	"context"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
)

// Membership is a tenant that a user is in.
type Membership struct {
	Tenant   Tenant
	Role     access.Role
	Disabled bool
}

// Memberships lists the tenants of a user by name.
func (store *Store) Memberships(ctx context.Context, userID string) (out []Membership, err error) {
	err = store.Read(ctx, "Memberships", func(t *sqldb.Tx) error {
		out, err = sqldb.Collect(t, "SELECT "+sqldb.Qualified("t",
			tenantColumns)+`, m.role, m.disabled_at || u.disabled_at
			FROM memberships m JOIN users u ON u.id = m.user_id JOIN tenants t ON t.id = m.tenant_id
			WHERE m.user_id = ? ORDER BY t.name, t.slug`, []any{userID}, func(r sqldb.Scanner, m *Membership) error {
			return r.Scan(append(m.Tenant.fields(), &m.Role, sqldb.SetInto(&m.Disabled))...)
		})
		return err
	})
	return out, err
}

// standing is a user's role and state in a tenant.
type standing struct {
	role              access.Role
	memberOff, anyOff bool // disabled in this tenant; in this tenant or everywhere
}

// standingOf returns a user's standing; NotFound if they are not a member.
func standingOf(t *sqldb.Tx, tenant, userID string) (st standing, err error) {
	err = t.Row(`SELECT m.role, m.disabled_at, m.disabled_at || u.disabled_at
		FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.tenant_id = ? AND m.user_id = ?`,
		[]any{tenant, userID}, &st.role, sqldb.SetInto(&st.memberOff), sqldb.SetInto(&st.anyOff))
	return st, err
}

// notLastAdmin returns a Conflict if no other enabled user could administer the tenant.
func notLastAdmin(t *sqldb.Tx, tenant, userID string, st standing) error {
	if st.role != access.Admin || st.anyOff {
		return nil
	}
	others, err := otherAdmins(t, tenant, userID)
	if err == nil && others == 0 {
		err = domain.Refuse(domain.Conflict, "", "refused_last_admin")
	}
	return err
}

// otherAdmins returns how many enabled administrators a tenant has besides somebody.
func otherAdmins(t *sqldb.Tx, tenant, userID string) (n int, err error) {
	err = t.Row("SELECT count(*) FROM ("+reads.AdminsOf+") AS a WHERE a.user_id <> ?", []any{tenant, userID}, &n)
	return n, err
}

// SetRole changes a user's role in by's tenant. The last enabled admin keeps theirs (Conflict). NotFound if the user is
// not a member.
func (store *Store) SetRole(ctx context.Context, by access.Actor, userID string, role access.Role) error {
	if err := checkRole(role); err != nil {
		return err
	}
	c := &access.Change{Kind: access.ChangeRole, Object: userID, Role: role}
	return store.Change(ctx, "SetRole", by, c, func(t *sqldb.Tx) error { return store.setRole(t, by, c) })
}

func (store *Store) setRole(t *sqldb.Tx, by access.Actor, c *access.Change) error {
	was, err := standingOf(t, by.Tenant, c.Object)
	if err != nil || was.role == c.Role {
		return err
	}
	if err := notLastAdmin(t, by.Tenant, c.Object, was); err != nil {
		return err
	}
	if c.Was = was.role; c.Name == "" {
		if err := namePerson(t, c); err != nil {
			return err
		}
	}
	_, err = t.Exec("UPDATE memberships SET role = ? WHERE tenant_id = ? AND user_id = ?", string(c.Role), by.Tenant,
		c.Object)
	if err != nil {
		return err
	}
	auditlog.Record(t, by.Tenant, auditlog.Wrote("memberships", []any{c.Object}, "role"))
	details, err := adminsLeft(t, by.Tenant, c.Object, was,
		map[string]any{"from": string(was.role), "to": string(c.Role)})
	if err != nil {
		return err
	}
	return store.AppendEvent(t, by, userEvent("user.role_changed", c.Object, details))
}

// SetTitle sets the job title of a user of by's tenant, "" for none, and logs that it changed. What was signed before
// keeps the title of then.
func (store *Store) SetTitle(ctx context.Context, by access.Actor, userID, title string) error {
	title, err := access.CleanTitle(title)
	if err != nil {
		return err
	}
	return store.Write(ctx, sqldb.OfTenant(by.Tenant), "SetTitle", func(t *sqldb.Tx) error {
		var was string
		err := t.Row("SELECT title FROM memberships WHERE tenant_id = ? AND user_id = ?", []any{by.Tenant, userID}, &was)
		if err != nil || was == title {
			return err
		}
		if _, err := t.Exec("UPDATE memberships SET title = ? WHERE tenant_id = ? AND user_id = ?", title, by.Tenant,
			userID); err != nil {
			return err
		}
		auditlog.Record(t, by.Tenant, auditlog.Wrote("memberships", []any{userID}, "title"))
		return store.AppendEvent(t, by, userEvent("user.title_changed", userID, nil))
	})
}

// SetMemberDisabled disables a user in by's tenant and ends their logins there, or enables them again. The last enabled
// admin can't be disabled (Conflict).
func (store *Store) SetMemberDisabled(ctx context.Context, by access.Actor, userID string, disabled bool) error {
	c := &access.Change{Kind: access.ChangeAccess, Object: userID, On: !disabled}
	return store.Change(ctx, "SetMemberDisabled", by, c, func(t *sqldb.Tx) error { return store.setAccess(t, by, c) })
}

func (store *Store) setAccess(t *sqldb.Tx, by access.Actor, c *access.Change) error {
	was, err := standingOf(t, by.Tenant, c.Object)
	if err != nil || was.memberOff == !c.On {
		return err
	}
	if err := namePerson(t, c); err != nil {
		return err
	}
	if c.Role = was.role; !c.On {
		if err := notLastAdmin(t, by.Tenant, c.Object, was); err != nil {
			return err
		}
		if _, err := t.Exec("DELETE FROM logins WHERE tenant_id = ? AND user_id = ?", by.Tenant, c.Object); err != nil {
			return err
		}
	}
	_, err = t.Exec("UPDATE memberships SET disabled_at = ? WHERE tenant_id = ? AND user_id = ?", store.when(!c.On),
		by.Tenant,
		c.Object)
	if err != nil {
		return err
	}
	auditlog.Record(t, by.Tenant, auditlog.Wrote("memberships", []any{c.Object}, "disabled_at"))
	var details map[string]any
	if !c.On {
		if details, err = adminsLeft(t, by.Tenant, c.Object, was, nil); err != nil {
			return err
		}
	}
	return store.AppendEvent(t, by, userEvent(onOff(!c.On), c.Object, details))
}

// SetUserDisabled disables a user everywhere and ends their logins, or enables them again. Only the operator may do
// this, also to a tenant's last admin.
func (store *Store) SetUserDisabled(ctx context.Context, by access.Actor, userID string, disabled bool) error {
	return store.writeRoles(ctx, "SetUserDisabled", func(t *sqldb.Tx) error {
		if err := operatorOnly(by); err != nil {
			return err
		}
		var was bool
		err := t.Row("SELECT disabled_at FROM users WHERE id = ?", []any{userID}, sqldb.SetInto(&was))
		if err != nil || was == disabled {
			return err
		}
		if _, err := t.Exec("UPDATE users SET disabled_at = ? WHERE id = ?", store.when(disabled), userID); err != nil {
			return err
		}
		if err := endLogins(t, userID, ""); err != nil {
			return err
		}
		return store.appendInEach(t, by, userID, func(tenant string) (auditlog.Event, error) {
			return disabledEverywhere(t, tenant, userID, disabled)
		}, auditlog.Wrote("users", []any{userID}, "disabled_at"))
	})
}

// disabledEverywhere returns the event in one of the tenants of a user who was disabled everywhere, or enabled again.
func disabledEverywhere(t *sqldb.Tx, tenant, userID string, disabled bool) (auditlog.Event, error) {
	details := map[string]any{"everywhere": true}
	was, err := standingOf(t, tenant, userID)
	if err == nil && disabled {
		was.anyOff = was.memberOff // as it was before
		details, err = adminsLeft(t, tenant, userID, was, details)
	}
	if sqldb.NoRow(err) { // of no tenant
		err = nil
	}
	return userEvent(onOff(disabled), userID, details), err
}

// when returns the current time if so, else "".
func (store *Store) when(so bool) string {
	if so {
		return sqldb.Stamp(store.Now())
	}
	return ""
}

func onOff(disabled bool) string {
	if disabled {
		return "user.disabled"
	}
	return "user.enabled"
}
