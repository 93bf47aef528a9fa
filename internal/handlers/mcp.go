package handlers

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/limits"
	"sanad/internal/mcp"
	"sanad/internal/words"
)

// mcpEndpoints are the door of agents (internal/mcp). Whoever may read may knock; each tool then asks the API with the
// same token, which says whether its caller may do that (rule WEB-20). The server is made at the first request.
func mcpEndpoints(core *web.Server, version string) []web.Endpoint {
	door := sync.OnceValue(func() http.Handler { return mcp.Handler(core.App(), core.Base, roomForValues, version) })
	return []web.Endpoint{
		{
			Method: http.MethodPost, Path: web.AgentsPath, Action: access.ReadLedger,
			Handle: func(c echo.Context) error {
				w := refusals{ResponseWriter: c.Response()}
				door().ServeHTTP(&w, c.Request())
				return w.err()
			},
		},
	}
}

// roomForValues reserves memory for the values of a message (rule SEC-23).
func roomForValues(ctx context.Context, n int) error {
	err := limits.ForValues(ctx, n)
	if !limits.IsBusy(err) {
		return err
	}
	f := web.FaultOf(err)
	return &mcp.Full{Status: f.Status, Says: words.In("en").Text(f.Message.ID),
		RetryAfter: strconv.Itoa(int(limits.BusyFor.Seconds()))}
}

// refusals keeps what the library of MCP refuses in plain text, so that it is answered as every other error is. What
// speaks JSON-RPC passes.
type refusals struct {
	http.ResponseWriter
	status int // of a refusal, 0 if none
	text   bytes.Buffer
}

// Unwrap is for http.ResponseController, which flushes events.
func (w *refusals) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader passes the status on unless what follows is a refusal.
func (w *refusals) WriteHeader(status int) {
	kind, _, _ := mime.ParseMediaType(w.Header().Get("Content-Type")) // "" is no plain text
	if status >= http.StatusBadRequest && kind == "text/plain" {
		w.status = status
		return
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *refusals) Write(p []byte) (int, error) {
	if w.status != 0 {
		return w.text.Write(p) // a line
	}
	return w.ResponseWriter.Write(p)
}

// err is the refusal, nil if none.
func (w *refusals) err() error {
	if w.status == 0 {
		return nil
	}
	w.Header().Del("Content-Type")
	if w.status >= http.StatusInternalServerError {
		return echo.NewHTTPError(w.status).SetInternal(errors.New(strings.TrimSpace(w.text.String()))) // for the log
	}
	msg := strings.TrimRight(strings.TrimPrefix(strings.TrimSpace(w.text.String()), "Bad Request: "), ".")
	return web.WithStatus(w.status, &domain.Error{Kind: domain.Invalid,
		Message: words.AsWritten(cmp.Or(msg, http.StatusText(w.status)) + ".")})
}
