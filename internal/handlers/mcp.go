package handlers

import (
	"net/http"
	"sync"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain/access"
	"sanad/internal/handlers/web"
	"sanad/internal/mcp"
)

// mcpEndpoints are the door of agents (internal/mcp). Whoever may read may knock; each tool then asks the API with the
// same token, which says whether its caller may do that. The server is made at the first request.
func mcpEndpoints(core *web.Server, version string) []web.Endpoint {
	door := sync.OnceValue(func() http.Handler { return mcp.Handler(core.App(), core.Base, version) })
	return []web.Endpoint{
		{
			Method: http.MethodPost, Path: web.AgentsPath, Action: access.ReadLedger,
			Handle: func(c echo.Context) error {
				door().ServeHTTP(c.Response(), c.Request())
				return nil
			},
		},
	}
}
