package ledger

import (
	"bytes"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"sanad/internal/app"
	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/filetype"
	"sanad/internal/domain/job"
	"sanad/internal/domain/ledger"
	"sanad/internal/exporters"
	"sanad/internal/handlers/web"
	"sanad/internal/importers"
	ledgerviews "sanad/internal/views/ledger"
	"sanad/internal/words"
)

// reviser returns what revises answers for this request.
func (s *server) reviser(c echo.Context) app.Reviser {
	in := s.importer(c)
	in.Now = in.Now.Truncate(time.Microsecond)
	return app.Reviser{Importer: in, Limits: s.imports}
}

// apiRevised answers POST /sessions/{id}/answers.
type apiRevised struct {
	SessionID string           `json:"session_id"` // of the new version
	Version   int              `json:"version"`
	Kept      int              `json:"kept_claims"`
	New       int              `json:"new_claims"`
	LedgerURL string           `json:"ledger_url"`
	Warnings  []domain.Warning `json:"warnings"`
}

// apiRevise stores a revised answer: 201 with its session, 200 if it is stored already, 202 with a job that makes it.
func (s *server) apiRevise(c echo.Context, in importers.RevisedAnswer) (web.Reply, error) {
	ctx, who, id := c.Request().Context(), s.Who(c), c.Param("id")
	old, check, err := s.unchanged(c, s.Store.SessionToRevise)
	if err != nil {
		return web.Reply{}, err
	}
	if s.embedded.NeedsJob(old) {
		answered := func(j job.Job) (*db.Receipt, error) { return jobAccepted(j).Receipt(c) }
		work, _, err := app.QueueRevise(ctx, s.Store, who, old, &in, answered)
		return jobAccepted(work), err
	}
	reply := func(r app.Revised) web.Reply {
		status := http.StatusCreated
		if !r.Created {
			status = http.StatusOK
		}
		x := r.Session
		ledgerURL := "/api/v1/sessions/" + x.ID + "/ledger"
		return web.Reply{Status: status, Headers: map[string]string{"Location": ledgerURL}, Body: apiRevised{
			SessionID: x.ID, Version: x.Version(), Kept: r.Kept, New: r.New, LedgerURL: ledgerURL,
			Warnings: web.NotNull(r.Warnings),
		}}
	}
	out, err := s.reviser(c).Revise(ctx, id, &in, check, func(r app.Revised) (*db.Receipt, error) {
		return reply(r).Receipt(c)
	})
	if err != nil {
		return web.Reply{}, err
	}
	return reply(out), nil
}

// apiAnswerRow is one version of an answer.
type apiAnswerRow struct {
	Version   int    `json:"version"`
	SessionID string `json:"session_id"`
	CreatedAt string `json:"created_at"`
	Claims    int    `json:"claims"`
	New       int    `json:"new_claims"`
	LedgerURL string `json:"ledger_url"`
}

// apiListAnswers lists the versions of a session's answer, the first one first.
func (s *server) apiListAnswers(c echo.Context) error {
	rows, err := s.Store.Answers(c.Request().Context(), s.Who(c).Tenant, c.Param("id"))
	if err != nil {
		return err
	}
	return web.SendPage(c, "versions", web.Map(rows, func(x ledger.AnswerRow) apiAnswerRow {
		return apiAnswerRow{Version: x.Version, SessionID: x.SessionID, CreatedAt: web.FormatTime(x.At),
			Claims: x.Claims, New: x.New, LedgerURL: "/api/v1/sessions/" + x.SessionID + "/ledger"}
	}), "")
}

// apiAnswerChange is what became of a claim between two versions.
type apiAnswerChange struct {
	Change      string          `json:"change"`      // kept, reworded, new, removed
	FromNumber  int             `json:"from_number"` // of the claim in the older version, 0 if it is new
	ToNumber    int             `json:"to_number"`   // in the newer version, 0 if it was removed
	FromText    string          `json:"from_text,omitempty"`
	ToText      string          `json:"to_text,omitempty"`
	FromVerdict *ledger.Verdict `json:"from_verdict"`
	ToVerdict   *ledger.Verdict `json:"to_verdict"`
}

