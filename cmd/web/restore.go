package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"sanad/internal/db"
	"sanad/internal/db/backup"
)

func newRestore(io streams) *cobra.Command {
	var c config
	var reason string
	var check bool
	cmd := &cobra.Command{
		Use: "restore BACKUP", Short: "Put a backup in the place of the store; the server must be stopped",
		Args: cobra.ExactArgs(1),
		Long: "restore checks the whole backup, then swaps it in; the old folder stays as DATA.replaced-TIME until\n" +
			"you remove it. If events newer than the backup's were seen, or may have been, a log continues in a\n" +
			"new epoch, whose first event names the abandoned checkpoint and the reason. The reason stays in the\n" +
			"log for ever: give no names and no personal data. With --check it only checks the backup.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if reason == "" && !check {
				return errors.New("--reason is needed: say why the present store is replaced (the reason goes into the log)")
			}
			o, err := c.options()
			if err != nil {
				return failure{err}
			}
			if check {
				return asFailure(runCheckBackup(cmd.Context(), args[0], o, io))
			}
			return asFailure(runRestore(cmd.Context(), args[0], reason, o, io))
		},
	}
	c.storeFlags(cmd, "data")
	cmd.Flags().StringVar(&reason, "reason", "", "why, for the audit log (required; no personal data)")
	cmd.Flags().BoolVar(&check, "check", false, "only check the backup, and restore nothing")
	return cmd
}

func runCheckBackup(ctx context.Context, dir string, o db.Options, io streams) error {
	m, err := backup.VerifyBackup(ctx, dir, o.Keys)
	if err != nil {
		return err
	}
	printLogs(io, &m)
	fmt.Fprintf(io.out, "%s\tok\t%d files\tmade at %s\n", dir, m.Files.Count, m.MadeAt)
	return nil
}

func runRestore(ctx context.Context, dir, reason string, o db.Options, io streams) error {
	r, err := backup.Restore(ctx, dir, reason, o)
	if err != nil {
		return err
	}
	for _, e := range r.Epochs {
		fmt.Fprintf(io.out, "new epoch\t%s\t%s\n", e.Tenant, e.Why)
	}
	for _, u := range r.Unread {
		fmt.Fprintf(io.out, "not compared\t%s\twith the checkpoint in the replaced database: %s\n",
			cmp.Or(u.Tenant, "every other log"), u.Why)
	}
	if r.Replaced != "" {
		fmt.Fprintf(io.out, "replaced\t%s\tremove it when you need it no more\n", r.Replaced)
	}
	fmt.Fprintf(io.out, "restored\t%s\tas of %s\n", o.Dir, r.Manifest.MadeAt)
	fmt.Fprintln(io.err, "Everybody must sign in again. Who was disabled, and which token was revoked, since then is "+
		"valid again: see sanad user list, sanad token list.")
	return nil
}
