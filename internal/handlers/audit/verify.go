package audit

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain/audit"
	"sanad/internal/handlers/web"
	auditviews "sanad/internal/views/audit"
)

// verifyAudit checks the whole log now, records the check in the log, and shows the report. If the log cannot be
// written, for example because it is not the one seen before, the report is shown all the same.
func (s *server) verifyAudit(c echo.Context) error {
	ctx, who := c.Request().Context(), s.Who(c)
	r, err := s.Store.VerifyLog(ctx, who.Tenant)
	if err != nil {
		return err
	}
	if err := s.Store.LogEvent(ctx, who, verified(who.Tenant, &r)); err != nil {
		s.Log.Warn("check of the log not logged", "request_id", web.RequestID(c), "err", err)
	}
	return s.auditPage(c, &auditviews.Report{Report: r, At: s.Now()})
}

// verified is the event that records a check of the log.
func verified(tenant string, r *audit.Report) db.Event {
	return db.Event{Action: logVerified, Kind: "tenant", ObjectID: tenant, Details: map[string]any{
		"ok": r.OK(), "size": r.Size, "root": r.Root, "first_bad": r.FirstBad, "faults": len(r.Faults),
	}}
}

// downloadCheckpoint sends the newest signed checkpoint, for anybody who wants to prove later what the log contained.
func (s *server) downloadCheckpoint(c echo.Context) error {
	note, err := s.Store.Checkpoint(c.Request().Context(), s.Who(c).Tenant)
	if err != nil {
		return err
	}
	if note == "" {
		return web.NotFound()
	}
	c.Response().Header().Set("Content-Disposition", web.Attachment("sanad-checkpoint.txt"))
	return c.Blob(http.StatusOK, "text/plain; charset=utf-8", []byte(note))
}
