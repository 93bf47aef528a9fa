package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/audit"
)

func newAudit(io streams) *cobra.Command {
	return group("audit", "Check, prove and export the audit log",
		"Each tenant's log is a Merkle tree (RFC 6962) over the exact bytes of its events, with signed checkpoints.",
		newAuditVerify(io), newAuditAccept(io), newAuditProof(io), newAuditExport(io),
		newAuditForget(io))
}

func newAuditVerify(io streams) *cobra.Command {
	c := config{inspect: true}
	session := ""
	cmd := &cobra.Command{
		Use: "verify", Short: "Check every event of the log, and all content (of all tenants, unless one is named)",
		Args: cobra.NoArgs,
		Long: "verify reads the whole log and checks every event, every stored hash, the newest checkpoint's\n" +
			"signature, the checkpoint kept outside the database and those in signed packs. It prints origin,\n" +
			"size, root and key; exit code 1 if a log has a fault. It also computes the digests of all\n" +
			"sessions from their rows, and names what is not as the log recorded it: session, part, claim or\n" +
			"document, and the field where it can.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.withStore(cmd.Context(), func(store *db.Store) error {
				if session != "" {
					return verifySession(cmd.Context(), store, c.tenant, session, io)
				}
				return verifyLogs(cmd.Context(), store, c.tenant, io)
			})
		},
	}
	c.storeFlags(cmd, "data")
	cmd.Flags().StringVar(&c.tenant, "tenant", "", "tenant, by its short name (default: all)")
	cmd.Flags().StringVar(&session, "session", "", "verify the content of this session only, by its id")
	return cmd
}

// withStore opens the store, calls do, and closes the store. It looks up no tenant.
func (c *config) withStore(ctx context.Context, do func(*db.Store) error) error {
	store, err := c.openStore(ctx)
	if err != nil {
		return err
	}
	defer store.Close() //nolint:errcheck // every write has been committed by then
	return asFailure(do(store))
}

func verifyLogs(ctx context.Context, store *db.Store, slug string, io streams) error {
	tenants, err := tenantsToVerify(ctx, store, slug)
	if err != nil {
		return err
	}
	ok := true
	for _, tenant := range tenants {
		report, err := store.VerifyLog(ctx, tenant.ID)
		if err != nil {
			return fmt.Errorf("%s: %w", tenant.Slug, err)
		}
		printReport(io, tenant.Slug, &report)
		whole, err := verifyContents(ctx, store, tenant, io)
		if err != nil {
			return fmt.Errorf("%s: %w", tenant.Slug, err)
		}
		ok = ok && report.OK() && whole
	}
	if why := store.Frozen(); why != "" {
		fmt.Fprintf(io.out, "the store is read-only: %s\n", why)
		ok = false
	}
	if !ok {
		return errFailed
	}
	return nil
}

// verifyContents prints what is wrong with the content of a tenant's sessions.
func verifyContents(ctx context.Context, store *db.Store, tenant db.Tenant, io streams) (ok bool, err error) {
	ok = true
	checked, err := store.VerifyContents(ctx, tenant.ID, func(f audit.ContentFault) {
		ok = false
		fmt.Fprintf(io.out, "%s\t%s\n", tenant.Slug, f.String())
	})
	if err == nil && ok {
		fmt.Fprintf(io.out, "%s\tok\tcontent of %d sessions\n", tenant.Slug, checked)
	}
	return ok, err
}

// verifySession prints what is wrong with the content of one session, in whichever tenant it is.
func verifySession(ctx context.Context, store *db.Store, slug, id string, io streams) error {
	tenants, err := tenantsToVerify(ctx, store, slug)
	if err != nil {
		return err
	}
	for _, tenant := range tenants {
		faults, err := store.VerifySession(ctx, tenant.ID, id)
		if domain.KindOf(err) == domain.NotFound && err != nil {
			continue
		}
		if err != nil {
			return err
		}
		for i := range faults {
			fmt.Fprintf(io.out, "%s\t%s\n", tenant.Slug, faults[i].String())
		}
		if len(faults) > 0 {
			return errFailed
		}
		fmt.Fprintf(io.out, "%s\tok\tcontent of session %s\n", tenant.Slug, id)
		return nil
	}
	return fmt.Errorf("there is no session %q", id)
}

func tenantsToVerify(ctx context.Context, store *db.Store, slug string) ([]db.Tenant, error) {
	if slug != "" {
		tenant, err := store.TenantBySlug(ctx, slug)
		if domain.KindOf(err) == domain.NotFound {
			err = fmt.Errorf("there is no tenant %q", slug)
		}
		return []db.Tenant{tenant}, err
	}
	tenants, err := store.Tenants(ctx)
	if err != nil {
		return nil, err
	}
	system, err := store.Tenant(ctx, db.SystemTenant)
	return append(tenants, system), err
}

