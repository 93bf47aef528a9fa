package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"sanad/cmd/web/demo"
	"sanad/internal/app"
	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/importers"
)

func newDemo(streams streams) *cobra.Command {
	var c serveConfig
	cmd := &cobra.Command{
		Use: "demo", Short: "Serve the shipped example from a fresh data folder", Args: cobra.NoArgs,
		Long: "demo makes a fresh folder (or takes --data), fills it with twenty example sessions, thirteen\n" +
			"of them of past months, an evidence bundle, a review under way, five decisions, four of them with evidence packs,\n" +
			"and one user per role, and serves them. The users' passwords are random and shown once.",
		RunE: func(cmd *cobra.Command, _ []string) error { return runDemo(cmd.Context(), c, streams) },
	}
	c.dataFlags(cmd, "")
	c.addrFlag(cmd)
	c.models.add(cmd)
	c.reader.add(cmd)
	return cmd
}

func runDemo(ctx context.Context, c serveConfig, streams streams) error {
	l, err := listen(c.addr) // before anything is made; who opens the page early waits until it is
	if err != nil {
		return err
	}
	defer l.Close() //nolint:errcheck // closed already where serve was reached
	fmt.Fprintf(streams.out, "Sanad demo: open http://%s - its examples are being made; stop it with Ctrl-C.\n", l.Addr())
	c.listener, c.creates = l, true
	if c.data == "" {
		dir, err := os.MkdirTemp("", "sanad-demo-")
		if err != nil {
			return failure{err}
		}
		c.data = dir
	}
	if err := c.ownMasterKey(); err != nil {
		return failure{err}
	}
	if streams.embedded, err = c.reader.open(streams.embedded, c.data); err != nil {
		return err
	}
	c.reader = readerFlags{} // it is open
	if err := c.fill(ctx, streams); err != nil {
		return err
	}
	c.gallery = true
	fmt.Fprintf(streams.out, "It holds twenty example sessions, thirteen of them of past months, and five decisions, "+
		"four of them with evidence packs, in %s.\n"+
		"For the API: sanad token add --name me --role reviewer --data %[1]s --master-key-file %s\n", c.data, c.masterKeyFile)
	return serve(ctx, c, streams)
}

// fill makes the examples. A new store begins with the weeks before, by a clock that is set to each of them.
func (c *serveConfig) fill(ctx context.Context, streams streams) error {
	empty, err := c.isNew(ctx)
	if err != nil {
		return failure{err}
	}
	clock, today := &demoClock{}, time.Now().UTC().Truncate(time.Second)
	if empty {
		clock.set(today.AddDate(0, 0, -7*demo.HistoryWeeks-1))
	}
	filled := c.config
	filled.now = clock.now
	return filled.with(ctx, func(store *db.Store, tenant db.Tenant) (err error) {
		in := importer(store, tenant, streams.embedded.Remembering(demo.Judged().Answers))
		if err := demoUsers(ctx, store, tenant, filled, streams.out); err != nil {
			return err
		}
		if empty {
			if err := demoHistory(ctx, in, tenant, clock, today); err != nil {
				return err
			}
			clock.set(today.Add(-2 * time.Hour)) // the morning of the decisions
			in.Now = clock.now()
			if tenant, err = demoOrganisation(ctx, store, tenant); err != nil {
				return err
			}
		}
		if err := seedDemo(ctx, in, tenant, filled, clock); err != nil {
			return err
		}
		clock.release()
		c.guide, err = demoSession(ctx, in, demo.Guide)
		return err
	})
}

// seedDemo imports the shipped sessions with what the demo's users did. It leaves existing ones unchanged.
func seedDemo(ctx context.Context, in app.Importer, tenant db.Tenant, c config, clock *demoClock) error {
	store := in.Store
	sessions := map[string]string{}
	for _, name := range demo.Files {
		id, err := demoSession(ctx, in, name)
		if err != nil {
			return err
		}
		sessions[name] = id
	}
	if err := demoBundle(ctx, store, tenant, c, sessions[demo.Files[0]]); err != nil {
		return err
	}
	return demoWork(ctx, in, tenant, sessions, clock)
}

// demoSession imports one of the shipped sessions and returns its id, or that of the stored one if it was imported
// before.
func demoSession(ctx context.Context, in app.Importer, name string) (id string, err error) {
	data, err := demo.FS.ReadFile(name)
	if err != nil {
		return "", err
	}
	taken, err := importFile(ctx, in, data, importers.Options{})
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return taken.SessionID, nil
}

// demoWork seeds the decisions with their packs and a review in progress. Each step is done by the demo user whose role
// it is. It does nothing in a folder with other users.
func demoWork(ctx context.Context, in app.Importer, tenant db.Tenant, sessions map[string]string,
	clock *demoClock) error {
	store := in.Store
	members, err := store.Members(ctx, tenant.ID)
	if err != nil {
		return err
	}
	actor := func(login string, role access.Role) (access.Actor, bool) {
		i := slices.IndexFunc(members,
			func(m access.Member) bool { return m.Login == login && m.Role == role && !m.Disabled })
		if i < 0 {
			return access.Actor{}, false
		}
		return access.Actor{Tenant: tenant.ID, ID: members[i].ID, User: members[i].Name, Title: members[i].Title, Role: role,
			Human: true}, true
	}
	drafter, ok := actor("yousef", access.Reviewer)
	approver, also := actor("sara", access.Approver)
	if !ok || !also {
		return nil
	}
	packs := demo.Packs{Store: store, Embedded: in.Embedded, Tenant: tenant, Drafter: drafter, Approver: approver,
		Now: clock.now, Wait: clock.wait}
	if err := packs.Seed(ctx); err != nil {
		return err
	}
	if lead, ok := actor("khalid", access.Admin); ok {
		for _, name := range []string{"vendor-review.json", "procurement-ar.json"} {
			if err := demoAssign(ctx, store, lead, drafter, tenant, sessions[name]); err != nil {
				return err
			}
		}
	}
	return demoReviews(ctx, store, tenant, drafter, sessions["vendor-review.json"])
}
