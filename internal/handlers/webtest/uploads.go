package webtest

import (
	"bytes"
	"mime/multipart"

	"github.com/stretchr/testify/require"
)

// Upload sends the form of a new session with documents; files are name, content pairs.
func (s *Server) Upload(answer string, files ...string) (status int, body, location string) {
	s.T.Helper()
	return s.UploadAt("/sessions", answer, files...)
}

func (s *Server) UploadAt(path, answer string, files ...string) (status int, body, location string) {
	s.T.Helper()
	var b bytes.Buffer
	m := multipart.NewWriter(&b)
	require.NoError(s.T, m.WriteField("answer", answer))
	for i := 0; i+1 < len(files); i += 2 {
		w, err := m.CreateFormFile("documents", files[i])
		require.NoError(s.T, err)
		_, err = w.Write([]byte(files[i+1]))
		require.NoError(s.T, err)
	}
	require.NoError(s.T, m.Close())
	w := s.Do("POST", path, b.String(), "Content-Type", m.FormDataContentType())
	return w.Code, w.Body.String(), w.Header().Get("Location")
}
