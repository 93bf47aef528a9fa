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
	staticAssets fs.FS = static.FS
	fontAssets   fs.FS = fonts.FS
)

// asset serves one embedded folder. Static names carry a checksum in their query, so a year of caching is safe; fonts
// never change under one name.
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

// showVerifyPage serves the page that every download holds, for those who have a pack and want a page from us to check it
// with. Its policy is its own: it may run its own script and connect to nothing.
func showVerifyPage(c echo.Context) error {
	c.Response().Header().Set("Content-Security-Policy", static.VerifyPolicy+"; frame-ancestors 'none'")
	return c.HTMLBlob(http.StatusOK, static.VerifyPage)
}

// compressed tells what is small already, and what must not wait to be compressed.
func compressed(c echo.Context) bool {
	p := c.Request().URL.Path
	return path.Ext(p) == ".woff2" || strings.HasPrefix(p, "/jobs/") && strings.HasSuffix(p, "/events")
}

// contentType names the type by extension, without asking the machine's own tables.
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
