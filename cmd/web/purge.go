package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"sanad/internal/db"
)

// maxPurge limits how many packs are listed.
const maxPurge = 10_000

func newPurge(io streams) *cobra.Command {
	var c config
	var dryRun bool
	cmd := &cobra.Command{
		Use: "purge --dry-run", Short: "List evidence packs that may be purged", Args: cobra.NoArgs,
		Long: "purge lists the packs whose seven years are over and that no legal hold keeps, the oldest first: id,\n" +
			"decision, state, retained until, title. It deletes nothing. A purge is asked for by an administrator\n" +
			"and confirmed by a second person, in the app or by POST /api/v1/packs/{id}/purge: two people, whom a\n" +
			"command line could not tell apart.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !dryRun {
				return fmt.Errorf("a purge needs two people, so it is done in the app; --dry-run lists what may be purged")
			}
			return c.with(cmd.Context(), func(store *db.Store, tenant db.Tenant) error {
				return listPurgeable(cmd.Context(), store, tenant, io.out)
			})
		},
	}
	c.dataFlags(cmd, "data")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "list, and delete nothing (required)")
	return cmd
}

func listPurgeable(ctx context.Context, store *db.Store, tenant db.Tenant, out io.Writer) error {
	rows, err := store.PurgeCandidates(ctx, tenant.ID, maxPurge)
	for _, r := range rows {
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\n", r.PackID, r.DecisionID, r.State,
			r.RetainUntil.UTC().Format(time.RFC3339), r.Title)
	}
	return err
}
