package webtest

import (
	"bytes"
	"mime/multipart"

	"github.com/stretchr/testify/require"
)

// Replace sends the form of the document's page.
func (s *Server) Replace(path, revision, reason, filename, words string) (status int, body, location string) {
	s.T.Helper()
	var b bytes.Buffer
	m := multipart.NewWriter(&b)
	require.NoError(s.T, m.WriteField("revision", revision))
	require.NoError(s.T, m.WriteField("reason", reason))
	if filename != "" {
		f, err := m.CreateFormFile("file", filename)
		require.NoError(s.T, err)
		_, err = f.Write([]byte(words))
		require.NoError(s.T, err)
	}
	require.NoError(s.T, m.Close())
	w := s.Do("POST", path+"/replace", b.String(), "Content-Type", m.FormDataContentType())
	return w.Code, w.Body.String(), w.Header().Get("Location")
}
