package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"sanad/internal/domain/pack"
	"sanad/internal/release"
)

func newVerifyRelease(io streams) *cobra.Command {
	var key string
	var some, asJSON bool
	cmd := &cobra.Command{
		Use: "verify-release FOLDER", Short: "Check the files of a release of this program, without a network",
		Args: cobra.ExactArgs(1),
		Long: "verify-release checks that the key has signed what the folder's " + release.FileProvenance + " says, that\n" +
			"each file is the one named there, and that there is no other. Get the public key by a way other than\n" +
			"the release. Exit code 1 unless all files are there and right.",
		RunE: func(_ *cobra.Command, args []string) error {
			if key == "" {
				return errors.New("--key is missing: without the public key a release proves nothing")
			}
			text, err := readLimited(key)
			if err != nil {
				return failure{err}
			}
			public, err := pack.ParsePublic(text)
			if err != nil {
				return failure{fmt.Errorf("%s: %s", key, explain(err))}
			}
			report, err := release.Verify(args[0], public)
			if err != nil {
				return failure{err}
			}
			return printRelease(io, report, some, asJSON)
		},
	}
	cmd.Flags().StringVar(&key, "key", "", "public key of the makers of the release, in PEM")
	cmd.Flags().BoolVar(&some, "some", false, "accept that files of the release are not in the folder")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the report as JSON")
	return cmd
}

func printRelease(io streams, report *release.Report, some, asJSON bool) error {
	if asJSON {
		e := json.NewEncoder(io.out)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		if err := e.Encode(report); err != nil {
			return failure{err}
		}
	} else {
		fmt.Fprintf(io.out, "release %s of commit %s\n", report.Version, report.Commit)
		for _, name := range report.Checked {
			fmt.Fprintln(io.out, "ok       "+name)
		}
		for _, name := range report.Missing {
			fmt.Fprintln(io.out, "missing  "+name)
		}
		for _, fault := range report.Faults {
			fmt.Fprintln(io.out, "FAILED   "+fault)
		}
	}
	if !report.OK() || len(report.Missing) > 0 && !some {
		return errFailed
	}
	return nil
}
