package webtest

import (
	"strings"
)

func RevisionOf(p PackJSON) string {
	return strings.TrimSuffix(strings.SplitN(p.Etag(), ".", 2)[1], `"`)
}

// Page requests a page and returns its status and text.
func (s *Server) Page(who, path string) (int, string) {
	s.T.Helper()
	w := s.As(who).Do("GET", path, "")
	return w.Code, w.Body.String()
}
