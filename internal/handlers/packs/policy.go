package packs

import (
	"fmt"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
	"sanad/internal/domain/pack"
	"sanad/internal/handlers/web"
	packsviews "sanad/internal/views/packs"
	"sanad/internal/views/ui"
)

// policyName stands for the tenant's policy in ETags: there is one.
const policyName = "policy"

// apiShowPolicy returns the sign-off policy in force.
func (s *server) apiShowPolicy(c echo.Context) error {
	p, err := s.Store.Policy(c.Request().Context(), s.Who(c).Tenant)
	if err != nil {
		return err
	}
	return sendPolicy(c, p)
}

// apiPutPolicy replaces the sign-off policy. The version in the body is not read: If-Match names it.
func (s *server) apiPutPolicy(c echo.Context) error {
	var in pack.Policy
	if err := web.Decode(c, &in); err != nil {
		return err
	}
	ctx, who := c.Request().Context(), s.Who(c)
	who.Why = c.QueryParam("reason")
	now, err := s.Store.Policy(ctx, who.Tenant)
	if err != nil {
		return err
	}
	if err := web.CheckMatch(c, policyName, now.Version); err != nil {
		return err
	}
	p, err := s.Store.SetPolicy(ctx, who, now.Version, &in)
	if err != nil {
		return err
	}
	return sendPolicy(c, p)
}

func sendPolicy(c echo.Context, p *pack.Policy) error {
	c.Response().Header().Set("ETag", web.Etag(policyName, p.Version))
	return web.SendJSON(c, http.StatusOK, p)
}

// showPolicy shows the form of the sign-off policy.
func (s *server) showPolicy(c echo.Context) error {
	p, err := s.Store.Policy(c.Request().Context(), s.Who(c).Tenant)
	if err != nil {
		return err
	}
	return s.policyPage(c, http.StatusOK, p, nil)
}

func (s *server) policyPage(c echo.Context, status int, p *pack.Policy, fault *ui.FormFault) error {
	demanded, err := s.Store.DemandsSecond(c.Request().Context(), s.Who(c).Tenant)
	if err != nil {
		return err
	}
	page := packsviews.NewPolicyPage(s.ChromeAt(c, "/admin/policy"), p, fault)
	page.AskReason, page.Reason = demanded, c.FormValue("reason")
	if fault != nil {
		page.KeepNumbers(c.FormValue)
	}
	return s.Render(c, status, packsviews.Policy(page))
}

// savePolicy stores the form's policy. What was chosen is kept if it is refused; after somebody else's change, saving
// again replaces theirs.
func (s *server) savePolicy(c echo.Context) error {
	ctx, who, typed := c.Request().Context(), s.Who(c), policyForm(c)
	_, err := s.Store.SetPolicy(ctx, s.WhoBecause(c), typed.Version, typed)
	if err == nil {
		return web.SeeOther(c, "/admin/policy?done=saved")
	}
	kind, fault := domain.KindOf(err), web.FormFault(err, "", nil)
	if kind != domain.Invalid && kind != domain.Conflict || fault == nil {
		return err
	}
	if fault.Word == "policy_changed" {
		fault = web.FieldFault("", "policy_overtaken")
	}
	now, loadErr := s.Store.Policy(ctx, who.Tenant)
	if loadErr != nil {
		return loadErr
	}
	typed.Version = now.Version
	return s.policyPage(c, web.FaultOf(err).Status, typed, fault)
}

// policyForm reads the form: RULE.CLASS and days.CLASS. What is not a number becomes 0, which is refused.
func policyForm(c echo.Context) *pack.Policy {
	p := pack.DefaultPolicy()
	number := func(name string) int {
		n, _ := strconv.Atoi(c.FormValue(name))
		return n
	}
	p.Version, p.BulkConfirmsAll = number("version"), c.FormValue("bulk") == "1"
	for i := range p.Rules {
		r := &p.Rules[i]
		for _, class := range pack.ApprovalClasses {
			r.Set(class, pack.Demand(c.FormValue(fmt.Sprintf("%s.%s", r.Rule, class))))
		}
		if r.Days != nil {
			r.Days = &pack.ClassDays{A0: number("days.A0"), A1: number("days.A1"), A2: number("days.A2"),
				A3: number("days.A3")}
		}
	}
	return p
}
