package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"sanad/internal/db"
)

// group returns a command that only has sub-commands. Calling it without one of them is wrong usage.
func group(use, short, long string, subs ...*cobra.Command) *cobra.Command {
	var names []string
	for _, c := range subs {
		names = append(names, c.Name())
	}
	cmd := &cobra.Command{
		Use: use, Short: short, Long: long, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return fmt.Errorf("%s needs one of: %s", cmd.CommandPath(), strings.Join(names, ", "))
		},
	}
	cmd.AddCommand(subs...)
	return cmd
}

// with is withStore for a command in one tenant.
func (c *config) with(ctx context.Context, do func(*db.Store, db.Tenant) error) error {
	return c.withStore(ctx, func(store *db.Store) error {
		tenant, err := findTenant(ctx, store, c.tenant)
		if err != nil {
			return err
		}
		return do(store, tenant)
	})
}
