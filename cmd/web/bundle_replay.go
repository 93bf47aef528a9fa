package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"sanad/internal/domain/bundle"
	"sanad/internal/importers"
	"sanad/internal/lake"
)

// newBundleReplay returns the command that builds a bundle again and compares (rule B-16).
func newBundleReplay(streams streams) *cobra.Command {
	var from bundleFlags
	var request string
	var asJSON bool
	cmd := &cobra.Command{
		Use: "replay BUNDLE", Args: cobra.ExactArgs(1),
		Short: "Build a bundle again by the version and policy that it names, and compare; no database",
		Long: "replay reads a bundle (the JSON of GET /api/v1/bundles/ID, or of bundle build) and builds it again: from\n" +
			"the request given with --request, or else from what the bundle records. Artifacts are read from --from.\n" +
			"It prints each source with what is equal and what differs. The exit code is 1 if anything differs. A\n" +
			"bundle that was redacted by patterns of the tenant's own differs here; the server knows these.",
		RunE: func(cmd *cobra.Command, args []string) error {
			got, err := replayFiles(cmd.Context(), args[0], request, &from, streams)
			if err != nil {
				return failure{err}
			}
			if asJSON {
				enc := json.NewEncoder(streams.out)
				enc.SetIndent("", "  ")
				err = enc.Encode(got)
			} else {
				err = printReplay(streams.out, got)
			}
			if err != nil {
				return failure{err}
			}
			if !got.Equal {
				return errFailed
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&from.from, "from", "", "folder that artifacts are read from (default: they are missing)")
	cmd.Flags().StringVar(&request, "request", "",
		"file with the request that the bundle was built from (default: its record)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the comparison as JSON")
	return cmd
}

func replayFiles(
	ctx context.Context, path, request string, from *bundleFlags, streams streams,
) (*bundle.Comparison, error) {
	data, err := readAtMost(path, lake.MaxBytes, streams)
	if err != nil {
		return nil, err
	}
	if len(data) > lake.MaxBytes {
		return nil, fmt.Errorf("%s is larger than %d bytes", path, lake.MaxBytes)
	}
	var was bundle.Bundle
	if err := json.Unmarshal(data, &was); err != nil || was.BuildVersion == "" {
		return nil, fmt.Errorf("%s is no evidence bundle: give the JSON that has bundle_id and build_version", path)
	}
	var req *bundle.Request
	if request != "" {
		data, err := readAtMost(request, importers.MaxBundleRequest, streams)
		if err != nil {
			return nil, err
		}
		read, err := importers.ReadBundleRequest(data)
		if err != nil {
			return nil, err
		}
		req = &read.Request
	}
	return bundle.Replay(&was, req, from.load(ctx), nil)
}

// readAtMost reads a file, or standard input for -, up to one byte more than limit, which its reader refuses.
func readAtMost(path string, limit int64, streams streams) ([]byte, error) {
	in := streams.in
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close() //nolint:errcheck // opened for reading only
		in = f
	}
	return io.ReadAll(io.LimitReader(in, limit+1))
}

// printReplay prints a line for the whole, one for each source, and one for each field that differs.
func printReplay(out io.Writer, c *bundle.Comparison) error {
	word := "differs"
	if c.Equal {
		word = "equal"
	}
	lines := []string{fmt.Sprintf("%s: bundle %s, built again by version %s from the %s: %s", word, c.BundleID,
		c.BuildVersion, c.Input, c.BuiltID)}
	if !c.RecordHolds {
		lines = append(lines, "the bundle's id and hashes are not those of its content: it was changed after it was built")
	}
	for i := range c.Sources {
		lines = append(lines, replayLines(&c.Sources[i])...)
	}
	for _, s := range lines {
		if _, err := fmt.Fprintln(out, s); err != nil {
			return err
		}
	}
	return nil
}

func replayLines(x *bundle.Compared) []string {
	name := x.EvidenceID
	if name == "" {
		name = x.Path
	}
	line := fmt.Sprintf("  %-8s %s", x.Outcome, name)
	for _, s := range []string{x.SourceRef.LakeURI, x.SourceRef.QueryKey, x.SourceRef.DocumentID, x.SourceRef.SourceURI} {
		if s != "" {
			line += fmt.Sprintf(" %q", s)
		}
	}
	if x.Was != x.Now && x.Was != "" && x.Now != "" {
		line += fmt.Sprintf(" (was: %s, now: %s)", x.Was, x.Now)
	}
	if x.Reason != "" {
		line += fmt.Sprintf(": %q", x.Reason)
	}
	out := []string{line}
	for _, d := range x.Differs {
		out = append(out, fmt.Sprintf("           %s: %s → %s", d.Field, orNone(d.Was), orNone(d.Now)))
	}
	return out
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}