func printReport(io streams, slug string, r *audit.Report) {
	verdict := "ok"
	if !r.OK() {
		verdict = "FAULT"
	}
	fmt.Fprintf(io.out, "%s\t%s\torigin %s\tsize %d\troot %s\tkey %s\n", slug, verdict, r.Origin, r.Size, r.Root,
		r.KeyID)
	if r.FirstBad > 0 {
		fmt.Fprintf(io.out, "%s\tfirst bad event %d\n", slug, r.FirstBad)
	}
	for _, fault := range r.Faults {
		fmt.Fprintf(io.out, "%s\t%s\n", slug, fault)
	}
	fmt.Fprintf(io.out, "%s\tthe checkpoint outside the database %s\n", slug, r.CheckpointFile)
	if r.CheckpointFile == db.CheckpointFileMissing {
		fmt.Fprintf(io.out, "%s\tso an older copy of the database would not be noticed; name the folder of the "+
			"checkpoints with --checkpoints\n", slug)
	}
}

func newAuditAccept(io streams) *cobra.Command {
	var c config
	var reason string
	cmd := &cobra.Command{
		Use: "accept", Short: "Accept a tenant's log as it is, so that the tenant can be changed again", Args: cobra.NoArgs,
		Long: "A tenant whose log is not the one that was seen before only reads: its checkpoint outside the database is\n" +
			"missing, empty, not signed by its key, or not of this log. accept begins a new epoch of the log as it is in\n" +
			"the database, and records the reason and what was wrong in it. Find out first what happened: whoever changed\n" +
			"the log is accepted with it. A log that is inconsistent in itself is refused; restore a backup.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.with(cmd.Context(), func(store *db.Store, tenant db.Tenant) error {
				was := store.FrozenFor(tenant.ID)
				if was == "" {
					fmt.Fprintf(io.out, "%s\tnothing to accept: its log is the one that was seen before\n", tenant.Slug)
					return nil
				}
				if err := store.StartEpoch(cmd.Context(), access.AtCommandLine(tenant.ID), reason); err != nil {
					return err
				}
				fmt.Fprintf(io.out, "%s\taccepted: %s\n", tenant.Slug, was)
				return nil
			})
		},
	}
	c.dataFlags(cmd, "data")
	cmd.Flags().StringVar(&reason, "reason", "", "why it is accepted; recorded in the log (required)")
	_ = cmd.MarkFlagRequired("reason") // fails only for a flag that does not exist
	return cmd
}

func newAuditProof(io streams) *cobra.Command {
	c := config{inspect: true}
	var seq int64
	cmd := &cobra.Command{
		Use: "proof", Short: "Print the proof that an event is in the log (C2SP tlog-proof)", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.with(cmd.Context(), func(store *db.Store, tenant db.Tenant) error {
				p, err := store.LogProof(cmd.Context(), tenant.ID, seq)
				if domain.KindOf(err) == domain.NotFound {
					err = fmt.Errorf("the log of %s has no event %d", tenant.Slug, seq)
				}
				if err == nil {
					fmt.Fprint(io.out, p.String())
				}
				return err
			})
		},
	}
	c.dataFlags(cmd, "data")
	cmd.Flags().Int64Var(&seq, "seq", 0, "number of the event, from 1 (required)")
	_ = cmd.MarkFlagRequired("seq") // fails only for a flag that does not exist
	return cmd
}

func newAuditExport(io streams) *cobra.Command {
	var c config
	cmd := &cobra.Command{
		Use: "export", Short: "Print the log, an event a line, as the exact bytes that were hashed", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.with(cmd.Context(), func(store *db.Store, tenant db.Tenant) error {
				return exportLog(cmd.Context(), store, tenant, io)
			})
		},
	}
	c.dataFlags(cmd, "data")
	return cmd
}

// exportLog logs the export before writing the first byte. A frozen store cannot log it, but its content is needed
// most.
func exportLog(ctx context.Context, store *db.Store, tenant db.Tenant, io streams) error {
	ev := db.Event{Action: "log.exported", Kind: "log", ObjectID: tenant.ID}
	if err := store.LogEvent(ctx, access.AtCommandLine(tenant.ID), ev); domain.KindOf(err) == domain.Unavailable {
		fmt.Fprintln(io.err, calledBy()+": the store is read-only, so this export is not logged")
	} else if err != nil {
		return err
	}
	for after := int64(0); ; {
		events, err := store.Events(ctx, tenant.ID, after, 1000)
		if err != nil || len(events) == 0 {
			return err
		}
		for _, e := range events {
			if _, err := fmt.Fprintf(io.out, "%s\n", e.Bytes); err != nil {
				return err
			}
		}
		after = events[len(events)-1].Seq
	}
}
