package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/cmd/web/demo"
	"sanad/internal/app"
	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/access"
	"sanad/internal/domain/pack"
	"sanad/internal/exporters/packs"
	"sanad/internal/importers"
	"sanad/static"
)

// BenchmarkVerifyFile measures sanad verify for the zip of a pack with 100 sources: reading, unpacking and every check.
// The file is in the page cache.
func BenchmarkVerifyFile(b *testing.B) {
	c := atData(filepath.Join(b.TempDir(), "data"))
	var zip []byte
	require.NoError(b, c.with(context.Background(), func(s *db.Store, tenant db.Tenant) error {
		zip = largePack(b, s, tenant)
		return nil
	}))
	name := filepath.Join(b.TempDir(), "pack.zip")
	require.NoError(b, os.WriteFile(name, zip, 0o600))
	b.SetBytes(int64(len(zip)))
	b.ReportAllocs()
	for b.Loop() {
		var out, errs bytes.Buffer
		require.Zero(b, run(context.Background(), []string{"verify", name},
			streams{in: strings.NewReader(""), out: &out, err: &errs}), out.String()+errs.String())
	}
}

// largePack signs off a pack of 100 sources and returns its download.
func largePack(b *testing.B, s *db.Store, tenant db.Tenant) []byte {
	b.Helper()
	ctx := context.Background()
	person := func(login string, role access.Role) access.Actor {
		u, err := s.AddUser(ctx, access.AtCommandLine(tenant.ID), db.User{Login: login, Name: login, Password: "none"},
			role)
		require.NoError(b, err)
		return access.Actor{Tenant: tenant.ID, ID: u.ID, User: u.Name, Role: role, Human: true}
	}
	drafter, approver := person("yousef", access.Reviewer), person("sara", access.Approver)
	data, err := demo.FS.ReadFile("decision-hospital-fit.json")
	require.NoError(b, err)
	d, _, err := importers.ReadDecision(data)
	require.NoError(b, err)
	one := d.Evidence[0]
	for i := len(d.Evidence); i < 100; i++ {
		e := one
		e.Source, e.Quote = fmt.Sprint("source ",
			i), pack.Quote{Excerpt: fmt.Sprint(i, ". ", strings.Repeat("A verbatim sentence of the source. ", 20))}
		d.Evidence = append(d.Evidence, e)
	}
	dbtest.AllowUnchecked(b, s, tenant.ID)
	_, _, err = s.AddDecision(ctx, drafter, d, nil)
	require.NoError(b, err)
	v, err := s.CreatePack(ctx, drafter, d.DecisionID, db.Answering{})
	require.NoError(b, err)
	v, err = s.SubmitPack(ctx, drafter, v.Life.PackID, v.Life.Revision, db.Answering{})
	require.NoError(b, err)
	given := db.Approval{PackID: v.Life.PackID, Revision: v.Life.Revision, Digest: v.Life.Digest, Comment: "Read.",
		Acknowledged: v.AlarmIDs()}
	v, err = s.ApprovePack(ctx, approver, given, db.Answering{}, app.RenderPack(&tenant))
	require.NoError(b, err)
	files, err := s.PackFiles(ctx, tenant.ID, v.Life.PackID)
	require.NoError(b, err)
	files[packs.VerifyPage] = static.VerifyPage
	var z bytes.Buffer
	require.NoError(b, packs.Zip(&z, files))
	var says struct{ Sources []json.RawMessage }
	require.NoError(b, json.Unmarshal(files[pack.FileJSON], &says))
	require.Len(b, says.Sources, 100)
	return z.Bytes()
}
