package ledger

import (
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/handlers/web"
	ledgerviews "sanad/internal/views/ledger"
)

// maxWithdrawReason bounds the reason for withdrawing a document, in code points.
const maxWithdrawReason = 2000

// withdrawInput is the body of POST /documents/{id}/withdraw.
type withdrawInput struct {
	Reason string `json:"reason"`
}

// apiWithdrawn answers it.
type apiWithdrawn struct {
	DocumentID   string `json:"document_id"`
	SessionID    string `json:"session_id"`
	Revision     int    `json:"revision"` // of the session
	Affected     int    `json:"affected_claims"`
	StaleReviews int    `json:"stale_reviews"`
	LedgerURL    string `json:"ledger_url"`
}

// withdrawReason checks the reason for withdrawing a document.
func withdrawReason(text string) (string, error) {
	text = strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD"))
	if text == "" {
		return "", domain.Refuse(domain.Invalid, "reason", "refused_say_why_document")
	}
	if utf8.RuneCountInString(text) > maxWithdrawReason {
		return "", domain.Refuse(domain.Invalid, "reason", "refused_reason_most_characters", "N", maxWithdrawReason)
	}
	return text, nil
}

// documentRemoval describes how a document is taken out of use.
type documentRemoval struct {
	reason   string
	check    func(*ledger.Session) error               // whether the session may be changed
	key      string                                    // of the receipt, "" if none
	receipt  func(*db.Withdrawal) (*db.Receipt, error) // makes the answer that is stored, nil if none
	newer    *ledger.Document                          // the version that replaces it, nil if it is withdrawn
	original *db.Original                              // the file that newer was made from, nil if none
}

// change applies the change to the session.
func (x *documentRemoval) change(session *ledger.Session, position int, at time.Time) (*db.Withdrawal, error) {
	if x.newer == nil {
		affected, done := session.Withdraw(position, x.reason, at)
		if !done {
			return nil, domain.Refuse(domain.Conflict, "", "refused_document_withdrawn")
		}
		return &db.Withdrawal{Affected: affected}, nil
	}
	affected, err := session.Replace(position, *x.newer, x.reason, at)
	if err != nil {
		return nil, err
	}
	return &db.Withdrawal{Affected: affected, Newer: &session.Documents[len(session.Documents)-1]}, nil
}

// removeDocument takes the request's document out of use.
func (s *server) removeDocument(c echo.Context, x documentRemoval) (*db.Withdrawal, error) {
	ctx, who, at := c.Request().Context(), s.Who(c), s.Now().UTC().Truncate(time.Microsecond)
	tenant, err := s.Store.Tenant(ctx, who.Tenant)
	if err != nil {
		return nil, err
	}
	apply := func(session *ledger.Session, position int) (*db.Withdrawal, error) {
		if err := x.check(session); err != nil {
			return nil, err
		}
		out, err := x.change(session, position, at)
		if err != nil {
			return nil, err
		}
		l := ledger.Assess(session, tenant.FreshnessMonths)
		out.Ledger = &l
		if x.receipt != nil {
			out.Receipt, err = x.receipt(out)
		}
		return out, err
	}
	if x.newer != nil {
		return s.Store.ReplaceDocument(ctx, who, c.Param("id"), x.reason, x.key, x.newer, x.original, apply)
	}
	return s.Store.WithdrawDocument(ctx, who, c.Param("id"), x.reason, x.key, apply)
}

// apiWithdraw withdraws a document: 200 with the number of claims that rested on it, under the session's new ETag.
func (s *server) apiWithdraw(c echo.Context, in withdrawInput) (web.Reply, error) {
	return s.apiRemoveDocument(c, in.Reason, func(*documentRemoval) error { return nil },
		func(w *db.Withdrawal) any { return s.newAPIWithdrawn(c, w) })
}

func (s *server) newAPIWithdrawn(c echo.Context, w *db.Withdrawal) apiWithdrawn {
	x := w.Ledger.Session
	return apiWithdrawn{
		DocumentID: c.Param("id"), SessionID: x.ID, Revision: x.RevisionFor(s.Who(c).ID), Affected: len(w.Affected),
		StaleReviews: w.Stale(), LedgerURL: "/api/v1/sessions/" + x.ID + "/ledger",
	}
}

// apiRemoveDocument takes a document out of use: more fills in how, answer makes the answer's body.
func (s *server) apiRemoveDocument(c echo.Context, why string, more func(*documentRemoval) error,
	answer func(*db.Withdrawal) any) (web.Reply, error) {
	if _, err := s.Store.DocumentPage(c.Request().Context(), s.Who(c), c.Param("id"), -1, 0, 1); err != nil {
		return web.Reply{}, err
	}
	reason, err := withdrawReason(why)
	if err != nil {
		return web.Reply{}, err
	}
	var out web.Reply
	x := documentRemoval{reason: reason, check: web.SessionMatches(c), key: web.ReceiptKey(c)}
	x.receipt = func(w *db.Withdrawal) (*db.Receipt, error) {
		out = web.Reply{Status: http.StatusOK, Body: answer(w), Headers: web.LedgerTag(c, w.Ledger.Session)}
		return out.Receipt(c)
	}
	if err := more(&x); err != nil {
		return web.Reply{}, err
	}
	_, err = s.removeDocument(c, x)
	return out, err
}

// withdrawDocument handles the form on the document's page: 303 to the page, or the page again with the fault and what
// was typed, also if the ledger has changed meanwhile.
func (s *server) withdrawDocument(c echo.Context) error {
	if _, err := s.Store.DocumentPage(c.Request().Context(), s.Who(c), c.Param("id"), -1, 0, 1); err != nil {
		return err
	}
	check, err := s.seenRevision(c)
	if err != nil {
		return err
	}
	reason, err := withdrawReason(c.FormValue("reason"))
	if err != nil {
		return s.documentPage(c, http.StatusUnprocessableEntity, documentForms{withdraw: ledgerviews.WithdrawForm{
			Reason: c.FormValue("reason"), NoReason: true,
		}})
	}
	_, err = s.removeDocument(c, documentRemoval{reason: reason, check: check})
	if err != nil && domain.KindOf(err) == domain.Conflict {
		return s.documentPage(c, http.StatusConflict, documentForms{withdraw: ledgerviews.WithdrawForm{
			Reason: reason, Changed: true,
		}})
	}
	if err != nil {
		return err
	}
	return web.SeeOther(c, "/documents/"+c.Param("id"))
}

// seenRevision returns a check that the session is unchanged for the reader since the form was made.
func (s *server) seenRevision(c echo.Context) (func(*ledger.Session) error, error) {
	seen, err := strconv.Atoi(c.FormValue("revision"))
	if err != nil {
		return nil, web.WithStatus(http.StatusBadRequest,
			domain.Refuse(domain.Invalid, "revision", "refused_form_lacks_revision"))
	}
	return func(session *ledger.Session) error {
		if session.RevisionFor(s.Who(c).ID) != seen {
			return domain.Refuse(domain.Conflict, "", "refused_ledger_changed_since_opened_page")
		}
		return nil
	}, nil
}
