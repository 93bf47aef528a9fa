package people

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/words"
)

// User is a person who may log in.
type User struct {
	ID        string
	Login     string // folded to lower case
	Name      string // display name
	Email     string // a login too, and links an identity; folded to lower case; "" if none
	Contact   string // an address that is neither (rule SEC-21); folded; "" if none
	Password  string // PHC string; "" if only OIDC may log in
	TOTP      []byte // sealed secret; nil if none
	TOTPStep  int64
	Disabled  bool // by the operator
	CreatedAt time.Time
}

const userColumns = "id, login, name, email, contact, password, totp, totp_step, disabled_at, created_at"

func (u *User) fields() []any {
	return []any{&u.ID, &u.Login, &u.Name, &u.Email, &u.Contact, &u.Password, &u.TOTP, &u.TOTPStep,
		sqldb.SetInto(&u.Disabled), sqldb.TimeInto(&u.CreatedAt)}
}

// AddUser creates a user with a role in by's tenant and logs it. Unless by is the operator, and where there is another
// tenant, the account is one of by's tenant alone: the login name gets the tenant's end, and the address is for contact
// (rule SEC-21). Conflict if the login name is taken. The store sets CreatedAt, and ID if it is "".
func (store *Store) AddUser(ctx context.Context, by access.Actor, u User, role access.Role) (User, error) {
	u.Login, u.Email = access.FoldLogin(u.Login), access.FoldLogin(u.Email)
	if u.ID == "" {
		u.ID = store.NewID()
	}
	u.CreatedAt, u.Contact, u.TOTP, u.TOTPStep, u.Disabled = store.Now().UTC(), "", nil, 0, false
	c := &access.Change{Kind: access.AddPerson, UserID: u.ID, Name: u.Name, Email: u.Email, Role: role,
		Password: u.Password}
	err := store.Change(ctx, "AddUser", by, c, func(t *sqldb.Tx) error {
		err := store.addUser(t, by, &u, role, "")
		c.Object = u.Login
		return err
	})
	return u, err
}

// addUser creates u, and sets in it what the account gets. invitation is the id of the one it comes from, "" if none.
func (store *Store) addUser(t *sqldb.Tx, by access.Actor, u *User, role access.Role, invitation string) error {
	if err := reads.AcceptsMembers(t, by.Tenant); err != nil {
		return err
	}
	if err := scopeUser(t, by, u); err != nil {
		return err
	}
	if err := checkUser(u, role); err != nil {
		return err
	}
	_, err := t.Exec("INSERT INTO users ("+userColumns+") VALUES (?, ?, ?, ?, ?, ?, NULL, 0, '', ?)",
		u.ID, u.Login, u.Name, u.Email, u.Contact, u.Password, sqldb.Stamp(u.CreatedAt))
	if err != nil {
		return sqldb.RefuseTaken(err, domain.Refuse(domain.Conflict, "", "refused_login_taken", "Name", u.Login))
	}
	return store.join(t, by, u.ID, role, invitation)
}

// scopeUser sets the login name and the address of a new account: of the whole installation, or of by's tenant alone.
func scopeUser(t *sqldb.Tx, by access.Actor, u *User) error {
	scope := ""
	if by.ID != access.Operator {
		var err error
		if scope, err = accountScope(t, by.Tenant); err != nil {
			return err
		}
	}
	if scope == "" {
		return access.CheckGlobalLogin(u.Login)
	}
	login, err := access.LoginIn(scope, u.Login)
	u.Login, u.Email, u.Contact = login, "", u.Email
	return err
}

// accountScope returns what stands after the @ in login names of a tenant's own accounts, "" if there is no other
// tenant. It is the tenant's short name, or that with a figure if somebody who is not of the tenant has a name with
// this end from before rule SEC-21: so no name that an administrator chooses is another's.
func accountScope(t *sqldb.Tx, tenant string) (string, error) {
	var slug string
	var others bool
	err := t.Row("SELECT slug, EXISTS (SELECT 1 FROM tenants WHERE id NOT IN (?1, ?2)) FROM tenants WHERE id = ?1",
		[]any{tenant, reads.SystemTenant}, &slug, &others)
	if err != nil || !others {
		return "", err
	}
	for scope, n := slug, 2; ; scope, n = fmt.Sprintf("%s.%d", slug, n), n+1 {
		taken := false
		err := t.Row(`SELECT EXISTS (SELECT 1 FROM users u WHERE substr(u.login, length(u.login) - length(?1) + 1) = ?1
			AND NOT EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = u.id AND m.tenant_id = ?2))`,
			[]any{"@" + scope, tenant}, &taken)
		if err != nil || !taken {
			return scope, err
		}
	}
}

// AccountScope returns what stands after the @ in the login names of new accounts that a tenant's administrator makes,
// "" if they have none.
func (store *Store) AccountScope(ctx context.Context, tenant string) (scope string, err error) {
	err = store.Read(ctx, "AccountScope", func(t *sqldb.Tx) error {
		scope, err = accountScope(t, tenant)
		return err
	})
	return scope, err
}

func checkUser(u *User, role access.Role) error {
	if err := access.CheckLogin(u.Login); err != nil {
		return err
	}
	if err := access.CheckName("name", u.Name); err != nil {
		return err
	}
	if err := access.CheckEmail(cmp.Or(u.Email, u.Contact)); err != nil {
		return err
	}
	return checkRole(role)
}

func checkRole(role access.Role) error {
	if !role.Valid() {
		return domain.Refuse(domain.Invalid, "role", "refused_roles_viewer_reviewer")
	}
	return nil
}

func userExists(t *sqldb.Tx, id string) error {
	var one int
	return t.Row("SELECT 1 FROM users WHERE id = ?", []any{id}, &one)
}

// operatorOnly returns Denied unless the actor is the operator at the server's command line.
func operatorOnly(by access.Actor) error {
	if by.ID == access.Operator {
		return nil
	}
	return &domain.Error{Kind: domain.Denied, Message: words.Msg("refused_only_operator_installation")}
}

// userEvent returns an event about a user.
func userEvent(action, userID string, details map[string]any) auditlog.Event {
	return auditlog.Event{Action: action, Kind: "user", ObjectID: userID, Details: details}
}
