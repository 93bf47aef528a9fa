package audit

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain/audit"
	"sanad/internal/handlers/web"
)

// eventsPerBatch is how many events an export holds in memory at once.
const eventsPerBatch = 500

// exportAudit sends the whole log, one event per line, each as the exact bytes that are hashed. The export itself is
// logged before the first byte is sent, and is the last line.
func (s *server) exportAudit(c echo.Context) error {
	ctx, who := c.Request().Context(), s.Who(c)
	if err := s.Store.LogEvent(ctx, who,
		db.Event{Action: "log.exported", Kind: "tenant", ObjectID: who.Tenant}); err != nil {
		return err
	}
	newest, _, err := s.Store.Log(ctx, who.Tenant, audit.Query{Action: "log.exported", Actor: who.ID, Limit: 1})
	if err != nil {
		return err
	}
	if len(newest) == 0 {
		return web.NotFound()
	}
	h := c.Response().Header()
	h.Set("Content-Type", "application/jsonl; charset=utf-8")
	h.Set("Content-Disposition", web.Attachment("sanad-audit.jsonl"))
	c.Response().WriteHeader(http.StatusOK)
	for after := int64(0); after < newest[0].Seq; {
		if after, err = s.sendEvents(c, after, newest[0].Seq); err != nil {
			s.Log.Error("export of the log broke off", "request_id", web.RequestID(c), "err", err)
			panic(http.ErrAbortHandler) // the client must see that it is not whole
		}
	}
	return nil
}

// sendEvents sends one batch of the events after after, up to last, and returns the number of the last one sent.
func (s *server) sendEvents(c echo.Context, after, last int64) (int64, error) {
	events, err := s.Store.Events(c.Request().Context(), s.Who(c).Tenant, after, eventsPerBatch)
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
