package accounts

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain/access"
	"sanad/internal/domain/due"
	"sanad/internal/domain/ledger"
	"sanad/internal/handlers/web"
	accountsviews "sanad/internal/views/accounts"
	"sanad/internal/views/ui"
)

// showTenant shows the tenant's settings.
func (s *server) showTenant(c echo.Context) error { return s.tenantStored(c, http.StatusOK, nil) }

// tenantStored shows the settings as they are stored, with what is wrong with the form of the second administrator.
func (s *server) tenantStored(c echo.Context, status int, fault *ui.FormFault) error {
	t, err := s.Store.Tenant(c.Request().Context(), s.Who(c).Tenant)
	if err != nil {
		return err
	}
	return s.tenantPage(c, status, accountsviews.TenantForm{Name: t.Name, Months: strconv.Itoa(t.FreshnessMonths),
		Second: t.Second, Slug: t.Slug, Zone: cmp.Or(t.TimeZone, "UTC"), Week: t.WeekStart, Calendar: t.Calendar,
		Remind: accountsviews.Reminders(t.Remind), Fault: fault, Reason: c.FormValue("reason")})
}

func (s *server) tenantPage(c echo.Context, status int, form accountsviews.TenantForm) error {
	var err error
	if form.Demand, err = s.Store.Demand(c.Request().Context(), s.Who(c)); err != nil {
		return err
	}
	t, err := s.Store.Tenant(c.Request().Context(), s.Who(c).Tenant)
	if err != nil {
		return err
	}
	form.FactorOn, form.Confirm = t.SecondFactor, s.ConfirmFirst(c)
	return s.Render(c, status, accountsviews.Tenant(accountsviews.NewTenantPage(s.Chrome(c), form)))
}

// saveTenant changes the tenant's settings. The months are checked first, so that the name is not changed alone.
func (s *server) saveTenant(c echo.Context) error {
	ctx, who := c.Request().Context(), s.Who(c)
	t, err := s.Store.Tenant(ctx, who.Tenant)
	if err != nil {
		return err
	}
	form := accountsviews.TenantForm{Name: c.FormValue("name"), Months: c.FormValue("months"), Second: t.Second,
		Slug: t.Slug, Zone: cmp.Or(t.TimeZone, "UTC"), Week: t.WeekStart, Calendar: t.Calendar,
		Remind: accountsviews.Reminders(t.Remind)}
	for i, name := range []string{"remind_after", "remind_every", "remind_most"} {
		if _, given := c.Request().PostForm[name]; given {
			form.Remind[i] = c.FormValue(name)
		}
	}
	if _, given := c.Request().PostForm["zone"]; given {
		form.Zone = accountsviews.ZoneNamed(c.FormValue("zone"))
	}
	if _, given := c.Request().PostForm["week_start"]; given {
		form.Week = access.WeekStart(c.FormValue("week_start"))
	}
	if _, given := c.Request().PostForm["calendar"]; given {
		form.Calendar = access.Calendar(c.FormValue("calendar"))
	}
	if _, given := c.Request().PostForm["second_review"]; given { // a form without this field leaves the setting
		form.Second = ledger.SecondReview(c.FormValue("second_review"))
	}
	if err = access.CheckName("name", form.Name); err == nil {
		err = s.Store.SetReminders(ctx, who, remindersTyped(form.Remind))
	}
	if err == nil {
		err = s.setFreshness(c, form.Months)
	}
	if err == nil {
		err = s.Store.SetTimeZone(ctx, who, form.Zone)
	}
	if err == nil {
		err = s.Store.SetWeekStart(ctx, who, form.Week)
	}
	if err == nil {
		err = s.Store.SetCalendar(ctx, who, form.Calendar)
	}
	if err == nil {
		err = s.Store.SetSecondReview(ctx, who, form.Second)
	}
	if err == nil {
		err = s.Store.RenameTenant(ctx, who, form.Name)
	}
	form.Fault = web.FormFault(err, "", nil)
	if form.Fault != nil && form.Fault.Field == "freshness_months" {
		form.Fault = web.FieldFault("months", "months")
	}
	if form.Fault != nil && form.Fault.Field == "time_zone" {
		form.Fault.Field = "zone"
	}
	if form.Fault != nil {
		return s.tenantPage(c, web.FaultOf(err).Status, form)
	}
	if err != nil {
		return err
	}
	return web.SeeOther(c, "/admin/tenant?done=saved")
}

// remindersTyped reads the three numbers of a form; what is no number is out of bounds, so it is refused.
func remindersTyped(typed [3]string) due.Reminders {
	var n [3]int
	for i, text := range typed {
		var err error
		if n[i], err = strconv.Atoi(strings.TrimSpace(text)); err != nil {
			n[i] = -1
		}
	}
	return due.Reminders{After: n[0], Every: n[1], Most: n[2]}
}

func (s *server) setFreshness(c echo.Context, typed string) error {
	months, err := strconv.Atoi(strings.TrimSpace(typed))
	if err != nil {
		months = 0 // out of bounds, so it is refused
	}
	return s.Store.SetFreshness(c.Request().Context(), s.Who(c), months)
}
