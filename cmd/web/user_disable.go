package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"sanad/internal/db"
	"sanad/internal/domain/access"
)

func newUserDisable(streams streams) *cobra.Command {
	return newUserSwitch(streams, "disable", "Shut a user out, from the next request on", true)
}

func newUserEnable(streams streams) *cobra.Command {
	return newUserSwitch(streams, "enable", "Let a user in again", false)
}

func switchEverywhere(ctx context.Context, c config, login string, off bool, out io.Writer) error {
	return c.withStore(ctx, func(store *db.Store) error {
		u, err := findUser(ctx, store, login)
		if err != nil {
			return err
		}
		if err := store.SetUserDisabled(ctx, inAllTenants, u.ID, off); err != nil {
			return err
		}
		fmt.Fprintf(out, "%s\t%s\teverywhere\n", u.Login, onOff(off))
		return nil
	})
}

func switchInTenant(ctx context.Context, c config, login string, off bool, out io.Writer) error {
	return c.withUser(ctx, login, func(store *db.Store, tenant db.Tenant, u db.User) error {
		if err := store.SetMemberDisabled(ctx, access.AtCommandLine(tenant.ID), u.ID, off); err != nil {
			return notMember(err, u, tenant)
		}
		fmt.Fprintf(out, "%s\t%s\t%s\n", u.Login, onOff(off), tenant.Slug)
		return nil
	})
}

func onOff(off bool) string {
	if off {
		return "disabled"
	}
	return "enabled"
}

// newUserSwitch returns the command disable or enable. A user is enabled per tenant and for the whole installation, and
// needs both to log in.
func newUserSwitch(streams streams, verb, short string, off bool) *cobra.Command {
	var c config
	cmd := &cobra.Command{
		Use: verb + " LOGIN", Short: short, Args: cobra.ExactArgs(1),
		Long: short + ": everywhere, or with --tenant in that one only. The last administrator of a tenant cannot be\n" +
			"disabled in that tenant alone, but can be disabled everywhere.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if c.tenant == "" {
				return switchEverywhere(cmd.Context(), c, args[0], off, streams.out)
			}
			return switchInTenant(cmd.Context(), c, args[0], off, streams.out)
		},
	}
	c.storeFlags(cmd, "data")
	cmd.Flags().StringVar(&c.tenant, "tenant", "", "in this tenant only (default: everywhere)")
	return cmd
}
