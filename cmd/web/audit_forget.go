package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"sanad/internal/db"
	"sanad/internal/domain/access"
)

func newAuditForget(io streams) *cobra.Command {
	var c config
	var before string
	cmd := &cobra.Command{
		Use: "forget-addresses", Short: "Delete the addresses of clients of months that are over", Args: cobra.NoArgs,
		Long: "The log holds a salted commitment of each client's address; the address itself is stored beside it, for\n" +
			"administrators who look at the log. forget-addresses deletes these, and the salts, for all months before\n" +
			"--before, of the tenant and of failed logins by people whom no tenant knows. The log stays as it is. Events\n" +
			"from before there were commitments keep their address.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			month, err := time.Parse("2006-01", before)
			if err != nil {
				return fmt.Errorf("--before: %q is not a month such as 2026-10", before)
			}
			return c.with(cmd.Context(), func(store *db.Store, tenant db.Tenant) error {
				total := 0
				for _, id := range []string{tenant.ID, db.SystemTenant} {
					n, err := store.ForgetAddresses(cmd.Context(), access.AtCommandLine(id), month)
					if err != nil {
						return err
					}
					total += n
				}
				fmt.Fprintf(io.out, "%s\taddresses forgotten\t%d\n", tenant.Slug, total)
				return nil
			})
		},
	}
	c.dataFlags(cmd, "data")
	cmd.Flags().StringVar(&before, "before", "", "the first month that is kept, such as 2026-10 (required)")
	_ = cmd.MarkFlagRequired("before") // fails only for a flag that does not exist
	return cmd
}
