package accounts

import (
	"cmp"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/domain/due"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/apidoc"
	accountsviews "sanad/internal/views/accounts"
	"sanad/internal/views/ui"
)

// deputyEndpoints are the endpoints of those who approve packs for others (rule P-31).
func (s *server) deputyEndpoints() []web.Endpoint {
	return []web.Endpoint{
		{Method: http.MethodPost, Path: "/account/deputy", Action: access.UseAccount,
			Handle: web.SmallForm(s.setOwnDeputy)},
		{Method: http.MethodPost, Path: "/account/deputies/:deputy/end", Action: access.UseAccount,
			Handle: s.endOwnDeputy},
		{Method: http.MethodPost, Path: "/admin/users/:id/deputy", Action: access.ManageUsers, Reauth: true,
			Handle: web.SmallForm(s.setUserDeputy)},
		{Method: http.MethodPost, Path: "/admin/users/:id/deputies/:deputy/end", Action: access.ManageUsers,
			Reauth: true, Handle: s.endUserDeputy},
		{
			Method: http.MethodGet, Path: "/api/v1/deputies", Action: access.UseAccount,
			Doc: &apidoc.Doc{
				ID: "listDeputies", Tag: "account", Summary: "List deputies for approvals",
				Description: "Your own and those for whom you are the deputy; an administrator sees all. Those whose time is " +
					"over are in the log.",
				Answers: []apidoc.Answer{{Status: "200", Description: "The deputies.",
					Body: apidoc.RowsOf("deputies", apiDeputy{})}},
			},
			Handle: s.apiListDeputies,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/deputies", Action: access.UseAccount,
			Doc: &apidoc.Doc{
				ID: "setDeputy", Tag: "account", Summary: "Name a deputy for approvals",
				Description: "From the first to the last day, both included, in your organisation's time zone, what waits for " +
					"your approval waits for the deputy; without a first day, from now on. The deputy is an approver or " +
					"administrator who has no deputy in that time and does not count as one person with you (rule P-22); " +
					"while you are a deputy yourself, you can have none. An administrator names the deputy of somebody else: " +
					"with user_id, a fresh password and, where a second administrator is required, a reason. Only for people.",
				Reads: deputyInput{}, Example: map[string]any{"deputy": "7d3c1c61-5a08-4f2a-b1a5-4b6c1f0e8a11",
					"from": "2026-12-01", "until": "2026-12-14"},
				Conflicts: true,
				Answers: []apidoc.Answer{{Status: "201", Description: "The deputy.", Body: apiDeputy{}},
					web.WaitsAnswer},
			},
			Secrets: []string{"password", "code"}, Idempotent: web.WithBody(s.apiSetDeputy),
		},
		{
			Method: http.MethodPost, Path: "/api/v1/deputies/:id/end", Action: access.UseAccount,
			Doc: &apidoc.Doc{
				ID: "endDeputy", Tag: "account", Summary: "End a deputy's time",
				Description: "By the person who is away, the deputy, or an administrator, who gives a fresh password. 409 if it " +
					"is over. Only people.",
				Reads: deputyEndInput{}, BodyOptional: true, Conflicts: true,
				Answers: []apidoc.Answer{{Status: "200", Description: "The deputy.", Body: apiDeputy{}}},
			},
			Secrets: []string{"password", "code"}, Idempotent: s.apiEndDeputy,
		},
	}
}

