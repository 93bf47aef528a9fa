package ledger

import (
	"slices"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/handlers/web"
	ledgerviews "sanad/internal/views/ledger"
)

// closeSession closes a session. Without a reason it closes only a session whose claims are all settled.
func (s *server) closeSession(c echo.Context) error {
	err := s.Store.CloseSession(c.Request().Context(), s.Who(c), c.Param("id"), c.FormValue("reason"))
	return s.afterStep(c, ledgerviews.StepsForm{Reason: c.FormValue("reason")}, err)
}

// reopenSession reopens a closed session.
func (s *server) reopenSession(c echo.Context) error {
	return s.afterStep(c, ledgerviews.StepsForm{},
		s.Store.ReopenSession(c.Request().Context(), s.Who(c), c.Param("id")))
}

// afterStep answers a step of a session's review: 303 to the ledger, or the ledger with the fault beside the form.
func (s *server) afterStep(c echo.Context, form ledgerviews.StepsForm, err error) error {
	switch kind := domain.KindOf(err); {
	case err == nil:
		page := "/sessions/" + c.Param("id")
		if tab := tabParam(c); tab != ledgerviews.TabClaims {
			page += "?tab=" + tab
		}
		return web.SeeOther(c, page)
	case kind == domain.Invalid, kind == domain.Conflict, kind == domain.TooLarge:
		form.Fault = web.AsError(err)
		return s.sessionPage(c, web.StatusOf[kind], form)
	}
	return err
}

// queueLooked is how much of a queue is looked at for a session that a person may read; takeRounds how often, where
// others took all of it meanwhile.
const (
	queueLooked = 50
	takeRounds  = 10
)

// nextReview leads to the session that waits for the reader behind the one they come from (after), and behind the last one
// to the first: of their own queue, else of those that nobody is to review, as far as they may read them. Without one, and
// for those who do not review, it leads home.
func (s *server) nextReview(c echo.Context) error {
	ctx, who := c.Request().Context(), s.Who(c)
	if !web.MayOf(who).Review {
		return web.SeeOther(c, "/")
	}
	for _, queue := range []func() (ledger.Queue, error){
		func() (ledger.Queue, error) { return s.Store.MyQueue(ctx, who.Tenant, who.ID, queueLooked) },
		func() (ledger.Queue, error) { return s.Store.FreeSessions(ctx, who, queueLooked) },
	} {
		q, err := queue()
		if err != nil {
			return err
		}
		id, err := s.behind(c, q.Rows, c.QueryParam("after"))
		if err != nil {
			return err
		}
		if id != "" {
			return web.SeeOther(c, "/sessions/"+id)
		}
	}
	return web.SeeOther(c, "/")
}

// behind returns the id of the first session behind one in a queue, around its end, that the reader may read; "" if none.
func (s *server) behind(c echo.Context, rows []ledger.SessionRow, after string) (string, error) {
	may := s.Readable(c.Request().Context(), s.Who(c))
	at := slices.IndexFunc(rows, func(r ledger.SessionRow) bool { return r.ID == after })
	for i := range rows {
		r := &rows[(at+1+i)%len(rows)]
		ok, err := may(access.Object{Kind: "session", ID: r.ID})
		if err != nil {
			return "", err
		}
		if ok && r.ID != after {
			return r.ID, nil
		}
	}
	return "", nil
}

// takeNext gives the reader the first session that nobody is to review, and leads to it. Of two people who ask at the
// same moment each gets another one. One that they may not review (a blind one, for who reads the log) is passed over.
// Without one it leads home.
func (s *server) takeNext(c echo.Context) error {
	ctx, who := c.Request().Context(), s.Who(c)
	may := s.Readable(ctx, who)
	for range takeRounds {
		free, err := s.Store.FreeSessions(ctx, who, queueLooked)
		if err != nil {
			return err
		}
		taken := 0
		for i := range free.Rows {
			id := free.Rows[i].ID
			if ok, err := may(access.Object{Kind: "session", ID: id}); err != nil {
				return err
			} else if !ok {
				continue
			}
			err := s.reassign(c, id, reviewersInput{First: &who.ID, Free: true})
			switch kind := domain.KindOf(err); {
			case err == nil:
				return web.SeeOther(c, "/sessions/"+id)
			case kind == domain.Conflict: // by somebody else
				taken++
			case kind != domain.Invalid && kind != domain.NotFound:
				return err
			}
		}
		if taken == 0 {
			break
		}
	}
	return web.SeeOther(c, "/")
}
