package web

import (
	"bytes"
	"compress/gzip"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
	"sync"

	"github.com/labstack/echo/v4"

	"sanad/fonts"
	"sanad/static"
)

var (
	staticAssets fs.FS = static.Served
	fontAssets   fs.FS = fonts.FS
)

// font serves the embedded fonts. A font never changes under its name, so it may be cached for a year.
func font(c echo.Context) error {
	c.Response().Header().Set("Cache-Control", forAYear)
	return sendFile(c, fontAssets)
}

const forAYear = "public, max-age=31536000, immutable"

// asset serves the static files. Their addresses carry the start of their SHA-256, so that they may be cached for a
// year. A page of another version of the program, which another process has shown, asks for content that this one may
// not have: it gets what this one has under that name, so that the page works, and nobody keeps it.
func asset(c echo.Context) error {
	if name, version := c.Param("name"), c.QueryParam("v"); version != "" && static.Version(name) == version {
		c.Response().Header().Set("Cache-Control", forAYear)
	}
	return sendFile(c, staticAssets)
}

// packedFiles are the embedded files that were asked for, compressed as well as gzip can: a *packedFile for each
// address.
var packedFiles sync.Map

type packedFile struct {
	once sync.Once
	data []byte
}

// packedOf compresses an embedded file at its first call.
func packedOf(address string, data []byte) []byte {
	found, _ := packedFiles.LoadOrStore(address, &packedFile{})
	f := found.(*packedFile)
	f.once.Do(func() {
		var b bytes.Buffer
		w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // fails for a level that there is not
		_, _ = w.Write(data)                                  // a Buffer takes everything
		_ = w.Close()
		f.data = bytes.Clone(b.Bytes())
	})
	return f.data
}

func sendFile(c echo.Context, folder fs.FS) error {
	name := c.Param("name")
	data, err := fs.ReadFile(folder, name)
	if err != nil || path.Ext(name) == ".go" {
		c.Response().Header().Set("Cache-Control", "no-store")
		return echo.ErrNotFound
	}
	if path.Ext(name) != ".woff2" && len(data) >= minCompressed { // which is compressed already
		c.Response().Header().Add("Vary", "Accept-Encoding")
		if acceptsGzip(c.Request()) {
			c.Response().Header().Set("Content-Encoding", "gzip")
			data = packedOf(c.Path()+name, data)
		}
	}
	return c.Blob(http.StatusOK, contentType(name), data)
}

// showVerifyPage serves the verification page that every download also contains. Its own content security policy lets
// it run its inline script and connect to nothing.
func showVerifyPage(c echo.Context) error {
	c.Response().Header().Set("Content-Security-Policy", static.VerifyPolicy()+"; frame-ancestors 'none'")
	return c.HTMLBlob(http.StatusOK, static.VerifyPage)
}

// minCompressed is the least length of an answer that is compressed.
const minCompressed = 1024

// skipCompression reports whether the middleware is not to compress an answer: files are compressed once, and event
// streams must not be buffered.
func skipCompression(c echo.Context) bool {
	p := c.Request().URL.Path
	return strings.HasPrefix(p, "/static/") || strings.HasPrefix(p, "/fonts/") ||
		strings.HasPrefix(p, "/jobs/") && strings.HasSuffix(p, "/events")
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
