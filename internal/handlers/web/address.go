package web

import (
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
)

// The bounds of a request's path (rule SEC-17). The longest address of ours has eight segments and 200 bytes.
const (
	maxPath     = 2 << 10 // bytes, as it was sent
	maxSegments = 20
)

// boundPath refuses a path that is longer than any of ours, before it is routed and before anything looks at it.
func boundPath(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if err := checkPath(c.Request()); err != nil {
			return err
		}
		return next(c)
	}
}

func checkPath(r *http.Request) error {
	switch p := r.URL.EscapedPath(); {
	case len(p) > maxPath:
		return WithStatus(http.StatusRequestURITooLong, domain.Refuse(domain.Invalid, "", "refused_path_address_more",
			"Name", sizeOf(maxPath)))
	case strings.Count(p, "/") > maxSegments:
		return domain.Refuse(domain.NotFound, "", "refused_nothing_address_path", "N", maxSegments)
	}
	return nil
}

// pages are the patterns of the addresses that people may be sent to, each as its segments.
type pages struct {
	patterns [][]string
	longest  int // segments of the longest pattern
}

func (p *pages) add(pattern string) {
	segments := strings.Split(pattern, "/")
	p.patterns, p.longest = append(p.patterns, segments), max(p.longest, len(segments))
}

func (p *pages) match(segments []string) bool {
	return slices.ContainsFunc(p.patterns, func(pattern []string) bool { return matchesPattern(pattern, segments) })
}

// matchesPattern reports whether the segments of a path match a route's pattern; a segment that begins with a colon
// matches anything.
func matchesPattern(pattern, segments []string) bool {
	return slices.EqualFunc(pattern, segments, func(p, s string) bool { return p == s || strings.HasPrefix(p, ":") })
}

// has reports whether a path, in its normal form, is a page that people may be sent to.
func (p *pages) has(at string) bool {
	return at != "" && at[0] == '/' && path.Clean(at) == at && isPlain(at) && p.match(strings.Split(at, "/"))
}

// above returns the page at a path or the nearest one above it, "/" if none. It looks at as many segments as the
// longest pattern has, however many the path has.
func (p *pages) above(at string) string {
	segments := strings.SplitN(path.Clean("/"+at), "/", p.longest+1)
	segments = segments[:min(len(segments), p.longest)]
	if strange := slices.IndexFunc(segments, func(s string) bool { return !isPlain(s) }); strange >= 0 {
		segments = segments[:strange]
	}
	for ; len(segments) > 1; segments = segments[:len(segments)-1] {
		if p.match(segments) {
			return strings.Join(segments, "/")
		}
	}
	return "/"
}

// isPlain reports whether a path has no character that a proxy or a browser might read differently than we do.
func isPlain(at string) bool {
	return !strings.ContainsAny(at, "\\;") && !strings.ContainsFunc(at, isControl)
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }
