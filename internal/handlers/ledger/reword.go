package ledger

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"sanad/internal/app"
	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/job"
	"sanad/internal/domain/ledger"
	"sanad/internal/handlers/web"
	ledgerviews "sanad/internal/views/ledger"
)

// rewordInput is the body of POST …/claims:reword. Claims are given by number, from 1.
type rewordInput struct {
	Claims []int    `json:"claims"` // that are replaced
	Texts  []string `json:"texts"`  // of the claims that come in their place
	Reason string   `json:"reason"`
}

// apiReworded answers it, and POST …/claims/{n}/take-back. Claims are given by number, from 1.
type apiReworded struct {
	Claims    []int  `json:"claims"` // that count now
	Aside     []int  `json:"aside"`  // that no longer count
	Revision  int    `json:"revision"`
	LedgerURL string `json:"ledger_url"`
}

// newAPIReworded answers with the claims at some positions.
func (s *server) newAPIReworded(c echo.Context, session *ledger.Session, counting, aside []int) web.Reply {
	return web.Reply{Status: http.StatusOK, Headers: web.LedgerTag(c, session), Body: apiReworded{
		Claims: numbers(counting), Aside: numbers(aside), Revision: session.RevisionFor(s.Who(c).ID),
		LedgerURL: "/api/v1/sessions/" + session.ID + "/ledger",
	}}
}

// rewordsLater reports whether so many new claims of a session are judged as a job.
func (s *server) rewordsLater(loaded *ledger.Session, claims int) bool {
	only := *loaded
	only.Claims = make([]ledger.Claim, claims)
	return s.embedded.NeedsJob(&only)
}

// apiReword puts claims in the place of others: 200 with their numbers, under the new ETag; 202 with a job if the
// session is large.
func (s *server) apiReword(c echo.Context, in rewordInput) (web.Reply, error) {
	loaded, check, err := s.unchanged(c, s.Store.SessionFor)
	if err != nil {
		return web.Reply{}, err
	}
	asked := ledger.Rewording{Claims: positionsOf(in.Claims), Texts: in.Texts, Reason: in.Reason}
	if s.rewordsLater(loaded, len(in.Texts)) {
		if err := app.CheckRewording(loaded, &asked, s.Who(c)); err != nil {
			return web.Reply{}, err
		}
		answered := func(j job.Job) (*db.Receipt, error) { return jobAccepted(j).Receipt(c) }
		work, _, err := app.QueueReword(c.Request().Context(), s.Store, s.Who(c), loaded, &asked, answered)
		return jobAccepted(work), err
	}
	var out web.Reply
	req := db.JudgeRequest{SessionID: loaded.ID, ReceiptKey: web.ReceiptKey(c)}
	_, err = s.rejudger(c).Reword(c.Request().Context(), loaded, req, &asked, check,
		func(d *db.Judged, added []int) (*db.Receipt, error) {
			out = s.newAPIReworded(c, d.Ledger.Session, added, asked.Claims)
			return out.Receipt(c)
		})
	return out, err
}

// showReword shows the form that writes a claim anew, splits it, or merges it with those that ?with= names by number.
func (s *server) showReword(c echo.Context) error {
	return s.rewordPage(c, http.StatusOK, c.QueryParams()["with"], ledgerviews.RewordInput{})
}

// rewordPage shows the form with the claims named, by number, to be merged, what was typed, and what is wrong with it.
func (s *server) rewordPage(c echo.Context, status int, with []string, in ledgerviews.RewordInput) error {
	position, err := claimPosition(c)
	if err != nil {
		return err
	}
	if in.Session, err = s.Store.SessionFor(c.Request().Context(), s.Who(c), c.Param("id")); err != nil {
		return err
	}
	if in.Session.Claim(position) == nil {
		return web.NotFound()
	}
	in.Claims = rewordedWith(in.Session, position, with)
	return s.Render(c, status, ledgerviews.Reword(ledgerviews.NewRewordPage(s.Chrome(c), in)))
}

// rewordedWith returns a claim's position and those of the claims that are named by number, without those that the
// session does not have or that no longer count.
func rewordedWith(s *ledger.Session, position int, named []string) []int {
	out := []int{position}
	for _, name := range named {
		n, err := strconv.Atoi(name)
		if c := s.Claim(n - 1); err == nil && c != nil && n-1 != position && c.AsideBy() == nil && len(out) < ledger.MaxReworded {
			out = append(out, n-1)
		}
	}
	return out
}

