package webtest

import (
	"bytes"
	"mime/multipart"
	"net/http/httptest"

	"github.com/stretchr/testify/require"
)

// Form sends the form of a new session with one file and some fields (name, value pairs).
func (s *Server) Form(field, name, content string, fields ...string) *httptest.ResponseRecorder {
	s.T.Helper()
	var body bytes.Buffer
	m := multipart.NewWriter(&body)
	for i := 0; i+1 < len(fields); i += 2 {
		require.NoError(s.T, m.WriteField(fields[i], fields[i+1]))
	}
	file, err := m.CreateFormFile(field, name)
	require.NoError(s.T, err)
	_, err = file.Write([]byte(content))
	require.NoError(s.T, err)
	require.NoError(s.T, m.Close())
	return s.Do("POST", "/sessions", body.String(), "Content-Type", m.FormDataContentType())
}