// apiShowAnswerChanges compares a version of the answer with the one before it, or with ?from=.
func (s *server) apiShowAnswerChanges(c echo.Context) error {
	rows, err := s.Store.Answers(c.Request().Context(), s.Who(c).Tenant, c.Param("id"))
	if err != nil {
		return err
	}
	to, err := strconv.Atoi(c.Param("n"))
	if err != nil || to < 1 {
		return web.NotFound()
	}
	from := to - 1
	if v := c.QueryParam("from"); v != "" {
		if from, err = strconv.Atoi(v); err != nil {
			return web.WithStatus(http.StatusBadRequest, domain.Refuse(domain.Invalid, "from",
				"refused_number_version"))
		}
	}
	_, _, changes, err := s.compareAnswers(c, rows, from, to)
	if err != nil {
		return err
	}
	return web.SendPage(c, "changes", web.Map(changes, newAPIAnswerChange), "")
}

func newAPIAnswerChange(x ledger.AnswerChange) apiAnswerChange {
	out := apiAnswerChange{Change: x.Kind()}
	if x.From != nil {
		out.FromNumber, out.FromText, out.FromVerdict = x.From.Claim.Number(), x.From.Claim.Text, web.OrNull(x.From.Verdict)
	}
	if x.To != nil {
		out.ToNumber, out.ToText, out.ToVerdict = x.To.Claim.Number(), x.To.Claim.Text, web.OrNull(x.To.Verdict)
	}
	return out
}

// compareAnswers loads two versions and compares them. There is nothing before version 1: it is compared with itself.
func (s *server) compareAnswers(c echo.Context, rows []ledger.AnswerRow, from, to int) (
	older, newer *ledger.Session, changes []ledger.AnswerChange, err error) {
	var both [2]*ledger.Session
	for i, n := range []int{max(1, from), to} {
		for _, x := range rows {
			if x.Version == n {
				if both[i], err = s.Store.SessionFor(c.Request().Context(), s.Who(c), x.SessionID); err != nil {
					return nil, nil, nil, err
				}
			}
		}
		if both[i] == nil {
			return nil, nil, nil, web.NotFound()
		}
	}
	return both[0], both[1], ledger.CompareAnswers(both[0], both[1]), nil
}

// askedAnswers returns the versions of the answer and which two of them are compared: ?from= and ?to=, by default the two
// newest.
func (s *server) askedAnswers(c echo.Context) (rows []ledger.AnswerRow, from, to int, err error) {
	rows, err = s.Store.Answers(c.Request().Context(), s.Who(c).Tenant, c.Param("id"))
	if err != nil {
		return nil, 0, 0, err
	}
	newest := rows[len(rows)-1].Version
	number := func(name string, standard int) int {
		n, err := strconv.Atoi(c.QueryParam(name))
		if err != nil || n < 1 || n > newest {
			return standard
		}
		return n
	}
	to = number("to", newest)
	return rows, number("from", max(1, to-1)), to, nil
}

// showAnswers shows the versions of the answer, and compares two of them.
func (s *server) showAnswers(c echo.Context) error {
	rows, from, to, err := s.askedAnswers(c)
	if err != nil {
		return err
	}
	in := ledgerviews.AnswersInput{ID: c.Param("id"), Rows: rows}
	if len(rows) > 1 {
		if in.From, in.To, in.Changes, err = s.compareAnswers(c, rows, from, to); err != nil {
			return err
		}
	}
	return s.Render(c, http.StatusOK, ledgerviews.Answers(ledgerviews.NewAnswersPage(s.Chrome(c), in)))
}

