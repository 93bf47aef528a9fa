package web

import (
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"
)

// maxNext bounds an address to go on to, in bytes.
const maxNext = 2000

// WithNext adds where to go on to after a login.
func WithNext(page, next string) string {
	if next == "" || next == "/" {
		return page
	}
	return page + "?" + url.Values{"next": {next}}.Encode()
}

// LocalPath gives the address of one of our own pages, written anew, and "/" for all else: another host however it is
// spelled, a path that a proxy might read differently than we do, an address that is no page.
func (s *Server) LocalPath(next string) string {
	u, err := url.Parse(next)
	if err != nil || len(next) > maxNext || u.IsAbs() || u.Host != "" || u.User != nil || u.RawPath != "" || !s.isPage(u.Path) {
		return "/"
	}
	out := u.EscapedPath()
	if q := u.Query(); len(q) > 0 {
		out += "?" + q.Encode()
	}
	return out
}

// isPage tells whether a path is a page that people may be sent to, in its plain spelling.
func (s *Server) isPage(p string) bool {
	if p == "" || p[0] != '/' || path.Clean(p) != p || strings.ContainsAny(p, "\\;") || strings.ContainsFunc(p, isControl) {
		return false
	}
	segments := strings.Split(p, "/")
	return slices.ContainsFunc(s.pages, func(pattern string) bool { return fits(strings.Split(pattern, "/"), segments) })
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }

// fits tells whether the segments of a path are a route's; one that begins with a colon takes anything.
func fits(pattern, segments []string) bool {
	return slices.EqualFunc(pattern, segments, func(p, s string) bool { return p == s || strings.HasPrefix(p, ":") })
}

// backTo is where somebody goes on after signing in: what was asked for, or the page that the form stood on. Our own
// pages send no Referer (Referrer-Policy), so without one it is the page that the form's address lies below.
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
	return s.pageAbove(r.URL.Path)
}

// pageAbove is the page that the address p is or lies below, the start page for none.
func (s *Server) pageAbove(p string) string {
	for p != "/" && !s.isPage(p) {
		p = path.Dir(path.Clean("/" + p))
	}
	return p
}

// ownPath gives the path of a whole address at this host, "/" for any other.
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

// keptFields are those of forms that ask for a fresh password; none of them holds a secret.
var keptFields = []string{"login", "name", "email", "role", "person", "days"}

// withTyped adds what was typed into a form to the address of its page, which fills it in again: nobody types it twice for
// having been asked for the password.
func withTyped(c echo.Context, page string) string {
	if c.Request().Method != http.MethodPost || c.Request().URL.Path != page || SmallForm(c) != nil {
		return page
	}
	typed := url.Values{}
	for _, name := range keptFields {
		if v := c.Request().PostForm.Get(name); v != "" {
			typed.Set(name, FirstRunes(v, MaxLoginName))
		}
	}
	if len(typed) == 0 {
		return page
	}
	return page + "?" + typed.Encode()
}
