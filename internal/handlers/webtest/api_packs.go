package webtest

import (
	"archive/zip"
	"bytes"
	"context"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/pack"
)

// Fetch lets the viewer ask for a copy of a signed pack and the admin grant it. Only the viewer can fetch it, once.
func (s *Server) Fetch(p PackJSON) {
	t := s.T
	t.Helper()
	asked := Get[map[string]any](t,
		s.As("viewer").Do("POST", "/api/v1/packs/"+p.PackID+"/export", `{"format":"zip","reason":"for the board"}`),
		202)
	export := "/api/v1/pack-exports/" + asked["export_id"].(string)
	require.Equal(t, "asked", asked["status"])
	require.NotContains(t, asked, "download_url")
	require.Equal(t, 409, s.As("viewer").Do("POST", export+"/link", "").Code, "not granted yet")
	require.Equal(t, 403, s.As("reviewer").Do("POST", export+"/grant", `{"password":"`+Password+`"}`).Code)
	require.Equal(t, 403, s.As("admin").Do("POST", export+"/grant", `{"password":"wrong"}`).Code)
	require.Equal(t, "granted", Get[map[string]any](t,
		s.As("admin").Do("POST", export+"/grant", `{"password":"`+Password+`"}`), 200)["status"])
	require.Equal(t, 404, s.As("reviewer").Do("POST", export+"/link", "").Code, "somebody else's")
	link := Get[map[string]string](t, s.As("viewer").Do("POST", export+"/link", ""), 200)
	require.NotEmpty(t, link["expires_at"])
	require.Equal(t, 404, s.As("admin").Do("GET", link["download_url"], "").Code, "a link is personal")
	res := s.As("viewer").Do("GET", link["download_url"], "")
	require.Equal(t, 200, res.Code, res.Body.String())
	require.Equal(t, `attachment; filename="`+p.PackID+`.zip"`, res.Header().Get("Content-Disposition"))
	s.RequireLogged(p, s.Person("viewer").ID, res.Body.Bytes())
	inside := unzip(t, res.Body.Bytes())
	for name, data := range s.Files(p.PackID) {
		if got, there := inside[name]; there {
			require.True(t, bytes.Equal(data, got), name)
		}
	}
	require.NotEmpty(t, inside["pack.json"])
	require.NotEmpty(t, inside["verify.html"])
	s.Clock.Move(16 * 60e9)
	require.Equal(t, 404, s.As("viewer").Do("GET", link["download_url"], "").Code, "after 15 minutes")
}

// RequireLogged requires that the last event of a pack is the download of this file by the given person.
func (s *Server) RequireLogged(p PackJSON, who string, file []byte) {
	s.T.Helper()
	view, err := s.Store.Pack(context.Background(), s.Tenant.ID, p.PackID)
	require.NoError(s.T, err)
	last := view.Events[len(view.Events)-1]
	require.Equal(s.T, "pack.exported", last.Action)
	require.Equal(s.T, who, last.Actor)
	require.Contains(s.T, string(last.Bytes), pack.Digest(file))
}

func unzip(t testing.TB, data []byte) map[string][]byte {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	out := map[string][]byte{}
	for _, f := range z.File {
		r, err := f.Open()
		require.NoError(t, err)
		out[f.Name], err = io.ReadAll(r)
		require.NoError(t, err)
	}
	return out
}
