package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"sanad/internal/app"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/exporters"
)

func newExport(streams streams) *cobra.Command {
	var c config
	var session, format, language, output string
	cmd := &cobra.Command{
		Use: "export", Short: "Write a session's ledger as Markdown, JSON, PDF, CSV or XLSX", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runExport(cmd.Context(), c, session, format, exporters.Language(language), output, streams.out)
		},
	}
	c.dataFlags(cmd, "data")
	cmd.Flags().StringVar(&session, "session", "", "id of the session (required)")
	cmd.Flags().StringVar(&format, "format", "markdown", "markdown, json, pdf, csv or xlsx")
	cmd.Flags().StringVar(&language, "language", "",
		"en or ar; by default a PDF is in both, and csv and xlsx are in English")
	cmd.Flags().StringVarP(&output, "output", "o", "-", "file to write, - for standard output")
	_ = cmd.MarkFlagRequired("session") // fails only for a flag that does not exist
	return cmd
}

// runExport logs the export, renders it, and only then writes it: the file is complete or absent.
func runExport(ctx context.Context, c config, id, format string, language exporters.Language, output string,
	stdout io.Writer) error {
	f, err := exporters.FormatByName(format)
	if err != nil {
		return err
	}
	if err := f.CheckLanguage(language); err != nil {
		return err
	}
	store, tenant, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer store.Close() //nolint:errcheck // every write has been committed by then
	if err := store.Verified(ctx, tenant.ID, id); err != nil {
		return failure{err}
	}
	file, err := app.ExportLedger(ctx, store, access.AtCommandLine(tenant.ID), id, f, language)
	if domain.KindOf(err) == domain.NotFound {
		return failure{fmt.Errorf("there is no session %q in %s; sanad import prints the ids", id, c.data)}
	}
	if err != nil {
		return failure{err}
	}
	defer file.Close() //nolint:errcheck // it is only read
	if output == "-" {
		_, err = file.WriteTo(stdout)
		return asFailure(err)
	}
	return asFailure(writeWhole(output, file))
}
