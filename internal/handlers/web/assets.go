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
// year. A page that a process of another version has sent may ask for content that this one does not have. It gets the
// file of that name, so that the page works, but the answer may not be cached.
func asset(c echo.Context) error {
	if name, version := c.Param("name"), c.QueryParam("v"); version != "" && static.Version(name) == version {
		c.Response().Header().Set("Cache-Control", forAYear)
	}
	return sendFile(c, staticAssets)
}

// gzippedFiles holds the embedded files that were asked for, compressed at the best level: a *gzippedFile by address.
var gzippedFiles sync.Map

type gzippedFile struct {
	once sync.Once
	data []byte
}

// gzipped compresses an embedded file at its first call.
func gzipped(address string, data []byte) []byte {
	found, _ := gzippedFiles.LoadOrStore(address, &gzippedFile{})
	f := found.(*gzippedFile)
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
		if strings.Contains(c.Request().Header.Get("Accept-Encoding"), "gzip") {
			c.Response().Header().Set("Content-Encoding", "gzip")
			data = gzipped(c.Path()+name, data)
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

// countWrites lets a write say how much of its own it wrote. Echo's compression says for the one by which an answer grows
// long enough how much it had kept before, too; io.MultiWriter and io.Copy take that for a failure.
func countWrites(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		c.Response().Writer = countedWriter{c.Response().Writer}
		return next(c)
	}
}

type countedWriter struct{ http.ResponseWriter }

func (w countedWriter) Write(b []byte) (int, error) {
	n, err := w.ResponseWriter.Write(b)
	return min(n, len(b)), err
}

// Unwrap is for http.ResponseController.
func (w countedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

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
