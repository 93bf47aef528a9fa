package web

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/handlers/web/limits"
	"sanad/internal/quota"
	"sanad/internal/words"
)

// errTooOften is the cause of a refusal for too many requests; pages word it themselves.
var errTooOften = errors.New("too many requests of one account")

// tooOften refuses a request of an account that exceeds its rate (rule WEB-5), whether by the API or a page.
func (s *Server) tooOften(c echo.Context) error {
	a := s.accounts.Take(s.Who(c).ID, s.Now())
	s.accounts.Announce(c.Response().Header(), a)
	if a.Wait == 0 {
		return nil
	}
	return WithStatus(limits.TooMany(c, a.Wait), &domain.Error{Kind: domain.Denied, Err: errTooOften,
		Message: words.Msg("refused_too_many_requests")})
}

// fullFault words a refusal for programs: 429 if the bound is the caller's own or its tenant's, 503 if it is the
// server's. Pages have words of their own.
func fullFault(full *quota.Refused) Fault {
	f := Fault{Status: http.StatusTooManyRequests, err: full}
	switch full.Whose {
	case quota.Person:
		f.Message = words.Msg("refused_full_person")
	case quota.Tenant:
		f.Message = words.Msg("refused_full_tenant")
	default:
		f.Status, f.Message = http.StatusServiceUnavailable, words.Msg("refused_full_server")
	}
	return f
}

// work returns the work of an endpoint.
func (e *Endpoint) work() limits.Work {
	imports := e.Action == access.ImportLedger || e.Action == access.ImportDecision
	switch {
	case e.Work.Kind != "":
		return e.Work
	case e.Method == http.MethodGet:
		return limits.Work{}
	case imports && e.Streams:
		return limits.StreamUpload
	case imports && isAPI(e.Path):
		return limits.APIUpload
	case imports:
		return limits.FormUpload
	}
	return limits.BodyWork
}

// WithRoom runs the rest of a request when there is memory for it, where its body has another length than was known
// before.
func (s *Server) WithRoom(c echo.Context, w limits.Work, length int, rest echo.HandlerFunc) error {
	c.Request().ContentLength = int64(length)
	return s.withRoom(c, w, rest)
}

// withRoom runs a request when there is memory for it, or refuses it: 429 if the caller or its tenant has its share,
// 503 if nobody can have more.
func (s *Server) withRoom(c echo.Context, w limits.Work, handle echo.HandlerFunc) error {
	ctx, done, err := w.Reserve(c.Request().Context(), s.work, s.Who(c), c.Request().ContentLength)
	if err != nil {
		return err
	}
	defer done()
	c.SetRequest(c.Request().WithContext(ctx))
	return handle(c)
}
