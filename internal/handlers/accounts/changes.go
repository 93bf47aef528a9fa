package accounts

import (
	"maps"
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/pack"
	"sanad/internal/handlers/web"
	accountsviews "sanad/internal/views/accounts"
	"sanad/internal/views/ui"
)

// mostChanges is how many requests a page or an answer lists.
const mostChanges = 100

// showChanges lists what waits for a second administrator, and what was decided.
func (s *server) showChanges(c echo.Context) error { return s.changesPage(c, http.StatusOK, nil) }

func (s *server) changesPage(c echo.Context, status int, fault *ui.FormFault) error {
	ctx, who := c.Request().Context(), s.Who(c)
	all, err := s.Store.ChangeRequests(ctx, who, mostChanges)
	if err != nil {
		return err
	}
	policy, err := s.Store.Policy(ctx, who.Tenant)
	if err != nil {
		return err
	}
	periods, err := s.Store.Periods(ctx, who.Tenant)
	if err != nil {
		return err
	}
	demand, err := s.Store.Demand(ctx, who)
	if err != nil {
		return err
	}
	in := accountsviews.ChangesInput{All: all, Reader: who.ID, Policy: policy, Days: map[string]int{}, Demand: demand,
		Confirm: s.ConfirmFirst(c), Fault: fault}
	for _, p := range periods {
		in.Days[string(p.Kind)] = p.Days
	}
	return s.Render(c, status, accountsviews.Changes(accountsviews.NewChangesPage(s.ChromeAt(c, "/admin/changes"), in)))
}

// confirmChange is the second administrator's confirmation.
func (s *server) confirmChange(c echo.Context) error {
	_, err := s.Store.ConfirmChange(c.Request().Context(), s.Who(c), c.Param("change"))
	return s.changeEnded(c, err, "confirmed")
}

// refuseChange ends what another administrator asked for.
func (s *server) refuseChange(c echo.Context) error {
	_, err := s.Store.RefuseChange(c.Request().Context(), s.Who(c), c.Param("change"))
	return s.changeEnded(c, err, "refused")
}

// withdrawChange takes back what one asked for.
func (s *server) withdrawChange(c echo.Context) error {
	_, err := s.Store.WithdrawChange(c.Request().Context(), s.Who(c), c.Param("change"))
	return s.changeEnded(c, err, "withdrawn")
}

func (s *server) changeEnded(c echo.Context, err error, done string) error {
	switch domain.KindOf(err) {
	case domain.Conflict, domain.Denied, domain.Invalid:
		fault := web.FormFault(err, "", nil)
		fault.Field = "" // the page has no fields
		return s.changesPage(c, web.FaultOf(err).Status, fault)
	}
	if err != nil {
		return err
	}
	return web.SeeOther(c, "/admin/changes?done="+done)
}

// saveSecondFactor switches the requirement of a second factor on, or off.
func (s *server) saveSecondFactor(c echo.Context) error {
	err := s.Store.SetSecondFactor(c.Request().Context(), s.WhoBecause(c), c.FormValue("required") == "1")
	if fault := web.FormFault(err, "required", nil); fault != nil {
		if fault.Field == "reason" {
			fault.Field = "required.reason"
		}
		return s.tenantStored(c, web.FaultOf(err).Status, fault)
	}
	if err != nil {
		return err
	}
	return web.SeeOther(c, "/admin/tenant?done=saved")
}

// apiChanges answers GET /changes.
type apiChanges struct {
	Changes []web.APIChange `json:"changes"`
}

func (s *server) apiListChanges(c echo.Context) error {
	all, err := s.Store.ChangeRequests(c.Request().Context(), s.Who(c), mostChanges)
	if err != nil {
		return err
	}
	return web.SendJSON(c, http.StatusOK, apiChanges{web.Map(all, web.NewAPIChange)})
}

// apiChangeShown is a request with the policy or the retention periods that it would set.
type apiChangeShown struct {
	web.APIChange
	Policy *pack.Policy   `json:"policy"` // null for other kinds
	Days   map[string]int `json:"days"`   // by kind, 0 for no period; empty for other kinds
}

func (s *server) apiShowChange(c echo.Context) error {
	r, err := s.Store.ChangeRequest(c.Request().Context(), s.Who(c), c.Param("id"))
	if err != nil {
		return err
	}
	out := apiChangeShown{APIChange: web.NewAPIChange(r), Days: map[string]int{}}
	maps.Copy(out.Days, r.Change.Days)
	if out.Policy, err = accountsviews.PolicyOf(&r); err != nil {
		return err
	}
	return web.SendJSON(c, http.StatusOK, out)
}

// confirmInput is the body of a confirmation.
type confirmInput struct {
	Password string `json:"password"`
	Code     string `json:"code,omitempty"`
}

func (s *server) apiConfirmChange(c echo.Context, in confirmInput) (web.Reply, error) {
	if err := s.StepUp(c, in.Password, in.Code); err != nil {
		return web.Reply{}, err
	}
	r, err := s.Store.ConfirmChange(c.Request().Context(), s.Who(c), c.Param("id"))
	return changeReply(r, err)
}

func (s *server) apiRefuseChange(c echo.Context) (web.Reply, error) {
	r, err := s.Store.RefuseChange(c.Request().Context(), s.Who(c), c.Param("id"))
	return changeReply(r, err)
}

func (s *server) apiWithdrawChange(c echo.Context) (web.Reply, error) {
	r, err := s.Store.WithdrawChange(c.Request().Context(), s.Who(c), c.Param("id"))
	return changeReply(r, err)
}

func changeReply(r access.Request, err error) (web.Reply, error) {
	return web.Reply{Status: http.StatusOK, Body: web.NewAPIChange(r)}, err
}

// apiDemand is whether the tenant's changes demand a second administrator, and who could be one.
type apiDemand struct {
	Demanded       bool `json:"demanded"`
	Administrators int  `json:"administrators"`
	Able           int  `json:"able_to_confirm"` // what the caller asks for
}

func (s *server) apiShowDemand(c echo.Context) error {
	out, err := s.demand(c)
	if err != nil {
		return err
	}
	return web.SendJSON(c, http.StatusOK, out)
}

func (s *server) demand(c echo.Context) (apiDemand, error) {
	d, err := s.Store.Demand(c.Request().Context(), s.Who(c))
	return apiDemand{d.On, d.Admins, d.Able}, err
}

// apiFactor is whether the tenant requires a second factor of approvers and administrators.
type apiFactor struct {
	Required bool `json:"required"`
}

func (s *server) apiShowFactor(c echo.Context) error {
	t, err := s.Store.Tenant(c.Request().Context(), s.Who(c).Tenant)
	if err != nil {
		return err
	}
	return web.SendJSON(c, http.StatusOK, apiFactor{t.SecondFactor})
}

// factorInput is the body of PUT /second-factor.
type factorInput struct {
	Required bool   `json:"required"`
	Reason   string `json:"reason,omitempty"` // to switch it off where a second administrator is required
	Password string `json:"password"`
	Code     string `json:"code,omitempty"`
}

func (s *server) apiSetFactor(c echo.Context, in factorInput) (web.Reply, error) {
	if err := s.StepUp(c, in.Password, in.Code); err != nil {
		return web.Reply{}, err
	}
	who := s.Who(c)
	who.Why = in.Reason
	err := s.Store.SetSecondFactor(c.Request().Context(), who, in.Required)
	return web.Reply{Status: http.StatusOK, Body: apiFactor{in.Required}}, err
}
