package handlers

import "github.com/labstack/echo/v4"

// routes is the flat map of the product (spec page 5).
func (s *Server) routes(e *echo.Echo) {
	// operators
	e.GET("/healthz", s.health)
	e.GET("/readyz", s.ready)

	// assets, named with their checksum
	e.GET("/static/:name", asset(staticAssets))
	e.GET("/fonts/:name", asset(fontAssets))

	// pages
	e.GET("/", s.showHome)
	e.GET("/sessions", s.listSessions)
	e.GET("/sessions/new", s.newSession)
	e.POST("/sessions", s.createSession)
	e.GET("/sessions/:id", s.showSession)
	e.GET("/sessions/:id/claims/:n", s.showClaim)
	e.POST("/sessions/:id/claims/:n/reviews", s.createReview)
	e.GET("/sessions/:id/export/:format", s.downloadSession)
	e.GET("/sessions/:id/citations/:hash", s.showCitation)
	e.GET("/documents/:id", s.showDocument)
	e.GET("/documents/:id/original", s.downloadOriginal)
	e.GET("/downloads/:token", s.download)

	// the API
	api := e.Group("/api/v1")
	api.GET("/sessions", s.apiListSessions)
	api.POST("/sessions", s.apiCreateSession)
	api.GET("/sessions/:id/ledger", s.apiShowLedger)
	api.POST("/sessions/:id/ledger/export", s.apiExportLedger)
	api.POST("/sessions/:id/claims/:n/reviews", s.apiCreateReview)
	api.GET("/citations/:hash", s.apiShowCitation)
	api.POST("/evidence-maps", s.apiCreateEvidenceMap)
}
