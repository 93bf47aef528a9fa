package main

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/spf13/cobra"

	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
)

func newReassess(io streams) *cobra.Command {
	var c config
	var dryRun bool
	cmd := &cobra.Command{
		Use: "reassess", Short: "Recompute the verdicts of sessions that an older rule set assessed",
		Args: cobra.NoArgs,
		Long: "reassess recomputes the verdicts, strength and risk flags of every session that was assessed by an\n" +
			"older rule set than the current one; see docs/operating.md. Matches and reviews stay. Reviews of a\n" +
			"claim whose verdict changes are marked stale, and a closed session is reopened if anything in it\n" +
			"changes. Each session is one transaction with its event in the tenant's audit log, so the command\n" +
			"may run beside a server; after an interruption it continues where it stopped. Without --tenant it\n" +
			"goes through all tenants.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !cmd.Flags().Changed("tenant") {
				c.tenant = ""
			}
			return runReassess(cmd.Context(), c, dryRun, io)
		},
	}
	c.storeFlags(cmd, "data")
	c.reader.add(cmd)
	cmd.Flags().StringVar(&c.tenant, "tenant", "", "tenant, by its short name (default: all)")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "count the sessions, and change nothing")
	return cmd
}

func runReassess(ctx context.Context, c config, dryRun bool, to streams) error {
	own, err := c.reader.open(to.embedded, c.data)
	if err != nil {
		return err
	}
	to.embedded = own
	store, err := c.openStore(ctx)
	if err != nil {
		return err
	}
	defer store.Close() //nolint:errcheck // every write has been committed by then
	tenants, err := store.Tenants(ctx)
	if err != nil {
		return failure{err}
	}
	if c.tenant != "" {
		one, err := findTenant(ctx, store, c.tenant)
		if err != nil {
			return failure{err}
		}
		tenants = []db.Tenant{one}
	}
	for _, t := range tenants {
		if err := reassessTenant(ctx, store, t, dryRun, to); err != nil {
			return failure{err}
		}
	}
	return nil
}

// reassessEvery is the number of sessions between two reports of the progress.
const reassessEvery = 100

func reassessTenant(ctx context.Context, store *db.Store, t db.Tenant, dryRun bool, to streams) error {
	out := to.out
	waiting, err := store.CountOlderRules(ctx, t.ID)
	if err != nil {
		return err
	}
	if dryRun {
		fmt.Fprintf(out, "%s: %d sessions were assessed by an older rule set than %d\n", t.Slug, waiting,
			ledger.CurrentRuleSet())
		return nil
	}
	check, err := to.embedded.CheckStored(ctx, store, t.ID)
	if err != nil {
		return err
	}
	done, flips, stale, reopened := 0, 0, 0, 0
	for {
		r, more, err := store.Reassess(ctx, access.AtCommandLine(t.ID), check)
		if err != nil {
			return fmt.Errorf("%s: %d of %d sessions reassessed; run the command again to continue: %w", t.Slug, done,
				waiting, err)
		}
		if !more {
			break
		}
		done, flips, stale = done+1, flips+r.Flips, stale+r.Stale
		if r.Reopened {
			reopened++
		}
		if done%reassessEvery == 0 {
			fmt.Fprintf(out, "%s: %d of %d sessions\n", t.Slug, done, max(done, waiting))
		}
	}
	fmt.Fprintf(out, "%s: %d sessions reassessed by rule set %d: %d verdicts changed, %d reviews became stale, %d "+
		"sessions opened again\n",
		t.Slug, done, ledger.CurrentRuleSet(), flips, stale, reopened)
	return nil
}

// warnOlderRules logs how many sessions wait for `sanad reassess`. Until then each is shown by the rules that assessed
// it, so nothing contradicts itself.
func warnOlderRules(ctx context.Context, store *db.Store, log *slog.Logger) {
	n, err := store.CountOlderRules(ctx, "")
	if err != nil {
		log.Error("counting sessions of older rule sets", "err", err)
	} else if n > 0 {
		log.Warn("sessions were assessed by an older rule set; sanad reassess brings them up to date", "sessions", n,
			"rule_set", ledger.CurrentRuleSet())
	}
}
