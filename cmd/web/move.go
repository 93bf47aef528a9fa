package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"sanad/internal/db"
	"sanad/internal/db/backup"
)

func newMove(io streams) *cobra.Command {
	var c config
	var from, to string
	cmd := &cobra.Command{
		Use:   "move --from PLACE --to PLACE",
		Short: "Copy the database from a data folder to PostgreSQL, or back",
		Long: "Copies everything in the database into an empty one of the other kind, then verifies every log and every digest\n" +
			"there. One place is a data folder, the other postgres://USER@HOST:5432/NAME. Originals, lake and checkpoints stay\n" +
			"where they are: in the data folder, and wherever the flags say. No server may run on either. If it is cut\n" +
			"off, run it again to go on; until then nothing opens the new database. The old database is left as it is.",
		Example: "  sanad move --from data --to postgres://sanad@db.example/sanad\n" +
			"  sanad serve --data data --database postgres://sanad@db.example/sanad",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runMove(cmd.Context(), c, from, to, io) },
	}
	cmd.Flags().StringVar(&from, "from", "", "data folder or PostgreSQL database to copy")
	cmd.Flags().StringVar(&to, "to", "", "data folder or empty PostgreSQL database to copy to")
	c.placeFlags(cmd)
	c.keyFlags(cmd)
	return cmd
}

// runMove copies and prints how much.
func runMove(ctx context.Context, c config, from, to string, io streams) error {
	a, err := c.movePlace(from, to)
	if err != nil {
		return err
	}
	b, err := c.movePlace(to, from)
	if err != nil {
		return err
	}
	m, err := backup.Move(ctx, a, b)
	if err != nil {
		return failure{err}
	}
	var rows int64
	for _, x := range m.Tables {
		rows += x.Rows
		if x.Rows > 0 {
			fmt.Fprintf(io.out, "%s\t%d\n", x.Name, x.Rows)
		}
	}
	fmt.Fprintf(io.out, "%d rows of %d tables are in %s, and %d logs with all contents verify there.\n",
		rows, len(m.Tables), withoutPassword(to), m.Logs)
	return nil
}

// movePlace returns how to open one of the two places; the folder of the store's files is the one that is a folder.
func (c config) movePlace(place, other string) (db.Options, error) {
	if place == "" || other == "" {
		return db.Options{}, errors.New("give both --from and --to")
	}
	c.data, c.database = place, ""
	if isPostgres(place) {
		c.data, c.database = other, place
	}
	if isPostgres(place) == isPostgres(other) {
		return db.Options{}, errors.New("one of --from and --to is a data folder, " +
			"the other a PostgreSQL database (postgres://…)")
	}
	return c.options()
}

func isPostgres(place string) bool {
	return strings.HasPrefix(place, "postgres://") || strings.HasPrefix(place, "postgresql://")
}

// withoutPassword names a place without its secret.
func withoutPassword(place string) string {
	if !isPostgres(place) {
		return filepath.Clean(place)
	}
	scheme, rest, _ := strings.Cut(place, "://")
	if i := strings.LastIndex(rest, "@"); i >= 0 {
		user, _, _ := strings.Cut(rest[:i], ":")
		rest = user + rest[i:]
	}
	address, _, _ := strings.Cut(rest, "?")
	return scheme + "://" + address
}
