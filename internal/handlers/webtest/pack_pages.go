package webtest

import (
	"strings"
)

func RevisionOf(p PackJSON) string {
	return strings.TrimSuffix(strings.SplitN(p.Etag(), ".", 2)[1], `"`)
}

// pageStatus asks for a page and gives its status and text.
func (s *Server) Page(who, path string) (int, string) {
	s.T.Helper()
	w := s.As(who).Do("GET", path, "")
	return w.Code, w.Body.String()
}
