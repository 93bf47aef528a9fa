package web

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain/access"
	"sanad/internal/handlers/web/apidoc"
	"sanad/internal/openapi"
	"sanad/internal/views"
)

// described is the API's description as it is served, and the document it was made from.
type described struct {
	document *openapi.Document
	json     []byte
	tag      string // ETag
}

// newDescribed describes the endpoints that have a Doc.
func newDescribed(endpoints []Endpoint) *described {
	var calls []apidoc.Call
	for _, e := range endpoints {
		if e.Doc != nil {
			calls = append(calls, e.call())
		}
	}
	d := &described{document: apidoc.Describe(calls, apidoc.Types{Problem: problemDetails{}, Words: jobWords})}
	data, err := d.document.Indented()
	if err != nil {
		panic(err) // the values are all constants of these packages
	}
	sum := sha256.Sum256(data)
	d.json, d.tag = data, `"`+hex.EncodeToString(sum[:16])+`"`
	return d
}

// call returns the endpoint as the description shows it.
func (e *Endpoint) call() apidoc.Call {
	out := apidoc.Call{
		Doc: e.Doc, Method: e.Method, Path: e.Path, Idempotent: e.Idempotent != nil, IfMatch: e.IfMatch.taken(),
		MatchRequired: e.IfMatch.required, Erasable: e.erasable() != "",
	}
	if e.Action != access.Public {
		out.Role = string(access.Least(e.Action))
	}
	return out
}

// Describe returns the description of endpoints, as GET /api/v1/openapi.json answers it.
func Describe(endpoints []Endpoint) []byte { return newDescribed(endpoints).json }

// apiShowOpenAPI serves the description to everybody: it says what the API takes, and reveals no data.
func (s *Server) apiShowOpenAPI(c echo.Context) error {
	d := s.described()
	if NotModified(c, d.tag) {
		return c.NoContent(http.StatusNotModified)
	}
	return c.Blob(http.StatusOK, "application/json", d.json)
}

// showAPI serves the description as pages: one for each chapter, and those of schemas.
func (s *Server) showAPI(c echo.Context) error {
	page := views.NewAPIPage(s.Chrome(c), s.described().document, c.Param("chapter"), s.Base(c.Request()))
	if page == nil {
		return NotFound()
	}
	return s.Render(c, http.StatusOK, views.API(page))
}
