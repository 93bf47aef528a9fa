package webtest

import (
	"context"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/domain/library"
)

// InlineBundle and ForeignBundle are requests for bundles of one text.
const (
	InlineBundle  = `{"job_input":{"extra_params":{"evidence":[{"text":"Leave is 15 days.","source_uri":"hr"}]}}}`
	ForeignBundle = `{"job_input":{"extra_params":{"evidence":[{"text":"Far away.","source_uri":"hr"}]}}}`
)

// addBundles adds a bundle and an artifact of the lake: {bundle}, {artifact}.
func (w *World) addBundles() {
	w.T.Helper()
	w.Names["bundle"], w.Names["artifact"] = w.As("reviewer").Bundle(InlineBundle), "docs/bio.md"
	require.Equal(w.T, 201, w.As("reviewer").Do("PUT", "/api/v1/lake/docs/bio.md", "Luke is a Jedi.").Code)
}

// Bundle builds a new bundle and returns its id.
func (s *Server) Bundle(body string) string {
	s.T.Helper()
	return Get[map[string]any](s.T, s.Do("POST", "/api/v1/bundles", body), 201)["bundle_id"].(string)
}

// addLibrary adds a document of the library with two versions: {library}.
func (w *World) addLibrary() {
	w.T.Helper()
	ctx, by := context.Background(), access.Actor{Tenant: w.Tenant.ID, ID: w.Person("approver").ID, User: "approver",
		Human: true, Role: access.Approver}
	of := func(text string) (*library.Version, []byte) {
		return &library.Version{Filename: "notice.txt", MediaType: "text/plain", Passages: []library.Passage{{Text: text}}},
			[]byte(text)
	}
	v, file := of("Notice is one month.")
	d, err := w.Store.AddLibraryDocument(ctx, by,
		&library.Document{Name: "Notice policy", Folder: "HR", Tags: []string{"notice"}}, v, file, db.LibraryAnswering{})
	require.NoError(w.T, err)
	v, file = of("Notice is two months.")
	_, err = w.Store.AddLibraryVersion(ctx, by, d.ID, v, file, db.LibraryAnswering{})
	require.NoError(w.T, err)
	w.Names["library"] = d.ID
}