// answersPDF sends what changed in the wording of the answer, as a PDF in the page's language or ?language=. It is sent
// only when it is logged.
func (s *server) answersPDF(c echo.Context) error {
	ctx, who := c.Request().Context(), s.Who(c)
	rows, from, to, err := s.askedAnswers(c)
	if err != nil {
		return err
	}
	older, newer, _, err := s.compareAnswers(c, rows, from, to)
	if err != nil {
		return err
	}
	language, err := s.PDFLanguage(c)
	if err != nil {
		return err
	}
	tenant, err := s.Store.Tenant(ctx, who.Tenant)
	if err != nil {
		return err
	}
	w := words.In(language)
	r := exporters.Redline{Title: newer.Title, Language: language, Letter: &tenant.Letter, Zone: tenant.Zone(),
		Parts: []exporters.RedlinePart{{Older: older.Answer, Newer: newer.Answer}}}
	for i, x := range []*ledger.Session{older, newer} {
		r.Versions[i] = exporters.RedlineVersion{Name: w.Text("answer_version", "N", strconv.Itoa(x.Version())), At: x.CreatedAt}
	}
	var file bytes.Buffer
	if err := exporters.RedlinePDF(&file, &r); err != nil {
		return err
	}
	if err := s.Store.LogEvent(ctx, who, db.SessionExported(newer, "redline", language)); err != nil {
		return err
	}
	name := fmt.Sprintf("%s %d-%d.%s%s", web.SafeName(newer.Title), older.Version(), newer.Version(), language,
		filetype.PDF.Extension())
	c.Response().Header().Set("Content-Disposition", web.Attachment(name))
	return c.Blob(http.StatusOK, filetype.PDF.MediaType, file.Bytes())
}

// newAnswer shows the form that revises the answer, with the answer as it is.
func (s *server) newAnswer(c echo.Context) error {
	old, err := s.Store.SessionFor(c.Request().Context(), s.Who(c), c.Param("id"))
	if err != nil {
		return err
	}
	return s.answerForm(c, http.StatusOK, ledgerviews.AnswerForm{Answer: old.Answer})
}

// answerForm shows the form with what was typed and what is wrong with it.
func (s *server) answerForm(c echo.Context, status int, form ledgerviews.AnswerForm) error {
	now, err := s.Store.ShowSession(c.Request().Context(), s.Who(c), c.Param("id"))
	if err != nil {
		return err
	}
	return s.Render(c, status, ledgerviews.Revise(ledgerviews.NewRevisePage(s.Chrome(c), ledgerviews.ReviseInput{
		Session: now.SessionRow, Revision: now.Revision, Newest: now.Newest, Form: form,
	})))
}

// reviseAnswer handles that form: 303 to the comparison with the version before, or to the job.
func (s *server) reviseAnswer(c echo.Context) error {
	r := c.Request()
	ctx, who, id := r.Context(), s.Who(c), c.Param("id")
	if err := s.Store.HasSession(ctx, who.Tenant, id); err != nil {
		return err
	}
	if err := web.ParseForm(c, maxTyped); err != nil {
		return err
	}
	check, err := s.seenRevision(c)
	if err != nil {
		return err
	}
	in := importers.RevisedAnswer{Answer: c.FormValue("answer")}
	old, err := s.Store.SessionToRevise(ctx, who, id)
	if err != nil {
		return err
	}
	if err := check(old); err != nil {
		return s.refuseAnswer(c, in.Answer, err)
	}
	if s.embedded.NeedsJob(old) {
		work, _, err := app.QueueRevise(ctx, s.Store, who, old, &in, nil)
		if err != nil {
			return err
		}
		return web.SeeOther(c, "/jobs/"+work.ID)
	}
	out, err := s.reviser(c).Revise(ctx, id, &in, check, nil)
	if err != nil {
		return s.refuseAnswer(c, in.Answer, err)
	}
	return web.SeeOther(c, "/sessions/"+out.Session.ID+"/answers")
}

// refuseAnswer shows the form again with what was typed; internal errors go to the error page.
func (s *server) refuseAnswer(c echo.Context, answer string, err error) error {
	if s.isOurs(c, err) || domain.KindOf(err) == domain.NotFound {
		return err
	}
	f := web.FaultOf(err)
	return s.answerForm(c, f.Status, ledgerviews.AnswerForm{
		Answer: answer, Fault: web.UploadFault(err), Changed: f.Status == http.StatusConflict,
	})
}
