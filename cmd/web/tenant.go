package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
)

// mainTenant is created at the first start, so that a single organisation need not deal with tenants.
const mainTenant = "main"

func newTenant(io streams) *cobra.Command {
	return group("tenant", "Add and list tenants, set whether they require a second factor", "A tenant is one organisation; nothing crosses from one to another.",
		newTenantAdd(io), newTenantList(io), newTenantFactor(io))
}

func newTenantAdd(io streams) *cobra.Command {
	var c config
	var name string
	cmd := &cobra.Command{
		Use: "add SLUG", Short: "Add a tenant", Args: cobra.ExactArgs(1),
		Long: "add makes a tenant with a short name: 1 to 40 of a-z, 0-9 and -. It has no users yet: see sanad user add.",
		RunE: func(cmd *cobra.Command, args []string) error {
			c.creates = true
			return c.withStore(cmd.Context(), func(store *db.Store) error {
				if name == "" {
					name = args[0]
				}
				added, err := store.AddTenant(cmd.Context(), args[0], name)
				if err != nil {
					return err
				}
				fmt.Fprintf(io.out, "%s\t%s\t%s\n", added.ID, added.Slug, added.Name)
				return nil
			})
		},
	}
	c.storeFlags(cmd, "data")
	cmd.Flags().StringVar(&name, "name", "", "name as shown (default: the short name)")
	return cmd
}

func newTenantFactor(io streams) *cobra.Command {
	var c config
	cmd := &cobra.Command{
		Use: "second-factor on|off", Short: "Require two-step login of a tenant's approvers and administrators, or no longer",
		Args: cobra.ExactArgs(1), ValidArgs: []string{"on", "off"},
		Long: "Whoever lacks two-step login is led to set it up before any other page opens. off also helps a tenant whose\n" +
			"administrators have all lost theirs.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if args[0] != "on" && args[0] != "off" {
				return fmt.Errorf("say on or off, not %q", args[0])
			}
			return c.with(cmd.Context(), func(store *db.Store, tenant db.Tenant) error {
				err := store.SetSecondFactor(cmd.Context(), access.AtCommandLine(tenant.ID), args[0] == "on")
				if err == nil {
					fmt.Fprintf(io.out, "%s\tsecond factor\t%s\n", tenant.Slug, args[0])
				}
				return err
			})
		},
	}
	c.dataFlags(cmd, "data")
	return cmd
}

func newTenantList(io streams) *cobra.Command {
	var c config
	cmd := &cobra.Command{
		Use: "list", Short: "List tenants: id, short name, name", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.withStore(cmd.Context(), func(store *db.Store) error {
				tenants, err := store.Tenants(cmd.Context())
				for _, t := range tenants {
					fmt.Fprintf(io.out, "%s\t%s\t%s\n", t.ID, t.Slug, t.Name)
				}
				return err
			})
		},
	}
	c.storeFlags(cmd, "data")
	return cmd
}

// findTenant returns a tenant by its short name. Only the main tenant is created if missing, so that a typo in --tenant
// does not create an organisation.
func findTenant(ctx context.Context, store *db.Store, slug string) (db.Tenant, error) {
	tenant, err := store.TenantBySlug(ctx, slug)
	if err == nil || domain.KindOf(err) != domain.NotFound {
		return tenant, err
	}
	if slug != mainTenant {
		return tenant, fmt.Errorf("there is no tenant %q: sanad tenant list shows all tenants, sanad tenant "+
			"add %s creates it", slug, slug)
	}
	tenant, err = store.AddTenant(ctx, mainTenant, "Main")
	if err != nil && domain.KindOf(err) == domain.Conflict { // another process was faster
		return store.TenantBySlug(ctx, slug)
	}
	return tenant, err
}
