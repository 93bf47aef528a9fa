package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
)

func newToken(io streams) *cobra.Command {
	return group("token", "Add, list and revoke API tokens",
		"A token belongs to a person (--user), with at most that person's role, or to a machine.",
		newTokenAdd(io), newTokenList(io), newTokenRevoke(io))
}

// maxTokenDays limits how long a token is valid, so that tokens are renewed.
const maxTokenDays = 365

func newTokenAdd(io streams) *cobra.Command {
	var c config
	var name, role, user string
	var days int
	var scopes, addresses []string
	cmd := &cobra.Command{
		Use: "add", Short: "Add a token and show it, this once", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if days < 1 || days > maxTokenDays {
				return fmt.Errorf("--days must be 1 to %d", maxTokenDays)
			}
			networks, err := access.ParseNetworks(strings.Join(addresses, " "))
			if err != nil {
				return failure{err}
			}
			c.creates = true
			return c.with(cmd.Context(), func(store *db.Store, tenant db.Tenant) error {
				secret := auth.NewToken()
				k := access.Token{Name: name, Role: access.Role(role), Hash: db.HashToken(secret),
					ExpiresAt: time.Now().AddDate(0, 0, days), Scopes: access.ParseScopes(strings.Join(scopes, " ")),
					Addresses: networks}
				added, err := addToken(cmd.Context(), store, tenant, user, k)
				if err != nil {
					return err
				}
				fmt.Fprintf(io.err, "%s\t%s\t%s\texpires %s\tthe token is shown this once\n", added.ID, added.Name,
					added.Role, day(added.ExpiresAt))
				fmt.Fprintln(io.out, secret) // the token alone, for scripts (rule F-4)
				return nil
			})
		},
	}
	c.dataFlags(cmd, "data")
	cmd.Flags().StringVar(&name, "name", "", "what the token is for (required)")
	roleFlag(cmd, &role)
	cmd.Flags().StringVar(&user, "user", "", "login name or address of the person it acts as (default: a machine)")
	cmd.Flags().IntVar(&days, "days", 90, "how many days the token is valid")
	cmd.Flags().StringSliceVar(&scopes, "scope", nil, "narrow the token to this scope (repeatable): "+
		access.ScopeNames(access.Scopes)+" (default: all that the role allows)")
	cmd.Flags().StringSliceVar(&addresses, "address", nil,
		"network or address that the token may be used from (repeatable; default: everywhere)")
	return cmd
}

// addToken stores a token of a person (login) or, if login is "", of a machine.
func addToken(ctx context.Context, store *db.Store, tenant db.Tenant, login string,
	k access.Token) (access.Token, error) {
	var u db.User
	if login != "" {
		var err error
		if u, err = findUser(ctx, store, login); err != nil {
			return k, err
		}
		k.UserID = u.ID
	}
	added, err := store.AddToken(ctx, access.AtCommandLine(tenant.ID), k)
	if login != "" && domain.KindOf(err) == domain.NotFound {
		err = fmt.Errorf("%s is not in the tenant %s, or is disabled", u.Login, tenant.Slug)
	}
	return added, err
}

func newTokenList(io streams) *cobra.Command {
	var c config
	cmd := &cobra.Command{
		Use: "list", Short: "List a tenant's tokens: id, name, role, owner, state, last use, scopes, addresses", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.with(cmd.Context(), func(store *db.Store, tenant db.Tenant) error {
				tokens, err := store.Tokens(cmd.Context(), tenant.ID)
				for _, k := range tokens {
					fmt.Fprintf(io.out, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", k.ID, k.Name, k.Role, owner(k),
						tokenState(k, time.Now()), lastUse(k), cmp.Or(access.ScopeNames(k.Scopes), "all scopes"),
						cmp.Or(access.NetworkNames(k.Addresses), "everywhere"))
				}
				return err
			})
		},
	}
	c.dataFlags(cmd, "data")
	return cmd
}

func newTokenRevoke(io streams) *cobra.Command {
	var c config
	cmd := &cobra.Command{
		Use: "revoke ID", Short: "End a token at once", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.with(cmd.Context(), func(store *db.Store, tenant db.Tenant) error {
				err := store.RevokeToken(cmd.Context(), access.AtCommandLine(tenant.ID), args[0])
				if domain.KindOf(err) == domain.NotFound {
					return fmt.Errorf("there is no token %q in the tenant %s; sanad token list prints the ids",
						args[0], tenant.Slug)
				}
				if err != nil {
					return err
				}
				fmt.Fprintf(io.out, "%s\trevoked\n", args[0])
				return nil
			})
		},
	}
	c.dataFlags(cmd, "data")
	return cmd
}

func owner(k access.Token) string {
	if k.UserID == "" {
		return "machine"
	}
	return k.UserName
}

func tokenState(k access.Token, now time.Time) string {
	switch {
	case !k.RevokedAt.IsZero():
		return "revoked " + day(k.RevokedAt)
	case !k.ExpiresAt.After(now):
		return "expired " + day(k.ExpiresAt)
	}
	return "expires " + day(k.ExpiresAt)
}

func lastUse(k access.Token) string {
	if k.LastUsedAt.IsZero() {
		return "never used"
	}
	return "used " + k.LastUsedAt.UTC().Format("2006-01-02T15:04Z")
}

func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }
