package bundles_test

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/bundle"
)

func TestBundleRoundTrip(t *testing.T) {
	h, ctx := dbtest.New(t), context.Background()
	in := dbtest.Built(t, "docs/none.md", "Leave is 15 days, write to a@example.com.", strings.Repeat("إجازة ", 20),
		"c", "d")
	in.RunID = "judge-run-1"
	h.AddBundle(t, in)

	got, err := h.Bundle(ctx, h.Tenant.ID, in.Bundle.BundleID, 0, 100)
	require.NoError(t, err)
	want := in.Bundle
	require.Equal(t, want.Policy, got.Policy)
	require.Equal(t, want.BuildVersion, got.BuildVersion)
	for i := range want.Items {
		x := want.Items[i]
		x.Content = "" // the content is in the lake
		require.Equal(t, x, got.Page[i])
	}
	require.Len(t, got.Page, 3)
	require.NotNil(t, got.Page[1].FullRef)
	require.Len(t, got.Builds, 1)
	require.Equal(t, want.DroppedItems, got.Builds[0].Dropped)
	require.Equal(t, want.FailedSources, got.Builds[0].Failed)
	require.Equal(t, want.Summary.BundleBounding, got.Builds[0].Bounding)
	require.Equal(t, in.Artifact, got.Builds[0].Artifact)
	require.Equal(t, want.CreatedUTC, got.Builds[0].CreatedAt)
	require.Equal(t, []bundle.Run{{ID: "judge-run-1", LinkedAt: dbtest.Now, LinkedBy: h.Actor.ID}}, got.Linked)
	require.Equal(t, bundle.Row{
		BundleID: want.BundleID, CreatedAt: dbtest.Now, MadeBy: h.Actor.ID, Items: 3, Bytes: want.Summary.TotalBytes,
		Types:    map[string]int{"inline_text": 3},
		Redacted: true, Dropped: 1, Failed: 1, Runs: 1, LakeURI: in.Artifact.Path,
	}, got.Row)

	rest, err := h.Bundle(ctx, h.Tenant.ID, in.Bundle.BundleID, 2, 100)
	require.NoError(t, err)
	require.Equal(t, got.Page[2:], rest.Page)
	a, err := h.BundleArtifact(ctx, h.Tenant.ID, in.Bundle.BundleID)
	require.NoError(t, err)
	require.Equal(t, in.Artifact, a)
	a, err = h.BuildOf(ctx, h.Tenant.ID, in.Bundle)
	require.NoError(t, err)
	require.Equal(t, in.Artifact, a)
}

// TestTheSameBundleAgain checks that storing a bundle twice gives one bundle, with new failures and runs appended.
func TestTheSameBundleAgain(t *testing.T) {
	h, ctx := dbtest.New(t), context.Background()
	in, other := dbtest.Built(t, "", "a", "b"), dbtest.Built(t, "docs/none.md", "a", "b")
	require.Equal(t, in.Bundle.BundleID, other.Bundle.BundleID)
	h.AddBundle(t, in)
	logged := func() (out []string) {
		events, err := h.Events(ctx, h.Tenant.ID, 0, 100)
		require.NoError(t, err)
		for _, e := range events {
			if e.Kind == "bundle" {
				out = append(out, e.Action)
			}
		}
		return out
	}
	for range 2 {
		created, err := h.InsertBundle(ctx, h.Actor, in)
		require.NoError(t, err)
		require.False(t, created)
		require.Equal(t, []string{"bundle.built"}, logged())
	}
	other.RunID = "r"
	for range 2 {
		created, err := h.InsertBundle(ctx, h.Actor, other)
		require.NoError(t, err)
		require.False(t, created)
	}
	require.Equal(t, []string{"bundle.built", "bundle.built", "bundle.run_linked"}, logged())
	got, err := h.Bundle(ctx, h.Tenant.ID, in.Bundle.BundleID, 0, 9)
	require.NoError(t, err)
	require.Len(t, got.Builds, 2)
	require.Empty(t, got.Builds[0].Failed)
	require.Len(t, got.Builds[1].Failed, 1)
	require.Len(t, got.Page, 2)
	created, err := h.LinkRun(ctx, h.Actor, in.Bundle.BundleID, "r")
	require.NoError(t, err)
	require.False(t, created)
	created, err = h.LinkRun(ctx, h.Actor, in.Bundle.BundleID, "r2")
	require.NoError(t, err)
	require.True(t, created)
}

