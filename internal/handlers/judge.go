package handlers

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
)

// judgeInput is the body of POST …/judge.
type judgeInput struct {
	Judge    string `json:"judge"`
	BundleID string `json:"bundle_id"`
}

// rejudger returns what judges a session again for this request.
func (s *Server) rejudger(c echo.Context) app.Rejudger {
	return app.Rejudger{
		Store: s.store, Actor: s.who(c), Now: s.now().UTC().Truncate(time.Microsecond), NewID: s.newID,
	}
}

// judgeSession takes the page's button: 303 to what changed, or to the job of a big session.
func (s *Server) judgeSession(c echo.Context) error {
	if err := smallForm(c); err != nil {
		return err
	}
	ctx, id := c.Request().Context(), c.Param("id")
	seen, err := strconv.Atoi(c.FormValue("revision"))
	if err != nil {
		return withStatus(http.StatusBadRequest, domain.Invalidf("revision", "The form lacks the revision it was made from; load the page again."))
	}
	check := func(now *ledger.Session) error {
		if now.Revision != seen {
			return domain.Conflictf("The ledger has changed since you opened it. Load it again, then judge it.")
		}
		return nil
	}
	loaded, err := s.store.Session(ctx, s.who(c).Tenant, id)
	if err != nil {
		return err
	}
	if err := check(loaded); err != nil {
		return err
	}
	if app.NeedsJob(loaded) {
		job, _, err := app.QueueRejudge(ctx, s.store, s.who(c), loaded, app.RejudgeInput{}, nil)
		if err != nil {
			return err
		}
		return seeOther(c, "/jobs/"+job.ID)
	}
	out, err := s.rejudger(c).Rejudge(ctx, loaded, db.JudgeAsk{SessionID: id}, "", check, nil)
	if err != nil {
		return err
	}
	return seeOther(c, fmt.Sprintf("/sessions/%s/runs/%d", id, out.Number))
}
