package dbtest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/bundle"
)

// Built builds a bundle of inline texts and, unless missing is empty, of a missing file of that name.
func Built(t testing.TB, missing string, texts ...string) db.BuiltBundle {
	t.Helper()
	var req bundle.Request
	for _, s := range texts {
		req.JobInput.ExtraParams.Evidence.Items = append(req.JobInput.ExtraParams.Evidence.Items,
			bundle.Inline{Text: s})
	}
	if missing != "" {
		req.Refs.LakeText = bundle.List[string]{Items: []string{missing}}
	}
	p := bundle.DefaultPolicy()
	p.MaxItems, p.MaxItemBytes, p.EnableRedaction = 3, 40, true
	req.Policy = &p
	got, err := bundle.Build(&req, Now,
		func(string) ([]byte, error) { return nil, domain.Refuse(domain.NotFound, "", "refused_lake_none") }, nil)
	require.NoError(t, err)
	data, err := got.Bundle.Bytes()
	require.NoError(t, err)
	digest, err := db.BuildDigest(&got.Bundle)
	require.NoError(t, err)
	in := db.BuiltBundle{Bundle: &got.Bundle,
		Artifact: db.ArtifactOf("evidence/bundles/"+got.Bundle.BundleID+"/"+digest[:12]+".json", data)}
	for _, w := range got.Writes {
		in.Writes = append(in.Writes, db.ArtifactOf(w.LakeURI, w.Data))
	}
	return in
}

// AddBundle stores a bundle.
func (fixture *Fixture) AddBundle(t testing.TB, in db.BuiltBundle) {
	t.Helper()
	created, err := fixture.InsertBundle(context.Background(), fixture.Actor, in)
	require.NoError(t, err)
	require.True(t, created)
}
