package main

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"sanad/internal/db"
	"sanad/internal/db/backup"
)

func newBackup(io streams) *cobra.Command {
	var c config
	cmd := &cobra.Command{
		Use: "backup DIR", Short: "Copy the database and the original documents, also beside a running server",
		Args: cobra.ExactArgs(1),
		Long: "backup writes database, originals, checkpoints and a manifest into DIR, which must be new or empty,\n" +
			"and then checks the copy: every file and every event of every log. A DIR without manifest.json is no\n" +
			"backup. The master key is not in it: keep that elsewhere. sha256sum -c SHA256SUMS in DIR checks the\n" +
			"files without this program.",
		RunE: func(cmd *cobra.Command, args []string) error {
			o, err := c.options()
			if err != nil {
				return failure{err}
			}
			return asFailure(runBackup(cmd.Context(), args[0], o, io))
		},
	}
	c.storeFlags(cmd, "data")
	return cmd
}

// options returns how to open the store with its master key.
func (c *config) options() (db.Options, error) {
	dir, err := filepath.Abs(c.data)
	if err != nil {
		return db.Options{}, err
	}
	box, err := c.box()
	if err != nil {
		return db.Options{}, err
	}
	places, err := c.filePlaces()
	o := db.Options{Dir: dir, Database: c.database, Now: time.Now, NewID: newID, Keys: box}
	places.put(&o)
	return o, err
}

func runBackup(ctx context.Context, dir string, o db.Options, io streams) error {
	began := time.Now()
	m, err := backup.Backup(ctx, dir, programVersion(), o)
	if err != nil {
		return err
	}
	printLogs(io, &m)
	mib := float64(m.Files.Bytes) / (1 << 20)
	fmt.Fprintf(io.out, "%s\t%d files\t%.1f MiB\t%.0f MiB/s\tmade at %s\n", dir, m.Files.Count, mib,
		mib/time.Since(began).Seconds(), m.MadeAt)
	return nil
}

func printLogs(io streams, m *backup.Manifest) {
	for _, l := range m.Logs {
		fmt.Fprintf(io.out, "log\t%s\tepoch %d\tsize %d\troot %s\n", l.Tenant, l.Epoch, l.Size, l.Root)
	}
}

// programVersion returns the version of the running program: the module's version, or the commit that it was built
// from.
func programVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return s.Value
		}
	}
	return "devel"
}