func TestBundlesFilterAndPageByKey(t *testing.T) {
	h, ctx := dbtest.New(t), context.Background()
	var all []string
	for i := range 7 {
		in := dbtest.Built(t, "", "shared", fmt.Sprint("own ", i))
		in.RunID = fmt.Sprint("run-", i%2)
		h.AddBundle(t, in)
		all = append(all, in.Bundle.BundleID)
	}
	list := func(q bundle.Query) (ids []string) {
		for {
			rows, next, err := h.Bundles(ctx, h.Tenant.ID, q)
			require.NoError(t, err)
			require.LessOrEqual(t, len(rows), q.Limit)
			for _, r := range rows {
				ids = append(ids, r.BundleID)
			}
			if q.After = next; next == "" {
				return ids
			}
		}
	}
	for limit := 1; limit < 9; limit++ {
		require.ElementsMatch(t, all, list(bundle.Query{Limit: limit}))
	}
	require.ElementsMatch(t, []string{all[1], all[3], all[5]}, list(bundle.Query{Limit: 2, RunID: "run-1"}))
	require.ElementsMatch(t, all, list(bundle.Query{Limit: 3, SHA256: db.ArtifactOf("", []byte("shared")).SHA256}))
	require.Equal(t, []string{all[4]},
		list(bundle.Query{Limit: 3, SHA256: db.ArtifactOf("", []byte("own 4")).SHA256}))
	require.ElementsMatch(t, all, list(bundle.Query{Limit: 3, EvidenceID: "inline:1"}))
	require.Empty(t, list(bundle.Query{Limit: 3, EvidenceID: "inline:2"}))
	_, _, err := h.Bundles(ctx, h.Tenant.ID, bundle.Query{After: "x"})
	require.Equal(t, domain.Invalid, domain.KindOf(err))
}

// TestBundlesAreAppendOnly checks that SQL can neither change nor delete what a model was given.
func TestBundlesAreAppendOnly(t *testing.T) {
	h := dbtest.New(t)
	in := dbtest.Built(t, "x", "a", "b")
	in.RunID = "r"
	h.AddBundle(t, in)
	d := dbtest.Raw(t, h.Dir)
	for _, table := range []string{"evidence_bundles", "evidence_builds", "evidence_items", "run_evidence",
		"lake_artifacts"} {
		for _, q := range []string{"UPDATE " + table + " SET tenant_id = 'x'", "DELETE FROM " + table,
			"INSERT OR REPLACE INTO " + table + " SELECT * FROM " + table} {
			_, err := d.Exec(q)
			require.Error(t, err, q)
		}
	}
	_, err := d.Exec("INSERT INTO evidence_items SELECT tenant_id, bundle_no, 2, 'inline:2', evidence_type, source_ref, content_sha256, 1, full_ref, metadata FROM evidence_items LIMIT 1")
	require.ErrorContains(t, err, "the items it was made with")
	_, err = h.AddArtifact(context.Background(), h.Actor, bundle.Artifact{Path: in.Artifact.Path, SHA256: "other"})
	require.Equal(t, domain.Conflict, domain.KindOf(err))
}

