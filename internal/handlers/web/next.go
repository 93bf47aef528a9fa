package web

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"
)

// maxNext bounds, in bytes, the address to go to after a login.
const maxNext = 2000

// WithNext adds the address to go to after a login.
func WithNext(page, next string) string {
	if next == "" || next == "/" {
		return page
	}
	return page + "?" + url.Values{"next": {next}}.Encode()
}

// LocalPath returns the address of one of our own pages, normalised. It returns "/" for anything else: another host
// however it is spelled, a path that a proxy might read differently than we do, an address that is not a page.
func (s *Server) LocalPath(next string) string {
	u, err := url.Parse(next)
	if err != nil || len(next) > maxNext || u.IsAbs() || u.Host != "" || u.User != nil || u.RawPath != "" ||
		!s.pages.has(u.Path) {
		return "/"
	}
	out := u.EscapedPath()
	if q := u.Query(); len(q) > 0 {
		out += "?" + q.Encode()
	}
	return out
}

// backTo is the page to go to after signing in: the one that was requested, or the one that the form was on. Our own
// pages send no Referer (Referrer-Policy), so without one it is the nearest page above the form's address.
func (s *Server) backTo(c echo.Context) string {
	r := c.Request()
	if r.Header.Get("HX-Request") == "true" {
		return s.ownPath(r, r.Header.Get("HX-Current-URL"))
	}
	if r.Method == http.MethodGet {
		return s.LocalPath(r.URL.RequestURI())
	}
	if ref := r.Header.Get("Referer"); ref != "" {
		return s.ownPath(r, ref)
	}
	return s.pages.above(r.URL.Path)
}

// ownPath returns the path of a full address at this host, "/" for any other.
func (s *Server) ownPath(r *http.Request, address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host != r.Host {
		return "/"
	}
	return s.LocalPath(u.RequestURI())
}

// AddQuery adds one more parameter to an address of ours.
func AddQuery(address, param string) string {
	if strings.Contains(address, "?") {
		return address + "&" + param
	}
	return address + "?" + param
}
