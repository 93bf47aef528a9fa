package people

import (
	"context"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
)

// UserByIdentity returns the user linked to an OIDC subject. If there is none, and email (verified by the provider,
// else "") belongs to exactly one user, who is enabled and has no identity at this issuer yet, it links that user and
// logs it.
func (store *Store) UserByIdentity(ctx context.Context, issuer, subject, email string) (User, error) {
	var u User
	known := func(t *sqldb.Tx) error {
		return t.Row("SELECT "+sqldb.Qualified("u", userColumns)+` FROM identities i JOIN users u ON u.id = i.user_id
			WHERE i.issuer = ? AND i.subject = ?`, []any{issuer, subject}, u.fields()...)
	}
	unknown := false
	err := store.Read(ctx, "UserByIdentity", func(t *sqldb.Tx) error {
		err := known(t)
		unknown = sqldb.NoRow(err)
		return err
	})
	if err == nil {
		return u, nil
	}
	if !unknown {
		return User{}, err
	}
	err = store.Write(ctx, sqldb.EveryTenant, "UserByIdentity", func(t *sqldb.Tx) error {
		err := known(t)
		if !sqldb.NoRow(err) {
			return err
		}
		if u, err = linkable(t, issuer, access.FoldLogin(email)); err != nil {
			return err
		}
		return store.link(t, issuer, subject, u)
	})
	return sqldb.OrZero(u, err)
}

// linkable returns the only user with an address. If two have it, it returns none, as it is unknown which is meant.
func linkable(t *sqldb.Tx, issuer, email string) (User, error) {
	if email == "" {
		return User{}, sqldb.NotFound()
	}
	found, err := sqldb.Collect(t, "SELECT "+userColumns+" FROM users WHERE email = ? AND email <> '' LIMIT 2",
		[]any{email},
		func(r sqldb.Scanner, u *User) error { return r.Scan(u.fields()...) })
	if err != nil {
		return User{}, err
	}
	if len(found) != 1 || found[0].Disabled {
		return User{}, sqldb.NotFound()
	}
	var linked int
	err = t.Row("SELECT count(*) FROM identities WHERE user_id = ? AND issuer = ?", []any{found[0].ID, issuer}, &linked)
	if err == nil && linked > 0 {
		err = sqldb.NotFound()
	}
	return found[0], err
}

func (store *Store) link(t *sqldb.Tx, issuer, subject string, u User) error {
	_, err := t.Exec("INSERT INTO identities (issuer, subject, user_id, created_at) VALUES (?, ?, ?, ?)",
		issuer, subject, u.ID, sqldb.Stamp(store.Now()))
	if err != nil {
		return err
	}
	self := access.Actor{ID: u.ID, User: u.Name, Human: true}
	return store.appendEverywhere(t, self, u.ID, userEvent("identity.linked", u.ID, nil),
		auditlog.Wrote("identities", []any{u.ID, issuer, subject}))
}