// TestBundlesOfOtherTenants calls every method about bundles for another tenant and with invalid ids; a method that it
// does not call fails the test.
func TestBundlesOfOtherTenants(t *testing.T) {
	h, ctx := dbtest.New(t), context.Background()
	in := dbtest.Built(t, "", "secret")
	in.RunID = "r"
	h.AddBundle(t, in)
	tenant, _ := h.NewTenant(t, "other")
	asked := map[string]bool{"InsertBundle": true, "AddArtifact": true} // those create one
	for name, x := range map[string]struct{ tenant, id string }{
		"other tenant":   {tenant.ID, in.Bundle.BundleID},
		"unknown tenant": {"8d1b4b5e-0000-4000-8000-000000000000", in.Bundle.BundleID},
		"unknown":        {h.Tenant.ID, "8d1b4b5e-0000-4000-8000-000000000000"},
		"malformed":      {h.Tenant.ID, "' OR 1=1 --"},
		"empty":          {h.Tenant.ID, ""},
	} {
		t.Run(name, func(t *testing.T) {
			none := func(method string, err error) {
				t.Helper()
				asked[method] = true
				dbtest.RequireNotFound(t, err)
			}
			_, err := h.Bundle(ctx, x.tenant, x.id, 0, 9)
			none("Bundle", err)
			_, err = h.BundleArtifact(ctx, x.tenant, x.id)
			none("BundleArtifact", err)
			_, _, err = h.BundleRuns(ctx, x.tenant, x.id)
			none("BundleRuns", err)
			_, err = h.BuildOf(ctx, x.tenant, &bundle.Bundle{BundleID: x.id})
			none("BuildOf", err)
			_, err = h.LinkRun(ctx, access.Actor{Tenant: x.tenant, ID: "x"}, x.id, "r2")
			none("LinkRun", err)
		})
	}
	for _, q := range []bundle.Query{{}, {RunID: "r"}, {EvidenceID: "inline:0"},
		{SHA256: in.Bundle.Items[0].ContentSHA256}} {
		asked["Bundles"] = true
		rows, next, err := h.Bundles(ctx, tenant.ID, q)
		require.NoError(t, err)
		require.Empty(t, rows)
		require.Empty(t, next)
	}
	methods := reflect.TypeFor[*db.Store]()
	for i := range methods.NumMethod() {
		if dbtest.OfRooms(methods.Method(i).Type) {
			continue
		}
		name := methods.Method(i).Name
		about := strings.Contains(name, "Bundle") || strings.HasPrefix(name, "Build") || strings.Contains(name,
			"Artifact") || name == "LinkRun"
		require.True(t, !about || asked[name], "%s is not asked", name)
	}
	// the same content in another tenant is another bundle
	theirs := in
	theirs.RunID = ""
	created, err := h.InsertBundle(ctx, access.Actor{Tenant: tenant.ID, ID: "x"}, theirs)
	require.NoError(t, err)
	require.True(t, created)
	got, err := h.Bundle(ctx, tenant.ID, in.Bundle.BundleID, 0, 9)
	require.NoError(t, err)
	require.Empty(t, got.Linked)
	_, err = h.InsertBundle(ctx, access.Actor{Tenant: "nope"}, in)
	dbtest.RequireNotFound(t, err)
	_, err = h.AddArtifact(ctx, access.Actor{Tenant: "nope"}, in.Artifact)
	dbtest.RequireNotFound(t, err)
}

// TestTheLogOfBundlesNamesNothing checks that the log contains neither evidence nor the caller's names.
func TestTheLogOfBundlesNamesNothing(t *testing.T) {
	h, ctx := dbtest.New(t), context.Background()
	in := dbtest.Built(t, "files/of-khalid.md", "khalid's salary")
	in.RunID = "run-khalid"
	h.AddBundle(t, in)
	_, err := h.AddArtifact(ctx, h.Actor, db.ArtifactOf("files/khalid.txt", []byte("khalid")))
	require.NoError(t, err)
	events, err := h.Events(ctx, h.Tenant.ID, 0, 100)
	require.NoError(t, err)
	data, err := json.Marshal(events)
	require.NoError(t, err)
	for _, e := range events {
		require.NotContains(t, string(e.Bytes), "khalid")
	}
	require.Contains(t, string(data), "bundle.artifact_written")
}
