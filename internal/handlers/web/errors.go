package web

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/erasure"
	"sanad/internal/handlers/web/limits"
	"sanad/internal/quota"
	"sanad/internal/views/ui"
	"sanad/internal/words"
)

// StatusOf maps an error's kind to an HTTP status. Pages and API differ in Conflict only (rule WEB-7).
var StatusOf = map[domain.Kind]int{
	domain.Internal:    http.StatusInternalServerError,
	domain.Invalid:     http.StatusUnprocessableEntity,
	domain.NotFound:    http.StatusNotFound,
	domain.Conflict:    http.StatusConflict,
	domain.TooLarge:    http.StatusRequestEntityTooLarge,
	domain.Unsupported: http.StatusUnsupportedMediaType,
	domain.Denied:      http.StatusForbidden,
	domain.Unavailable: http.StatusServiceUnavailable,
	domain.Gone:        http.StatusGone,
}

// Fault is an error as a client may see it.
type Fault struct {
	Status int
	Path   string // the place in the input, "" for the whole
	err    error  // the original error

	Message domain.Message // safe to show; zero for a fault of the server
}

// httpError carries a status that no domain kind stands for: 400, 401, 412, 428.
type httpError struct {
	status int
	err    error
}

func (e *httpError) Error() string { return e.err.Error() }

func (e *httpError) Unwrap() error { return e.err }

// WithStatus attaches an HTTP status to err.
func WithStatus(status int, err error) error { return &httpError{status, err} }

// FaultOf turns any error (ours, Echo's, net/http's) into a Fault. Any other error is internal and its text is not
// shown.
func FaultOf(err error) Fault {
	var (
		ours   *domain.Error
		status *httpError
		echos  *echo.HTTPError
		tooBig *http.MaxBytesError
		full   *quota.Refused
	)
	switch {
	case errors.As(err, &full):
		return fullFault(full)
	case errors.As(err, &tooBig):
		return Fault{
			Status:  http.StatusRequestEntityTooLarge,
			Message: words.Msg("refused_request_larger", "Size", sizeOf(tooBig.Limit)),
		}
	case errors.As(err, &ours):
		f := Fault{Status: StatusOf[ours.Kind], Path: ours.Path, Message: ours.Message, err: err}
		if ours.Kind == domain.Internal {
			f.Message, f.Path = domain.Message{}, ""
		}
		if errors.As(err, &status) {
			f.Status = status.status
		}
		return f
	case errors.As(err, &echos):
		return Fault{Status: echos.Code, Message: routeFaults[echos.Code]}
	}
	return Fault{Status: http.StatusInternalServerError}
}

// sizeOf returns a limit in the unit that it was set in.
func sizeOf(bytes int64) domain.Message {
	switch {
	case bytes > 0 && bytes%(1<<20) == 0:
		return words.Msg("size_mib", "N", int(bytes>>20))
	case bytes > 0 && bytes%(1<<10) == 0:
		return words.Msg("size_kib", "N", int(bytes>>10))
	}
	return words.Msg("bn_bytes", "N", int(bytes))
}

// routeFaults are the messages for what Echo's router refuses.
var routeFaults = map[int]domain.Message{
	http.StatusNotFound:         words.Msg("refused_nothing_address"),
	http.StatusMethodNotAllowed: words.Msg("refused_method"),
}

// handleError is Echo's error handler: it answers with problem details for the API and for requests with a token
// (downloads), with a page for people. It logs server errors.
func (s *Server) handleError(err error, c echo.Context) {
	if done, failed := s.waits(c, err); done {
		err = failed
		if err == nil {
			return
		}
	}
	f := FaultOf(err)
	if limits.IsBusy(err) || f.Status == http.StatusServiceUnavailable && c.Response().Header().Get("Retry-After") == "" {
		limits.TooMany(c, limits.BusyFor)
	}
	switch {
	case errors.Is(err, context.Canceled) && c.Request().Context().Err() != nil:
		s.Log.Info("request cancelled: its client has gone", "request_id", RequestID(c))
	case f.Status >= 500:
		s.Log.Error("request failed", "request_id", RequestID(c), "err", err)
	}
	if f.Status == http.StatusForbidden {
		refusedFor(c, wordOf(err))
	}
	if c.Response().Committed {
		panic(http.ErrAbortHandler) // part of the answer is sent: the client must see that it is not whole
	}
	if isAPI(c.Request().URL.Path) || bearer(c.Request()) != "" {
		err = problem(c, f)
	} else {
		err = s.errorPage(c, f)
	}
	if err != nil {
		s.Log.Error("error answer failed", "request_id", RequestID(c), "err", err)
	}
}

