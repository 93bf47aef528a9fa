package handlers

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
)

// eventsPerBatch is how many events an export holds in memory at once.
const eventsPerBatch = 500

// exportAudit sends the whole log, one event a line, each as the very bytes that are hashed. The export is logged before
// the first byte, and is the last line.
func (s *Server) exportAudit(c echo.Context) error {
	ctx, who := c.Request().Context(), s.who(c)
	if err := s.store.LogEvent(ctx, who, db.Event{Action: "log.exported", Kind: "tenant", ObjectID: who.Tenant}); err != nil {
		return err
	}
	newest, _, err := s.store.Log(ctx, who.Tenant, db.EventQuery{Action: "log.exported", Actor: who.ID, Limit: 1})
	if err != nil {
		return err
	}
	if len(newest) == 0 {
		return notFound()
	}
	h := c.Response().Header()
	h.Set("Content-Type", "application/jsonl; charset=utf-8")
	h.Set("Content-Disposition", attachment("sanad-audit.jsonl"))
	c.Response().WriteHeader(http.StatusOK)
	for after := int64(0); after < newest[0].Seq; {
		if after, err = s.sendEvents(c, after, newest[0].Seq); err != nil {
			s.log.Error("export of the log broke off", "request_id", requestID(c), "err", err)
			panic(http.ErrAbortHandler) // the client must see that it is not whole
		}
	}
	return nil
}

// sendEvents sends one batch behind after, up to last, and gives how far it came.
func (s *Server) sendEvents(c echo.Context, after, last int64) (int64, error) {
	events, err := s.store.Events(c.Request().Context(), s.who(c).Tenant, after, eventsPerBatch)
	if err != nil {
		return after, err
	}
	if len(events) == 0 {
		return last, nil
	}
	w := c.Response()
	for _, e := range events {
		if e.Seq > last {
			return last, nil
		}
		if _, err := w.Write(append(e.Bytes, '\n')); err != nil {
			return after, err
		}
		after = e.Seq
	}
	return after, nil
}
