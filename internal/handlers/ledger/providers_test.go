package ledger_test

import (
	"bytes"
	"mime/multipart"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/handlers/webtest"
)

// Every provider's sample can be imported through the API and the upload page, with the same result, and has a page.
func TestProviderFilesByAPIAndPage(t *testing.T) {
	files, err := filepath.Glob("../../importers/testdata/*/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	s := webtest.NewServer(t)
	for _, name := range files {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		res := s.Do("POST", "/api/v1/sessions", string(data))
		if res.Code == 422 { // several sessions, or no answer: the sample of a refusal
			require.Contains(t, res.Body.String(), `"detail"`, name)
			continue
		}
		made := webtest.Get[struct {
			ID string `json:"session_id"`
		}](t, res, 201)
		require.Equal(t, 200, s.Do("GET", "/sessions/"+made.ID, "").Code, name)
		require.Equal(t, 200, s.Do("GET", "/sessions/"+made.ID+"/claims/1", "").Code, name)
		again := uploadFile(t, s, filepath.Base(name), data)
		require.Equal(t, 200, again.code, name)
		require.Contains(t, again.body, made.ID, "the same content is the same session")
	}
}

// The page shows how the citations were placed.
func TestUploadShowsHowCitationsWerePlaced(t *testing.T) {
	data, err := os.ReadFile("../../importers/testdata/anthropic/damaged.json")
	require.NoError(t, err)
	got := uploadFile(t, webtest.NewServer(t), "answer.json", data)
	require.Equal(t, 200, got.code)
	require.Contains(t, got.body, "1 placed exactly, 1 after normalising, 1 nearly, 3 not placed")
	require.Contains(t, got.body, "response.content[0].citations[3]")
}

type answered struct {
	code int
	body string
}

func uploadFile(t *testing.T, s *webtest.Server, name string, data []byte) answered {
	t.Helper()
	var form bytes.Buffer
	m := multipart.NewWriter(&form)
	file, err := m.CreateFormFile("file", name)
	require.NoError(t, err)
	_, err = file.Write(data)
	require.NoError(t, err)
	require.NoError(t, m.Close())
	res := s.Do("POST", "/sessions", form.String(), "Content-Type", m.FormDataContentType())
	return answered{res.Code, strings.ReplaceAll(res.Body.String(), "\n", " ")}
}
