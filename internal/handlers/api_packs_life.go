package handlers

import (
	"cmp"
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/app"
	"sanad/internal/db"
	"sanad/internal/domain"
)

// apiSubmitPack hands a draft over: 422 with every rule that it breaks. A body is not asked for.
func (s *Server) apiSubmitPack(c echo.Context) (reply, error) {
	if err := decodeIfAny(c, &struct{}{}); err != nil {
		return reply{}, err
	}
	return s.changePack(c, http.StatusOK, func(p *db.PackView, as db.Answering) (*db.PackView, error) {
		return s.store.SubmitPack(c.Request().Context(), s.who(c), p.Life.PackID, p.Life.Revision, as)
	})
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
func (s *Server) apiApprovePack(c echo.Context) (reply, error) {
	var in approvalInput
	if err := decode(c, &in); err != nil {
		return reply{}, err
	}
	return s.changePack(c, http.StatusOK, func(p *db.PackView, as db.Answering) (*db.PackView, error) {
		ctx, who := c.Request().Context(), s.who(c)
		if !who.Human {
			return nil, machineDenied()
		}
		if err := p.Chain.MayDecide(who); err != nil { // before the password, which costs time and counts failures
			return nil, err
		}
		if err := s.stepUp(c, in.Password, in.Code); err != nil {
			return nil, err
		}
		tenant, err := s.store.Tenant(ctx, who.Tenant)
		if err != nil {
			return nil, err
		}
		approval := db.Approval{
			PackID: p.Life.PackID, Revision: p.Life.Revision, Digest: cmp.Or(in.Digest, p.Life.Digest),
			Comment: in.Comment,
		}
		return s.store.ApprovePack(ctx, who, approval, as, app.RenderPack(tenant.Name))
	})
}

// apiReturnPack gives a pack back with the reason.
func (s *Server) apiReturnPack(c echo.Context) (reply, error) {
	var in reasonInput
	if err := decode(c, &in); err != nil {
		return reply{}, err
	}
	return s.changePack(c, http.StatusOK, func(p *db.PackView, as db.Answering) (*db.PackView, error) {
		who := s.who(c)
		if !who.Human {
			return nil, machineDenied()
		}
		return s.store.ReturnPack(c.Request().Context(), who, p.Life.PackID, p.Life.Revision, in.Reason, as)
	})
}

// reasonInput is a body that gives a reason and nothing else.
type reasonInput struct {
	Reason string `json:"reason"`
}

// apiNewVersion opens a draft that is to supersede a pack that was signed off or returned.
func (s *Server) apiNewVersion(c echo.Context) (reply, error) {
	if err := decodeIfAny(c, &struct{}{}); err != nil {
		return reply{}, err
	}
	return s.changePack(c, http.StatusCreated, func(p *db.PackView, as db.Answering) (*db.PackView, error) {
		return s.store.NewVersion(c.Request().Context(), s.who(c), p.Life.PackID, as)
	})
}

// decodeIfAny is decode for a request that needs no body.
func decodeIfAny(c echo.Context, v any) error {
	if c.Request().ContentLength == 0 {
		return nil
	}
	return decode(c, v)
}

// machineDenied refuses what only a person may do.
func machineDenied() error {
	return &domain.Error{Kind: domain.Denied, Msg: "Only a person may do this; this token is a machine's."}
}
