package handlers

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/app"
	"sanad/internal/db"
	"sanad/internal/domain"
)

// apiSubmitPack hands a draft over: 422 with every rule that it breaks. A body is not asked for.
func (s *Server) apiSubmitPack(c echo.Context) error {
	data, err := decodeIfAny(c, &struct{}{})
	if err != nil {
		return err
	}
	receipt, done, err := s.replayKeyed(c, data)
	if err != nil || done {
		return err
	}
	view, revision, err := s.packAt(c)
	if err != nil {
		return err
	}
	id := view.Life.PackID
	view, err = s.store.SubmitPack(c.Request().Context(), s.who(c), id, revision, answering(receipt, http.StatusOK))
	return sendPack(c, http.StatusOK, view, s.stale(c, id, err), receipt)
}

// approvalInput is the body of POST …/approve. The password is asked for after the rest is checked.
type approvalInput struct {
	Password string `json:"password"`
	Code     string `json:"code"` // one-time, of who has that switched on
	Comment  string `json:"comment"`
	Digest   string `json:"digest"`
}

// apiApprovePack records an approval with the password given again; the last one that is needed signs the pack off. digest
// names the bytes that the approver has read: where it is given, a pack of other ones is not approved.
func (s *Server) apiApprovePack(c echo.Context) error {
	var in approvalInput
	if _, err := decode(c, &in); err != nil {
		return err
	}
	receipt, done, err := s.replayKeyed(c, []byte(in.Digest+"\n"+in.Comment)) // not the password: receipts are kept
	if err != nil || done {
		return err
	}
	view, revision, err := s.packAt(c)
	if err != nil {
		return err
	}
	who := s.who(c)
	if !who.Human {
		return machineDenied()
	}
	if err := view.Chain.MayDecide(who); err != nil { // before the password, which costs time and counts failures
		return err
	}
	if err := s.stepUp(c, in.Password, in.Code); err != nil {
		return err
	}
	tenant, err := s.store.Tenant(c.Request().Context(), who.Tenant)
	if err != nil {
		return err
	}
	id := view.Life.PackID
	approval := db.Approval{PackID: id, Revision: revision, Digest: in.Digest, Comment: in.Comment}
	if in.Digest == "" {
		approval.Digest = view.Life.Digest
	}
	view, err = s.store.ApprovePack(c.Request().Context(), who, approval, answering(receipt, http.StatusOK), app.RenderPack(tenant.Name))
	return sendPack(c, http.StatusOK, view, s.stale(c, id, err), receipt)
}

// apiReturnPack gives a pack back with the reason.
func (s *Server) apiReturnPack(c echo.Context) error {
	var in reasonInput
	data, err := decode(c, &in)
	if err != nil {
		return err
	}
	receipt, done, err := s.replayKeyed(c, data)
	if err != nil || done {
		return err
	}
	view, revision, err := s.packAt(c)
	if err != nil {
		return err
	}
	if !s.who(c).Human {
		return machineDenied()
	}
	id := view.Life.PackID
	view, err = s.store.ReturnPack(c.Request().Context(), s.who(c), id, revision, in.Reason, answering(receipt, http.StatusOK))
	return sendPack(c, http.StatusOK, view, s.stale(c, id, err), receipt)
}

// reasonInput is a body that gives a reason and nothing else.
type reasonInput struct {
	Reason string `json:"reason"`
}

// apiNewVersion opens a draft that is to supersede a pack that was signed off or returned.
func (s *Server) apiNewVersion(c echo.Context) error {
	data, err := decodeIfAny(c, &struct{}{})
	if err != nil {
		return err
	}
	receipt, done, err := s.replayKeyed(c, data)
	if err != nil || done {
		return err
	}
	view, _, err := s.packAt(c)
	if err != nil {
		return err
	}
	view, err = s.store.NewVersion(c.Request().Context(), s.who(c), view.Life.PackID, answering(receipt, http.StatusCreated))
	return sendPack(c, http.StatusCreated, view, err, receipt)
}

// decodeIfAny is decode for a request that needs no body.
func decodeIfAny(c echo.Context, v any) ([]byte, error) {
	if c.Request().ContentLength == 0 {
		return nil, nil
	}
	return decode(c, v)
}

// machineDenied refuses what only a person may do.
func machineDenied() error {
	return &domain.Error{Kind: domain.Denied, Msg: "Only a person may do this; this token is a machine's."}
}
