package handlers

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	accountsviews "sanad/internal/views/accounts"
)

// showTenant shows the tenant's settings.
func (s *Server) showTenant(c echo.Context) error {
	t, err := s.store.Tenant(c.Request().Context(), s.who(c).Tenant)
	if err != nil {
		return err
	}
	return s.tenantPage(c, http.StatusOK, accountsviews.TenantForm{Name: t.Name, Months: strconv.Itoa(t.FreshnessMonths), Second: t.Second, Slug: t.Slug})
}

func (s *Server) tenantPage(c echo.Context, status int, form accountsviews.TenantForm) error {
	return s.render(c, status, accountsviews.Tenant(accountsviews.NewTenantPage(s.chrome(c), form)))
}

// saveTenant changes the tenant's settings. The months are checked first, so that the name is not changed alone.
func (s *Server) saveTenant(c echo.Context) error {
	if err := smallForm(c); err != nil {
		return err
	}
	ctx, who := c.Request().Context(), s.who(c)
	t, err := s.store.Tenant(ctx, who.Tenant)
	if err != nil {
		return err
	}
	form := accountsviews.TenantForm{Name: c.FormValue("name"), Months: c.FormValue("months"), Second: t.Second, Slug: t.Slug}
	if _, given := c.Request().PostForm["second_review"]; given { // a form of before it had this field leaves it
		form.Second = ledger.SecondReview(c.FormValue("second_review"))
	}
	if err = domain.CheckName("name", form.Name); err == nil {
		err = s.setFreshness(c, form.Months)
	}
	if err == nil {
		err = s.store.SetSecondReview(ctx, who, form.Second)
	}
	if err == nil {
		err = s.store.RenameTenant(ctx, who, form.Name)
	}
	form.Fault = formFault(err, "", nil)
	if form.Fault != nil && form.Fault.Field == "freshness_months" {
		form.Fault = fieldFault("months", "months")
	}
	if form.Fault != nil {
		return s.tenantPage(c, faultOf(err).status, form)
	}
	if err != nil {
		return err
	}
	return seeOther(c, "/admin/tenant?done=saved")
}

func (s *Server) setFreshness(c echo.Context, typed string) error {
	months, err := strconv.Atoi(strings.TrimSpace(typed))
	if err != nil {
		months = 0 // refused as any other figure out of bounds
	}
	return s.store.SetFreshness(c.Request().Context(), s.who(c), months)
}
