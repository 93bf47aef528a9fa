package webtest

import (
	"bytes"
	"io"
	"mime/multipart"

	"github.com/stretchr/testify/require"
)

// Part is a part of a form: a file if it has a file name.
type Part struct{ Name, File, Content string }

// FormOf returns a body of multipart/form-data with these parts, and its Content-Type with a boundary that no other
// has.
func (s *Server) FormOf(parts ...Part) (body, contentType string) {
	s.T.Helper()
	var b bytes.Buffer
	m := multipart.NewWriter(&b)
	for _, p := range parts {
		create := m.CreateFormField
		if p.File != "" {
			create = func(name string) (io.Writer, error) { return m.CreateFormFile(name, p.File) }
		}
		w, err := create(p.Name)
		require.NoError(s.T, err)
		_, err = w.Write([]byte(p.Content))
		require.NoError(s.T, err)
	}
	require.NoError(s.T, m.Close())
	return b.String(), m.FormDataContentType()
}
