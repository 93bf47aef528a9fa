package db

import (
	"context"

	"sanad/internal/domain"
)

// UserByIdentity returns the user linked to an OIDC subject. If there is none, and email (verified by the provider,
// else "") belongs to exactly one user, who is enabled and has no identity at this issuer yet, it links that user and
// logs it.
func (s *Store) UserByIdentity(ctx context.Context, issuer, subject, email string) (User, error) {
	var u User
	known := func(t *tx) error {
		return t.row("SELECT "+qualified("u", userColumns)+` FROM identities i JOIN users u ON u.id = i.user_id
			WHERE i.issuer = ? AND i.subject = ?`, []any{issuer, subject}, u.fields()...)
	}
	unknown := false
	err := s.read(ctx, "UserByIdentity", func(t *tx) error {
		err := known(t)
		unknown = noRow(err)
		return err
	})
	if err == nil {
		return u, nil
	}
	if !unknown {
		return User{}, err
	}
	err = s.write(ctx, everyTenant, "UserByIdentity", func(t *tx) error {
		err := known(t)
		if !noRow(err) {
			return err
		}
		if u, err = linkable(t, issuer, domain.FoldLogin(email)); err != nil {
			return err
		}
		return s.link(t, issuer, subject, u)
	})
	return orZero(u, err)
}

// linkable returns the only user with an address. If two have it, it returns none, as it is unknown which is meant.
func linkable(t *tx, issuer, email string) (User, error) {
	if email == "" {
		return User{}, errNotFound()
	}
	found, err := collect(t, "SELECT "+userColumns+" FROM users WHERE email = ? AND email <> '' LIMIT 2", []any{email},
		func(r scanner, u *User) error { return r.Scan(u.fields()...) })
	if err != nil {
		return User{}, err
	}
	if len(found) != 1 || found[0].Disabled {
		return User{}, errNotFound()
	}
	var linked int
	err = t.row("SELECT count(*) FROM identities WHERE user_id = ? AND issuer = ?", []any{found[0].ID, issuer}, &linked)
	if err == nil && linked > 0 {
		err = errNotFound()
	}
	return found[0], err
}

func (s *Store) link(t *tx, issuer, subject string, u User) error {
	_, err := t.exec("INSERT INTO identities (issuer, subject, user_id, created_at) VALUES (?, ?, ?, ?)",
		issuer, subject, u.ID, stamp(s.Now()))
	if err != nil {
		return err
	}
	self := domain.Actor{ID: u.ID, User: u.Name, Human: true}
	return s.appendEverywhere(t, self, u.ID, userEvent("identity.linked", u.ID, nil),
		wrote("identities", []any{u.ID, issuer, subject}))
}
