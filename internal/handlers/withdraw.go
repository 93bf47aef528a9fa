package handlers

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
)

// maxWithdrawReason bounds why a document is withdrawn, in code points.
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

// withdrawReason checks why a document is withdrawn.
func withdrawReason(text string) (string, error) {
	text = strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD"))
	if text == "" {
		return "", domain.Invalidf("reason", "Say why the document is withdrawn.")
	}
	if utf8.RuneCountInString(text) > maxWithdrawReason {
		return "", domain.Invalidf("reason", "Give the reason in at most %d characters.", maxWithdrawReason)
	}
	return text, nil
}

// withdraw takes a document out of use: check decides on its session, receipt makes the answer that is kept.
func (s *Server) withdraw(c echo.Context, reason, key string, check func(*ledger.Session) error,
	receipt func(*db.Withdrawal) (*db.Receipt, error)) (*db.Withdrawal, error) {
	ctx, who, at := c.Request().Context(), s.who(c), s.now().UTC().Truncate(time.Microsecond)
	tenant, err := s.store.Tenant(ctx, who.Tenant)
	if err != nil {
		return nil, err
	}
	return s.store.WithdrawDocument(ctx, who, c.Param("id"), reason, key, func(session *ledger.Session, position int) (*db.Withdrawal, error) {
		if err := check(session); err != nil {
			return nil, err
		}
		affected, done := session.Withdraw(position, reason, at)
		if !done {
			return nil, domain.Conflictf("This document is withdrawn already.")
		}
		l := ledger.Assess(session, tenant.FreshnessMonths)
		out := &db.Withdrawal{Ledger: &l, Affected: affected}
		if receipt != nil {
			out.Receipt, err = receipt(out)
		}
		return out, err
	})
}

// apiWithdraw withdraws a document: 200 with how many claims rested on it, under the session's new ETag.
func (s *Server) apiWithdraw(c echo.Context) error {
	var in withdrawInput
	data, err := decode(c, &in)
	if err != nil {
		return err
	}
	receipt, done, err := s.replay(c, data)
	if err != nil || done {
		return err
	}
	if _, err := s.store.DocumentPage(c.Request().Context(), s.who(c).Tenant, c.Param("id"), -1, 0, 1); err != nil {
		return err
	}
	check, err := ifMatch(c)
	if err != nil {
		return err
	}
	reason, err := withdrawReason(in.Reason)
	if err != nil {
		return err
	}
	key := ""
	if receipt != nil {
		key = receipt.Key
	}
	answer := func(w *db.Withdrawal) apiWithdrawn {
		x := w.Ledger.Session
		return apiWithdrawn{c.Param("id"), x.ID, x.Revision, len(w.Affected), w.Stale(), "/api/v1/sessions/" + x.ID + "/ledger"}
	}
	tag := func(w *db.Withdrawal) string { return etag(w.Ledger.Session.ID, w.Ledger.Session.Revision) }
	out, err := s.withdraw(c, reason, key, check, func(w *db.Withdrawal) (*db.Receipt, error) {
		return keep(receipt, http.StatusOK, answer(w), "ETag", tag(w))
	})
	if err != nil {
		return orAgain(c, err, receipt)
	}
	c.Response().Header().Set("ETag", tag(out))
	return sendJSON(c, http.StatusOK, answer(out))
}

// withdrawDocument takes the form of the document's page: 303 to the page, or the page again with what is wrong.
func (s *Server) withdrawDocument(c echo.Context) error {
	if err := smallForm(c); err != nil {
		return err
	}
	if _, err := s.store.DocumentPage(c.Request().Context(), s.who(c).Tenant, c.Param("id"), -1, 0, 1); err != nil {
		return err
	}
	seen, err := strconv.Atoi(c.FormValue("revision"))
	if err != nil {
		return withStatus(http.StatusBadRequest, domain.Invalidf("revision", "The form lacks the revision it was made from; load the page again."))
	}
	reason, err := withdrawReason(c.FormValue("reason"))
	if err != nil {
		return s.documentPage(c, http.StatusUnprocessableEntity, c.FormValue("reason"), true)
	}
	_, err = s.withdraw(c, reason, "", func(session *ledger.Session) error {
		if session.Revision != seen {
			return domain.Conflictf("The ledger has changed since you opened this page. Load it again.")
		}
		return nil
	}, nil)
	if err != nil {
		return err
	}
	return seeOther(c, "/documents/"+c.Param("id"))
}
