package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"sanad/internal/domain"
	"sanad/internal/domain/bundle"
	"sanad/internal/importers"
)

// newBundle returns the command that builds evidence bundles (rule B-1) without a server.
func newBundle(io streams) *cobra.Command {
	cmd := &cobra.Command{Use: "bundle",
		Short: "Evidence bundles: what a judge or model may see, bounded and redacted", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	cmd.AddCommand(newBundleBuild(io), newBundleReplay(io))
	return cmd
}

func newBundleBuild(io streams) *cobra.Command {
	var f bundleFlags
	cmd := &cobra.Command{
		Use: "build [FILE]", Args: cobra.MaximumNArgs(1),
		Short: "Build one from a request (the JSON of POST /api/v1/bundles) and print its artifact; no database",
		Long: "build reads the request from FILE or standard input and prints the bundle as RFC 8785 JSON. The same\n" +
			"request and artifacts give the same bundle_id and, with --created, the same bytes. Sources that\n" +
			"could not be used are listed in failed_sources; with --strict, any of them makes the exit code 1.",
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.build(cmd.Context(), args, io)
		},
	}
	cmd.Flags().StringVar(&f.from, "from", "",
		"folder that paths of the request are read from (default: such sources fail)")
	cmd.Flags().StringVar(&f.keep, "keep", "",
		"folder to write the full text of cut documents to, for full_ref (default: none)")
	cmd.Flags().StringVar(&f.created, "created", "", "created_utc of the bundle, RFC 3339 (default: now)")
	cmd.Flags().BoolVar(&f.strict, "strict", false, "exit with code 1 if a source could not be used")
	return cmd
}

// bundleFlags holds the flags of bundle build.
type bundleFlags struct {
	from, keep, created string
	strict              bool
}

func (f *bundleFlags) build(ctx context.Context, args []string, io streams) error {
	at := time.Now()
	if f.created != "" {
		var err error
		if at, err = time.Parse(time.RFC3339, f.created); err != nil {
			return errors.New("--created must be a time such as 2026-03-01T09:00:00Z")
		}
	}
	data, err := requestOf(args, io)
	if err != nil {
		return failure{err}
	}
	req, err := importers.ReadBundleRequest(data)
	if err != nil {
		return failure{err}
	}
	built, err := bundle.Build(&req.Request, at, f.load(ctx), nil)
	if err != nil {
		return failure{err}
	}
	if err := f.write(built.Writes); err != nil {
		return failure{err}
	}
	artifact, err := built.Bundle.Bytes()
	if err != nil {
		return failure{err}
	}
	if _, err := io.out.Write(append(artifact, '\n')); err != nil {
		return failure{err}
	}
	if f.strict && len(built.Bundle.FailedSources) > 0 {
		return errFailed
	}
	return nil
}

// requestOf reads the request, up to the size limit.
func requestOf(args []string, streams streams) ([]byte, error) {
	if len(args) == 0 {
		args = []string{"-"}
	}
	return readAtMost(args[0], importers.MaxBundleRequest, streams)
}

// load returns a function that reads artifacts from the folder; no path and no link leads out of it.
func (f *bundleFlags) load(ctx context.Context) bundle.Load {
	if f.from == "" {
		return nil
	}
	return func(path string) ([]byte, error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		root, err := os.OpenRoot(f.from)
		if err != nil {
			return nil, err
		}
		defer root.Close() //nolint:errcheck // opened for reading only
		data, err := root.ReadFile(path)
		if errors.Is(err, os.ErrNotExist) {
			return nil, domain.Refuse(domain.NotFound, "", "refused_lake_none")
		}
		return data, err
	}
}

// write stores the full text of cut documents where full_ref says, below the folder.
func (f *bundleFlags) write(writes []bundle.Write) error {
	if f.keep == "" {
		return nil
	}
	for _, w := range writes {
		path := filepath.Join(f.keep, filepath.FromSlash(w.LakeURI))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(path, w.Data, 0o600); err != nil {
			return err
		}
	}
	return nil
}