// reword handles that form: 303 to the first new claim, or to the job of a large session. It shows the form again with
// what was typed if that is refused. Each line of the text is a claim.
func (s *server) reword(c echo.Context) error {
	position, err := claimPosition(c)
	if err != nil {
		return err
	}
	check, err := s.seenRevision(c)
	if err != nil {
		return err
	}
	ctx, who, id := c.Request().Context(), s.Who(c), c.Param("id")
	loaded, err := s.Store.SessionFor(ctx, who, id)
	if err != nil {
		return err
	}
	form, err := c.FormParams()
	if err != nil {
		return web.BadRequest(err)
	}
	in := ledger.Rewording{Claims: rewordedWith(loaded, position, form["with"]), Reason: c.FormValue("reason")}
	for line := range strings.Lines(c.FormValue("texts")) {
		if line = strings.TrimSpace(line); line != "" {
			in.Texts = append(in.Texts, line)
		}
	}
	at, err := s.storeRewording(c, loaded, &in, check)
	switch kind := domain.KindOf(err); {
	case err == nil:
		return web.SeeOther(c, at)
	case kind == domain.Conflict, kind == domain.Invalid, kind == domain.TooLarge:
		return s.rewordPage(c, web.StatusOf[kind], form["with"], ledgerviews.RewordInput{
			Texts: c.FormValue("texts"), Reason: in.Reason, Fault: faultOf(err)})
	}
	return err
}

// faultOf returns an error as a form shows it.
func faultOf(err error) (e *domain.Error) {
	errors.As(err, &e)
	return e
}

// storeRewording makes a rewording, now or as a job, and returns the page that shows it.
func (s *server) storeRewording(c echo.Context, loaded *ledger.Session, in *ledger.Rewording,
	check func(*ledger.Session) error) (string, error) {
	ctx, who := c.Request().Context(), s.Who(c)
	if err := check(loaded); err != nil {
		return "", err
	}
	if s.rewordsLater(loaded, len(in.Texts)) {
		if err := app.CheckRewording(loaded, in, who); err != nil {
			return "", err
		}
		work, _, err := app.QueueReword(ctx, s.Store, who, loaded, in, nil)
		return "/jobs/" + work.ID, err
	}
	added, err := s.rejudger(c).Reword(ctx, loaded, db.JudgeRequest{SessionID: loaded.ID}, in, check, nil)
	if err != nil {
		return "", err
	}
	return "/sessions/" + loaded.ID + "/claims/" + strconv.Itoa(added[0]+1), nil
}

// takeBack undoes the rewording that brought or replaced the claim that the address names.
func (s *server) takeBack(c echo.Context, check func(*ledger.Session) error,
	receipt func(session *ledger.Session, counting, aside []int) (*db.Receipt, error)) (counting []int, err error) {
	ctx, who, at := c.Request().Context(), s.Who(c), s.Now().UTC().Truncate(time.Microsecond)
	position, err := claimPosition(c)
	if err != nil {
		return nil, err
	}
	tenant, err := s.Store.Tenant(ctx, who.Tenant)
	if err != nil {
		return nil, err
	}
	_, err = s.Store.TakeBackRewording(ctx, who, c.Param("id"), web.ReceiptKey(c),
		func(session *ledger.Session) (*ledger.Ledger, *db.Receipt, error) {
			if err := check(session); err != nil {
				return nil, nil, err
			}
			var aside []int
			if counting, aside, err = session.TakeBack(position, who, s.NewID, at); err != nil {
				return nil, nil, err
			}
			l := ledger.Assess(session, tenant.FreshnessMonths)
			if receipt == nil {
				return &l, nil, nil
			}
			answer, err := receipt(session, counting, aside)
			return &l, answer, err
		})
	return counting, err
}

// takeBackRewording handles the button: 303 to the first of the claims that count again, or the claim with the reason
// why not.
func (s *server) takeBackRewording(c echo.Context) error {
	counting, err := s.takeBack(c, func(*ledger.Session) error { return nil }, nil)
	switch kind := domain.KindOf(err); {
	case err == nil:
		return web.SeeOther(c, "/sessions/"+c.Param("id")+"/claims/"+strconv.Itoa(counting[0]+1))
	case kind == domain.Conflict, kind == domain.Invalid:
		page, loading := s.claimPage(c, ledgerviews.ReviewForm{NotTakenBack: faultOf(err)})
		if loading != nil {
			return loading
		}
		return s.renderClaim(c, web.StatusOf[kind], page)
	}
	return err
}

// apiTakeBack undoes a rewording: 200 with the numbers of the claims, under the new ETag.
func (s *server) apiTakeBack(c echo.Context) (web.Reply, error) {
	var out web.Reply
	_, err := s.takeBack(c, web.SessionMatches(c), func(session *ledger.Session, counting, aside []int) (*db.Receipt, error) {
		out = s.newAPIReworded(c, session, counting, aside)
		return out.Receipt(c)
	})
	return out, err
}
