package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
)

func newUser(io streams) *cobra.Command {
	return group("user", "Add users, change their passwords and roles, shut them out",
		"There is no default account: the first administrator of a tenant is made here,\n"+
			"  sanad user add NAME --role admin\n"+
			"A password is read from standard input or made at random and shown once; it is never an argument.",
		newUserAdd(io), newUserEmail(io), newUserPasswd(io), newUserRole(io), newUserDisable(io), newUserEnable(io),
		newUserVouch(io), newUserList(io))
}

// inAllTenants is the actor for changes to a whole account; the store logs them in each of the user's tenants.
var inAllTenants = access.AtCommandLine(db.SystemTenant)

func newUserAdd(io streams) *cobra.Command {
	var c config
	var name, email, role string
	var chosen passwordFlags
	cmd := &cobra.Command{
		Use: "add [LOGIN]", Short: "Add a user to a tenant", Args: cobra.MaximumNArgs(1),
		Long: "add makes a user with a role in a tenant. The login name is LOGIN, or else the address of --email. It is of\n" +
			"the whole installation; names like name@tenant are those of accounts that a tenant's administrators add.\n" +
			"Somebody who is in another tenant already gets a role in this one too, and keeps name and password.",
		RunE: func(cmd *cobra.Command, args []string) error {
			login := access.FoldLogin(email)
			if len(args) > 0 {
				login = access.FoldLogin(args[0])
			}
			if login == "" {
				return errors.New("give a login name, or --email")
			}
			c.creates = true
			return c.with(cmd.Context(), func(store *db.Store, tenant db.Tenant) error {
				if old, err := store.UserByLogin(cmd.Context(), login); err == nil {
					if err := samePerson(cmd.Context(), old, login, chosen.fromStdin, io); err != nil {
						return err
					}
					return join(cmd.Context(), store, tenant, old, access.Role(role), io)
				}
				if name == "" {
					name = login
				}
				u := db.User{Login: login, Name: name, Email: email}
				pass, err := chosen.choose(cmd.Context(), auth.NewPassword{Login: login,
					Names: []string{name, email, tenant.Slug, tenant.Name}}, io.in)
				if err != nil {
					return err
				}
				u.Password = pass.hash
				added, err := store.AddUser(cmd.Context(), access.AtCommandLine(tenant.ID), u, access.Role(role))
				if err != nil {
					return err
				}
				fmt.Fprintf(io.out, "%s\t%s\t%s\n", added.Login, role, tenant.Slug)
				pass.show(io.out)
				return nil
			})
		},
	}
	c.dataFlags(cmd, "data")
	cmd.Flags().StringVar(&name, "name", "", "name as shown (default: the login name)")
	cmd.Flags().StringVar(&email, "email", "", "address: a login too, and a first login by OpenID Connect is linked by it")
	roleFlag(cmd, &role)
	chosen.add(cmd)
	return cmd
}

// samePerson refuses to give a role to an account that may belong to another person: the administrator of any tenant
// could have created an account with this address. A given password must be that account's.
func samePerson(ctx context.Context, u db.User, login string, fromStdin bool, io streams) error {
	if u.Login != login {
		return fmt.Errorf("%s is the address of the account %s; if that is who you mean, give its login name: "+
			"sanad user add %s", login, u.Login, u.Login)
	}
	if !fromStdin {
		return nil
	}
	typed, err := readPassword(io.in)
	if err != nil {
		return err
	}
	if ok, err := auth.NewHasher(1).Check(ctx, typed, u.Password); err != nil || !ok {
		return errors.Join(err, fmt.Errorf("%s already exists with another password; without --password-stdin it keeps "+
			"its password", u.Login))
	}
	return nil
}

// join adds an existing account to another tenant with a role, and prints where the account comes from.
func join(ctx context.Context, store *db.Store, tenant db.Tenant, u db.User, role access.Role, io streams) error {
	before, err := store.Memberships(ctx, u.ID)
	if err != nil {
		return err
	}
	if err := store.AddMember(ctx, access.AtCommandLine(tenant.ID), u.ID, role); err != nil {
		return err
	}
	slugs := make([]string, len(before))
	for i, m := range before {
		slugs[i] = m.Tenant.Slug
	}
	fmt.Fprintf(io.out, "%s\t%s\t%s\n", u.Login, role, tenant.Slug)
	fmt.Fprintf(io.err, "%s was here already (tenants: %s), and keeps name and password "+
		"(sanad user passwd changes that)\n", u.Login, strings.Join(slugs, ", "))
	return nil
}

