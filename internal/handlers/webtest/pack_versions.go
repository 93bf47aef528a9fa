package webtest

// Next opens the next version of a pack as the reviewer.
func (s *Server) Next(p PackJSON) PackJSON {
	s.T.Helper()
	return s.API("reviewer", "POST", "/packs/"+p.PackID+"/versions", "")(201)
}