// deputyPanel is what a page shows of the deputies of a member, with what was typed.
func (s *server) deputyPanel(c echo.Context, id string, fault *ui.FormFault) (*accountsviews.DeputyPanel, error) {
	ctx, who := c.Request().Context(), s.Who(c)
	people, err := s.Store.Members(ctx, who.Tenant)
	if err != nil {
		return nil, err
	}
	in := accountsviews.DeputyInput{Of: access.Person{ID: id}, Reader: who.ID, By: c.FormValue("deputy"),
		From: c.FormValue("from"), Until: c.FormValue("until"), Fault: fault, Reason: c.FormValue("reason")}
	for _, m := range people {
		p := access.Person{ID: m.ID, Name: m.Name, Role: m.Role}
		if m.Disabled {
			continue
		}
		if in.People = append(in.People, p); m.ID == id {
			in.Of = p
		}
	}
	all, err := s.Store.Deputies(ctx, who.Tenant)
	if err != nil {
		return nil, err
	}
	in.Own, in.Others = access.DeputiesOf(all, id, s.Now())
	if id != who.ID {
		if in.Second, err = s.Store.DemandsSecond(ctx, who.Tenant); err != nil {
			return nil, err
		}
	}
	return accountsviews.NewDeputyPanel(s.Chrome(c), in), nil
}

// setDeputy names a deputy as a form says, or as a call of the API does.
func (s *server) setDeputy(c echo.Context, who access.Actor, in db.DeputyDays) (d access.Deputy, err error) {
	for _, day := range []*string{&in.From, &in.Until} {
		read, err := due.Parse(*day)
		if *day = read; err != nil {
			*day = "?" // refused, beside its field
		}
	}
	return s.Store.SetDeputy(c.Request().Context(), who, in)
}

func (s *server) setOwnDeputy(c echo.Context) error {
	who := s.Who(c)
	_, err := s.setDeputy(c, who, deputyForm(c, who.ID))
	return s.ownDeputyDone(c, err, "deputy")
}

func (s *server) ownDeputyDone(c echo.Context, err error, done string) error {
	if fault := web.FormFault(err, "deputy", nil); fault != nil {
		return s.accountPage(c, web.FaultOf(err).Status, fault)
	}
	if err != nil {
		return err
	}
	return web.SeeOther(c, "/account?done="+done+"#deputy")
}

func deputyForm(c echo.Context, of string) db.DeputyDays {
	return db.DeputyDays{For: of, By: c.FormValue("deputy"), From: c.FormValue("from"), Until: c.FormValue("until")}
}

func (s *server) endOwnDeputy(c echo.Context) error {
	if others, err := s.ofOthers(c, c.Param("deputy")); err != nil || others {
		return cmp.Or(err, web.NotFound())
	}
	_, err := s.Store.EndDeputy(c.Request().Context(), s.Who(c), c.Param("deputy"))
	return s.ownDeputyDone(c, err, "deputy_ended")
}

// ofOthers reports whether only a right to manage people lets the reader change a deputy: they are neither the deputy
// nor the person who is away. It is false where there is no such deputy, or the time is over.
func (s *server) ofOthers(c echo.Context, id string) (bool, error) {
	who := s.Who(c)
	all, err := s.Store.Deputies(c.Request().Context(), who.Tenant)
	return slices.ContainsFunc(all, func(d access.Deputy) bool {
		return d.ID == id && d.For.ID != who.ID && d.By.ID != who.ID
	}), err
}

// mayManage reports whether who asks may change the deputies of others.
func (s *server) mayManage(c echo.Context) (bool, error) {
	return s.May(c, access.ManageUsers, access.Object{Kind: "tenant", ID: s.Who(c).Tenant})
}

// forOthers refuses a call about the deputy of somebody else, unless who asks may manage people and is known anew.
func (s *server) forOthers(c echo.Context, password, code string) error {
	may, err := s.mayManage(c)
	if err != nil {
		return err
	}
	if !may {
		return web.NotFound()
	}
	return s.StepUp(c, password, code)
}

func (s *server) setUserDeputy(c echo.Context) error {
	_, err := s.setDeputy(c, s.WhoBecause(c), deputyForm(c, c.Param("id")))
	return s.changed(c, err, "deputy", "deputy")
}

func (s *server) endUserDeputy(c echo.Context) error {
	_, err := s.Store.EndDeputy(c.Request().Context(), s.Who(c), c.Param("deputy"))
	return s.changed(c, err, "deputy", "deputy_ended")
}

