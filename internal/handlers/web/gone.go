package web

import (
	"strings"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
	"sanad/internal/domain/erasure"
)

// erasable returns the kind of what the address names, "" if it cannot be erased.
func (e *Endpoint) erasable() erasure.Kind {
	switch {
	case e.Erasable != "":
		return e.Erasable
	case e.Names != nil:
		return "" // a request or link, which goes with the object
	case e.Object == EvidencePack:
		return erasure.Pack
	case erasure.Kind(e.Object).Valid():
		return erasure.Kind(e.Object)
	}
	return ""
}

// goneIfErased turns a NotFound into Gone if what the address names was erased (rule ER-7). Only those who may do the
// endpoint's action get here.
func (s *Server) goneIfErased(c echo.Context, e Endpoint, err error) error {
	kind := e.erasable()
	if kind == "" || domain.KindOf(err) != domain.NotFound {
		return err
	}
	id := c.Param("id")
	if strings.HasSuffix(e.Path, "*") {
		id = c.Param("*")
	}
	return s.Erased(c, kind, id, err)
}

// Erased returns an *erasure.GoneError if an object was erased, otherwise err.
func (s *Server) Erased(c echo.Context, kind erasure.Kind, id string, err error) error {
	erased, none := s.Store.ErasedAt(c.Request().Context(), s.Who(c).Tenant, kind, id)
	switch {
	case domain.KindOf(none) == domain.NotFound:
		return err
	case none != nil:
		return none
	}
	return &erasure.GoneError{Erased: erased}
}