// denyCrossOrigin answers a cross-origin write with 403.
func (s *Server) denyCrossOrigin(w http.ResponseWriter, r *http.Request) {
	plainFault(w, r, http.StatusForbidden, "This request was sent from another site, so it was refused.")
}

// plainFault answers outside Echo: problem details for the API, one line of text otherwise.
func plainFault(w http.ResponseWriter, r *http.Request, status int, msg string) {
	if !isAPI(r.URL.Path) {
		http.Error(w, msg, status)
		return
	}
	if r.URL.Path == TracesPath {
		if mediaType, body, err := otlpStatus(OTLPType(r), status, msg); err == nil {
			w.Header().Set("Content-Type", mediaType)
			w.WriteHeader(status)
			_, _ = w.Write(body) // the client is gone when this fails
		}
		return
	}
	w.Header().Set("Content-Type", problemType)
	w.WriteHeader(status)
	id, _ := r.Context().Value(requestIDKey{}).(string)
	body := problemDetails{
		Type: "about:blank", Title: http.StatusText(status), Status: status, Detail: msg, RequestID: id,
	}
	_ = json.NewEncoder(w).Encode(body) // the client is gone when this fails
}

const problemType = "application/problem+json"

// problemDetails is RFC 9457's object, extended by the place of the fault in the input.
type problemDetails struct {
	Type      string `json:"type"`
	Title     string `json:"title"`
	Status    int    `json:"status"`
	Detail    string `json:"detail,omitempty"`
	Pointer   string `json:"path,omitempty"`
	RequestID string `json:"request_id,omitempty"`

	Errors   []ProblemItem `json:"errors,omitempty"`   // all faults, for operations that report several
	Warnings []ProblemItem `json:"warnings,omitempty"` // worth a look, but they prevent nothing
	Rules    []RuleItem    `json:"rules,omitempty"`    // of the sign-off policy, that keep a pack from being signed
	Missing  []string      `json:"missing,omitempty"`  // ids of alarms that an approver has not acknowledged
}

func problem(c echo.Context, f Fault) error {
	if c.Request().URL.Path == TracesPath {
		return otlpFault(c, f)
	}
	wrong, doubtful := itemsOf(f.err)
	rules, missing := policyOf(f.err)
	body, err := json.Marshal(problemDetails{
		Type: "about:blank", Title: http.StatusText(f.Status), Status: f.Status,
		Detail: f.Message.String(), Pointer: f.Path, RequestID: RequestID(c), Errors: wrong, Warnings: doubtful,
		Rules: rules, Missing: missing,
	})
	if err != nil {
		return err
	}
	return c.Blob(f.Status, problemType, body)
}

// errorPage shows a fault to a person, in their language.
func (s *Server) errorPage(c echo.Context, f Fault) error {
	chrome := s.Chrome(c)
	msg := chrome.Said(f.Message)
	if f.Path != "" {
		msg = f.Path + ": " + msg
	}
	var changed *db.ContentError
	if errors.As(f.err, &changed) {
		msg = chrome.T("content_changed", "WHAT", changed.Fault.String())
	}
	var gone *erasure.GoneError
	if errors.As(f.err, &gone) {
		msg = chrome.Erased(&gone.Erased)
	}
	var full *quota.Refused
	if errors.As(f.err, &full) {
		msg = chrome.T("busy_" + string(full.Whose))
	}
	if errors.Is(f.err, errTooOften) {
		msg = chrome.T("too_often")
	}
	var lacks *roleError
	if errors.As(f.err, &lacks) && lacks.role != "" && chrome.Role != access.Auditor { // who is told that they only read
		msg = chrome.NeedsRole(lacks.role)
	}
	return s.Render(c, f.Status, ui.ErrorPage(ui.NewErrorPage(chrome, f.Status, msg)))
}

// RequestID returns the id of the request, which the log, error pages and problem details show.
func RequestID(c echo.Context) string {
	id, _ := c.Request().Context().Value(requestIDKey{}).(string)
	return id
}

// NotChecked is the refusal for an Authorizer that gave no answer.
func NotChecked(err error) error {
	return &domain.Error{Kind: domain.Unavailable, Op: "authorize", Err: err,
		Message: words.Msg("refused_whether_may_do")}
}

// MachineDenied refuses what only a person may do.
func MachineDenied() error {
	return &domain.Error{Kind: domain.Denied, Message: words.Msg("refused_only_person_may")}
}

// NotFound is the one error for objects that are unknown, in another tenant or malformed.
func NotFound() error { return domain.Refuse(domain.NotFound, "", "refused_nothing_address") }