// apiDeputy is somebody who approves packs for another.
type apiDeputy struct {
	ID      string  `json:"deputy_id"`
	Of      string  `json:"user_id"` // who is away
	Deputy  string  `json:"deputy"`  // id of the deputy
	From    string  `json:"from"`
	Until   string  `json:"until"` // no longer part of it
	SetBy   string  `json:"set_by"`
	SetAt   string  `json:"set_at"`
	EndedAt *string `json:"ended_at"`
	Holds   bool    `json:"holds"` // now: it is within the time, and both may approve packs
}

func (s *server) newAPIDeputy(d access.Deputy) apiDeputy {
	return apiDeputy{ID: d.ID, Of: d.For.ID, Deputy: d.By.ID, From: web.FormatTime(d.Starts),
		Until: web.FormatTime(d.Ends), SetBy: d.SetBy, SetAt: web.FormatTime(d.SetAt), EndedAt: web.TimeOrNull(d.EndedAt),
		Holds: d.Holds(s.Now())}
}

// apiDeputies answers GET /deputies.
type apiDeputies struct {
	Deputies []apiDeputy `json:"deputies"`
}

func (s *server) apiListDeputies(c echo.Context) error {
	who := s.Who(c)
	all, err := s.Store.Deputies(c.Request().Context(), who.Tenant)
	if err != nil {
		return err
	}
	may, err := s.mayManage(c)
	if err != nil {
		return err
	}
	out := apiDeputies{Deputies: []apiDeputy{}}
	for _, d := range all {
		if d.For.ID == who.ID || d.By.ID == who.ID || may {
			out.Deputies = append(out.Deputies, s.newAPIDeputy(d))
		}
	}
	return web.SendJSON(c, http.StatusOK, out)
}

// deputyInput is the body of POST /deputies.
type deputyInput struct {
	UserID   string `json:"user_id,omitempty"` // who is away; oneself by default
	Deputy   string `json:"deputy"`
	From     string `json:"from,omitempty"`
	Until    string `json:"until"`
	Reason   string `json:"reason,omitempty"`
	Password string `json:"password,omitempty"`
	Code     string `json:"code,omitempty"`
}

func (s *server) apiSetDeputy(c echo.Context, in deputyInput) (web.Reply, error) {
	who := s.Who(c)
	if !who.Human {
		return web.Reply{}, web.MachineDenied()
	}
	days := db.DeputyDays{For: who.ID, By: in.Deputy, From: in.From, Until: in.Until}
	if in.UserID != "" && in.UserID != who.ID {
		if err := s.forOthers(c, in.Password, in.Code); err != nil {
			return web.Reply{}, err
		}
		days.For, who.Why = in.UserID, in.Reason
	}
	d, err := s.setDeputy(c, who, days)
	return web.Reply{Status: http.StatusCreated, Body: s.newAPIDeputy(d)}, err
}

// deputyEndInput is the body of POST /deputies/:id/end, needed of administrators only.
type deputyEndInput struct {
	Password string `json:"password,omitempty"`
	Code     string `json:"code,omitempty"`
}

func (s *server) apiEndDeputy(c echo.Context) (web.Reply, error) {
	var in deputyEndInput
	if err := web.DecodeIfAny(c, &in); err != nil {
		return web.Reply{}, err
	}
	who := s.Who(c)
	if !who.Human {
		return web.Reply{}, web.MachineDenied()
	}
	others, err := s.ofOthers(c, c.Param("id"))
	if err == nil && others {
		err = s.forOthers(c, in.Password, in.Code)
	}
	if err != nil {
		return web.Reply{}, err
	}
	d, err := s.Store.EndDeputy(c.Request().Context(), who, c.Param("id"))
	return web.Reply{Status: http.StatusOK, Body: s.newAPIDeputy(d)}, err
}
