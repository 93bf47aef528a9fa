package packs

import (
	"cmp"
	"net/http"
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"sanad/internal/app"
	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/domain/pack"
	"sanad/internal/handlers/web"
)

// apiSubmitPack submits a draft for review: 422 with every rule that it breaks. It needs no body.
func (s *server) apiSubmitPack(c echo.Context) (web.Reply, error) {
	return s.changePack(c, http.StatusOK, func(p *db.PackView, as db.Answering) (*db.PackView, error) {
		return s.Store.SubmitPack(c.Request().Context(), s.Who(c), p.Life.PackID, p.Life.Revision, as)
	})
}

// approvalInput is the body of POST …/approve. The password is checked after everything else.
type approvalInput struct {
	Password string `json:"password"`
	Code     string `json:"code"` // one-time code, if the user has an authenticator app
	Comment  string `json:"comment"`
	Digest   string `json:"digest"`
	For      string `json:"for,omitempty"` // id of the person whose deputy the approver is in this

	Acknowledged []string `json:"acknowledged"` // ids of the pack's alarms, also of what changed since submission
}

// apiApprovePack records an approval with the password given again; the last one that is needed signs the pack off.
// digest names the bytes that the approver has read: if it is given, a pack with other bytes is not approved.
func (s *server) apiApprovePack(c echo.Context, in approvalInput) (web.Reply, error) {
	return s.changePack(c, http.StatusOK, func(p *db.PackView, as db.Answering) (*db.PackView, error) {
		ctx, who := c.Request().Context(), s.Who(c)
		if !who.Human {
			return nil, web.MachineDenied()
		}
		if err := p.Content.MayApprove(p.Chain, who, s.Now()); err != nil { // before the password, which costs time and counts failures
			return nil, err
		}
		if _, err := p.DeputyOf(who, in.For, s.Now()); err != nil {
			return nil, err
		}
		if err := s.StepUp(c, in.Password, in.Code); err != nil {
			return nil, err
		}
		tenant, err := s.Store.Tenant(ctx, who.Tenant)
		if err != nil {
			return nil, err
		}
		approval := db.Approval{
			PackID: p.Life.PackID, Revision: p.Life.Revision, Digest: cmp.Or(in.Digest, p.Life.Digest),
			Comment: in.Comment, For: in.For, Acknowledged: in.Acknowledged,
		}
		return s.Store.ApprovePack(ctx, who, approval, as, app.RenderPack(&tenant))
	})
}

// apiWaits is for whom a pack waits.
type apiWaits struct {
	Since   *string      `json:"since"` // of its submission; null unless it is in review
	Needed  int          `json:"approvers"`
	Given   int          `json:"approvals_given"`
	Waiting []apiWaiting `json:"waiting"`  // any of them may approve
	DeadEnd bool         `json:"dead_end"` // whoever of them approves, nobody may give the approval that is then still needed
	Ways    []apiWay     `json:"ways"`     // in which whoever asks may approve
}

// apiWay is one way in which somebody may approve a pack.
type apiWay struct {
	For     *string `json:"for"`      // id of the person whose deputy they are; null in their own name
	DeadEnd bool    `json:"dead_end"` // nobody may give the approval that is then still needed
}

// apiWaiting is somebody for whose approval a pack waits.
type apiWaiting struct {
	ID   string      `json:"user_id"`
	Name string      `json:"name"`
	For  []apiPerson `json:"for"` // whose deputy the person is for this pack
}

// apiPerson is a member of the organisation.
type apiPerson struct {
	ID   string `json:"user_id"`
	Name string `json:"name"`
}

// apiShowWaits says for whom a pack waits, and since when. It has no ETag: roles and deputies change without the pack.
func (s *server) apiShowWaits(c echo.Context) error {
	view, err := s.pack(c)
	if err != nil {
		return err
	}
	w, err := s.Store.Waits(c.Request().Context(), s.Who(c).Tenant, view)
	if err != nil {
		return err
	}
	out := apiWaits{Needed: w.Needed, Given: w.Given, DeadEnd: w.DeadEnd, Ways: apiWays(view, &w, s.Who(c), s.Now())}
	if view.Life.State == pack.InReview {
		out.Since = web.TimeOrNull(w.Since)
	}
	out.Waiting = web.Map(w.Waiting, func(x pack.Waiting) apiWaiting {
		return apiWaiting{ID: x.ID, Name: x.Name, For: web.Map(x.For, func(p access.Person) apiPerson {
			return apiPerson{ID: p.ID, Name: p.Name}
		})}
	})
	return web.SendJSON(c, http.StatusOK, out)
}

// apiWays lists the ways in which somebody may approve a pack: in their own name, and as deputies.
func apiWays(view *db.PackView, w *pack.Waits, who access.Actor, now time.Time) []apiWay {
	out := []apiWay{}
	if view.Life.State != pack.InReview || view.Content.MayApprove(view.Chain, who, now) != nil {
		return out
	}
	deputies := standsFor(view, who, now)
	ends := deadEnds(view, w, who.ID, deputies)
	out = append(out, apiWay{DeadEnd: slices.Contains(ends, "")})
	for i := range deputies {
		of := deputies[i].For.ID
		out = append(out, apiWay{For: &of, DeadEnd: slices.Contains(ends, of)})
	}
	return out
}

// apiReturnPack returns a pack to its authors with the reason.
func (s *server) apiReturnPack(c echo.Context, in reasonInput) (web.Reply, error) {
	return s.changePack(c, http.StatusOK, func(p *db.PackView, as db.Answering) (*db.PackView, error) {
		who := s.Who(c)
		if !who.Human {
			return nil, web.MachineDenied()
		}
		return s.Store.ReturnPack(c.Request().Context(), who, p.Life.PackID, p.Life.Revision, in.Reason, as)
	})
}

// reasonInput is a body that consists of a reason.
type reasonInput struct {
	Reason string `json:"reason"`
}

// apiNewVersion opens a draft that is to supersede a pack that was signed off or returned.
func (s *server) apiNewVersion(c echo.Context) (web.Reply, error) {
	return s.changePack(c, http.StatusCreated, func(p *db.PackView, as db.Answering) (*db.PackView, error) {
		return s.Store.NewVersion(c.Request().Context(), s.Who(c), p.Life.PackID, as)
	})
}
