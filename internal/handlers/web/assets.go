package web

import (
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"

	"github.com/labstack/echo/v4"

	"sanad/fonts"
	"sanad/static"
)

var (
	staticAssets fs.FS = static.Served
	fontAssets   fs.FS = fonts.FS
)

// asset serves one embedded folder. Names of static files carry a checksum in their query, and a font never changes
// under its name, so both may be cached for a year.
func asset(folder fs.FS) echo.HandlerFunc {
	return func(c echo.Context) error {
		name := c.Param("name")
		data, err := fs.ReadFile(folder, name)
		if err != nil || path.Ext(name) == ".go" {
			return echo.ErrNotFound
		}
		c.Response().Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		return c.Blob(http.StatusOK, contentType(name), data)
	}
}

// showVerifyPage serves the verification page that every download also contains. Its own content security policy lets
// it run its inline script and connect to nothing.
func showVerifyPage(c echo.Context) error {
	c.Response().Header().Set("Content-Security-Policy", static.VerifyPolicy()+"; frame-ancestors 'none'")
	return c.HTMLBlob(http.StatusOK, static.VerifyPage)
}

// minCompressed is the least length of an answer that is compressed.
const minCompressed = 1024

// skipCompression reports whether a path is not to be compressed: fonts are compressed already, and event streams must
// not be buffered.
func skipCompression(c echo.Context) bool {
	p := c.Request().URL.Path
	return path.Ext(p) == ".woff2" || strings.HasPrefix(p, "/jobs/") && strings.HasSuffix(p, "/events")
}

// contentType returns the media type of a file extension. It does not use the machine's own tables, which differ.
func contentType(name string) string {
	switch path.Ext(name) {
	case ".woff2":
		return "font/woff2"
	case ".js", ".mjs":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	}
	return mime.TypeByExtension(path.Ext(name))
}
