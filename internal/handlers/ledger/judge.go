package ledger

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"sanad/internal/app"
	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/handlers/web"
)

// judgeInput is the body of POST …/judge.
type judgeInput struct {
	Judge    string `json:"judge"`
	BundleID string `json:"bundle_id"`
	Scope    string `json:"scope"`
}

// rejudger returns what judges sessions again for this request.
func (s *server) rejudger(c echo.Context) app.Rejudger {
	return app.Rejudger{
		Store: s.Store, Actor: s.Who(c), Now: s.Now().UTC().Truncate(time.Microsecond), NewID: s.NewID,
		Lake: s.Lake, Embedded: s.embedded,
	}
}

// judgeSession handles the page's button: 303 to what changed, or to the job of a large session.
func (s *server) judgeSession(c echo.Context) error {
	ctx, id := c.Request().Context(), c.Param("id")
	seen, err := strconv.Atoi(c.FormValue("revision"))
	if err != nil {
		return web.WithStatus(http.StatusBadRequest,
			domain.Refuse(domain.Invalid, "revision", "refused_form_lacks_revision"))
	}
	check := func(now *ledger.Session) error {
		if now.RevisionFor(s.Who(c).ID) != seen {
			return domain.Refuse(domain.Conflict, "", "refused_ledger_changed_since_opened")
		}
		return nil
	}
	loaded, err := s.Store.SessionFor(ctx, s.Who(c), id)
	if err != nil {
		return err
	}
	if err := check(loaded); err != nil {
		return err
	}
	in := app.RejudgeInput{Judge: c.FormValue("judge"), Scope: c.FormValue("scope")}
	if !in.AsksModel() {
		in.Scope = "" // the form has it whichever judge is chosen
	}
	if err := in.Check(ctx, s.Store, s.Who(c).Tenant); err != nil {
		return err
	}
	if in.AsksModel() || s.embedded.NeedsJob(loaded) {
		job, _, err := app.QueueRejudge(ctx, s.Store, s.Who(c), loaded, in, nil)
		if err != nil {
			return err
		}
		return web.SeeOther(c, "/jobs/"+job.ID)
	}
	out, err := s.rejudger(c).Rejudge(ctx, loaded, db.JudgeRequest{SessionID: id}, in.Judge, check, nil)
	if err != nil {
		return err
	}
	return web.SeeOther(c, runPath(id, out.Number))
}

// runPath is the page of what a run changed.
func runPath(sessionID string, number int) string {
	return fmt.Sprintf("/sessions/%s/runs/%d", sessionID, number)
}