func newUserPasswd(io streams) *cobra.Command {
	var c config
	var chosen passwordFlags
	var keepTokens bool
	cmd := &cobra.Command{
		Use: "passwd LOGIN", Short: "Set a user's password, end the user's logins and API tokens", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.withStore(cmd.Context(), func(store *db.Store) error {
				u, err := findUser(cmd.Context(), store, args[0])
				if err != nil {
					return err
				}
				names, err := namesAround(cmd.Context(), store, u)
				if err != nil {
					return err
				}
				pass, err := chosen.choose(cmd.Context(), auth.NewPassword{Login: u.Login, Names: names,
					WithCode: u.TOTP != nil}, io.in)
				if err != nil {
					return err
				}
				err = store.SetPassword(cmd.Context(), inAllTenants, u.ID,
					db.NewPassword{PHC: pass.hash, KeepTokens: keepTokens})
				if err != nil {
					return err
				}
				fmt.Fprintf(io.out, "%s\tpassword changed\n", u.Login)
				if !keepTokens {
					fmt.Fprintf(io.err, "the API tokens of %s have ended (--keep-tokens keeps them)\n", u.Login)
				}
				pass.show(io.out)
				return nil
			})
		},
	}
	c.storeFlags(cmd, "data")
	chosen.add(cmd)
	cmd.Flags().BoolVar(&keepTokens, "keep-tokens", false,
		"leave the API tokens that act as the user valid (default: they end, in every tenant)")
	return cmd
}

// namesAround returns the names that a user's password may not mostly be: the user's and the tenants'.
func namesAround(ctx context.Context, store *db.Store, u db.User) ([]string, error) {
	names := []string{u.Name, u.Email, u.Contact}
	memberships, err := store.Memberships(ctx, u.ID)
	for _, m := range memberships {
		names = append(names, m.Tenant.Slug, m.Tenant.Name)
	}
	return names, err
}

func newUserEmail(io streams) *cobra.Command {
	var c config
	cmd := &cobra.Command{
		Use: "email LOGIN [ADDRESS]", Short: "Set the address that a user logs in with", Args: cobra.RangeArgs(1, 2),
		Long: "ADDRESS is a login too, and a first login by OpenID Connect is linked by it; without it the user has none.\n" +
			"Accounts of one tenant (name@tenant) have no such address.",
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.withStore(cmd.Context(), func(store *db.Store) error {
				u, err := findUser(cmd.Context(), store, args[0])
				if err != nil {
					return err
				}
				address := strings.Join(args[1:], "")
				if err := store.SetEmail(cmd.Context(), inAllTenants, u.ID, address); err != nil {
					return err
				}
				fmt.Fprintf(io.out, "%s\taddress\t%s\n", u.Login, access.FoldLogin(address))
				return nil
			})
		},
	}
	c.storeFlags(cmd, "data")
	return cmd
}

func newUserRole(io streams) *cobra.Command {
	var c config
	cmd := &cobra.Command{
		Use: "role LOGIN ROLE", Short: "Change a user's role in a tenant", Args: cobra.ExactArgs(2),
		Long: "role takes effect on the user's next request. A tenant keeps at least one administrator.",
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.withUser(cmd.Context(), args[0], func(store *db.Store, tenant db.Tenant, u db.User) error {
				err := store.SetRole(cmd.Context(), access.AtCommandLine(tenant.ID), u.ID, access.Role(args[1]))
				if err != nil {
					return notMember(err, u, tenant)
				}
				fmt.Fprintf(io.out, "%s\t%s\t%s\n", u.Login, args[1], tenant.Slug)
				return nil
			})
		},
	}
	c.dataFlags(cmd, "data")
	return cmd
}

func newUserList(io streams) *cobra.Command {
	var c config
	cmd := &cobra.Command{
		Use: "list", Short: "List a tenant's users: login, role, state, name", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.with(cmd.Context(), func(store *db.Store, tenant db.Tenant) error {
				members, err := store.Members(cmd.Context(), tenant.ID)
				for _, m := range members {
					fmt.Fprintf(io.out, "%s\t%s\t%s\t%s\n", m.Login, m.Role, state(m), m.Name)
				}
				return err
			})
		},
	}
	c.dataFlags(cmd, "data")
	return cmd
}

func state(m access.Member) string {
	switch {
	case m.Everywhere:
		return "disabled everywhere"
	case m.Disabled:
		return "disabled"
	}
	return "enabled"
}

// withUser is with for a command about one user.
func (c *config) withUser(ctx context.Context, login string, do func(*db.Store, db.Tenant, db.User) error) error {
	return c.with(ctx, func(store *db.Store, tenant db.Tenant) error {
		u, err := findUser(ctx, store, login)
		if err != nil {
			return err
		}
		return do(store, tenant, u)
	})
}

func findUser(ctx context.Context, store *db.Store, login string) (db.User, error) {
	u, err := store.UserByLogin(ctx, login)
	if err != nil && domain.KindOf(err) == domain.NotFound {
		err = fmt.Errorf("there is no user %q; sanad user list shows the users of a tenant", login)
	}
	return u, err
}

// notMember names the tenant in the error that a user is not a member of it.
func notMember(err error, u db.User, tenant db.Tenant) error {
	if domain.KindOf(err) == domain.NotFound {
		return fmt.Errorf("%s is not in the tenant %s; sanad user add gives a role there", u.Login, tenant.Slug)
	}
	return err
}

func roleFlag(cmd *cobra.Command, role *string) {
	cmd.Flags().StringVar(role, "role", string(access.Viewer), "viewer, reviewer, approver, admin or auditor")
}

func stdinFlag(cmd *cobra.Command, fromStdin *bool) {
	cmd.Flags().BoolVar(fromStdin, "password-stdin", false,
		"read the password from the first line of standard input (default: a random one, shown once)")
}
