// Package handlers is the web app and the API: routes.go is the map of the product, and each handler parses its
// request, calls one room and renders. Echo is confined to this package and cmd/web (docs/adr/0001).
package handlers

import (
	"log/slog"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/importers"
)

// Options is what a server is made of. Time and ids are passed in so that tests can fix them.
type Options struct {
	Store    *db.Store
	Log      *slog.Logger
	Now      func() time.Time
	NewID    func() string
	Actor    domain.Actor      // who every request is, until logins exist
	DevToken string            // bearer token the API asks for; "" asks for none
	Hosts    []string          // host names, besides the loopback ones, that requests may name
	Import   importers.Options // limits of what is read
}

// Server holds what handlers need; it has no state of its own.
type Server struct {
	store    *db.Store
	log      *slog.Logger
	now      func() time.Time
	newID    func() string
	actor    domain.Actor
	devToken string
	hosts    []string
	imports  importers.Options
}

// New makes the whole app: guards first, then Echo with the routes.
func New(o Options) http.Handler {
	s := &Server{
		store: o.Store, log: o.Log, now: o.Now, newID: o.NewID, actor: o.Actor,
		devToken: o.DevToken, hosts: o.Hosts, imports: o.Import,
	}
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	e.HTTPErrorHandler = s.handleError
	e.IPExtractor = echo.ExtractIPDirect()
	e.Use(middleware.GzipWithConfig(middleware.GzipConfig{MinLength: 1024, Skipper: compressed}), s.authorizeAPI)
	s.routes(e)
	return s.guard(e)
}

// who gives who asks. It is the one place that logins will change.
func (s *Server) who(echo.Context) domain.Actor { return s.actor }
