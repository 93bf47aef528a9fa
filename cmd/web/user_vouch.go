package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"sanad/internal/db"
	"sanad/internal/domain/access"
)

func newUserVouch(streams streams) *cobra.Command {
	var c config
	var reason string
	cmd := &cobra.Command{
		Use: "vouch LOGIN", Short: "Vouch that a user alone uses their account in a tenant", Args: cobra.ExactArgs(1),
		Long: "For 30 days after somebody in the app makes a user's account, or sets the user's password, role, token or\n" +
			"one-time code, the two count as one person wherever two are asked: for approvals, erasures, purges and changes\n" +
			"of administration. vouch ends this at once for all that was set until now. It is logged with the reason.",
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.withUser(cmd.Context(), args[0], func(store *db.Store, tenant db.Tenant, u db.User) error {
				if err := store.Vouch(cmd.Context(), access.AtCommandLine(tenant.ID), u.ID, reason); err != nil {
					return notMember(err, u, tenant)
				}
				fmt.Fprintf(streams.out, "%s\tvouched for\t%s\n", u.Login, tenant.Slug)
				return nil
			})
		},
	}
	c.dataFlags(cmd, "data")
	cmd.Flags().StringVar(&reason, "reason", "", "how you know; recorded in the log (required)")
	_ = cmd.MarkFlagRequired("reason") // fails only for a flag that does not exist
	return cmd
}
