package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"sanad/cmd/web/demo"
	"sanad/internal/app"
	"sanad/internal/db"
	"sanad/internal/db/backup"
	"sanad/internal/domain/access"
	"sanad/internal/importers"
	"sanad/internal/lake"
)

// demoBundle seeds one evidence bundle, for the run that judged the leave policy. Its sources cover what the page can
// show: something redacted, cut, sampled, left out, or unreadable.
func demoBundle(ctx context.Context, store *db.Store, tenant db.Tenant, c config, sessionID string) (err error) {
	all, err := lake.Open(ctx, "", filepath.Join(c.data, backup.LakeFolder))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, all.Close()) }()
	area, who := all.Of(tenant.ID), access.AtCommandLine(tenant.ID)
	balances, err := leaveBalances()
	if err != nil {
		return err
	}
	if _, err := area.Put(ctx, "demo/leave-balances.json", balances); err != nil {
		return err
	}
	if _, err := store.AddArtifact(ctx, who, db.ArtifactOf("demo/leave-balances.json", balances)); err != nil {
		return err
	}
	data, err := demo.FS.ReadFile("bundle-leave-policy.json")
	if err != nil {
		return err
	}
	req, err := importers.ReadBundleRequest(data)
	if err != nil {
		return err
	}
	session, err := store.Session(ctx, tenant.ID, sessionID)
	if err != nil {
		return err
	}
	req.RunID = session.Run.ID
	_, _, _, err = app.BundleBuilder{Store: store, Area: area, Now: time.Now()}.Build(ctx, who, req)
	return err
}

// leaveBalances returns a SQL result of forty rows.
func leaveBalances() ([]byte, error) {
	rows := make([][]any, 40)
	for i := range rows {
		rows[i] = []any{fmt.Sprintf("E-%03d", i+1), 15, i % 6}
	}
	return json.Marshal(map[string]any{"columns": []string{"employee", "entitled_days", "carried_over"}, "rows": rows})
}
