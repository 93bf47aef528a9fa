package search

import (
	"net/http"
	"net/url"
	"slices"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/handlers/web"
	searchviews "sanad/internal/views/search"
	"sanad/internal/views/ui"
)

// listViews shows all saved views that the reader owns or may see.
func (s *server) listViews(c echo.Context) error {
	return s.viewsPage(c, http.StatusOK, ui.SavedForm{Done: c.QueryParam("done")})
}

// viewsPage shows the saved views with what was typed into a form, and what is wrong with it.
func (s *server) viewsPage(c echo.Context, status int, form ui.SavedForm) error {
	list, err := s.Store.SavedViews(c.Request().Context(), s.Who(c), "")
	if err != nil {
		return err
	}
	who := s.Who(c)
	in := searchviews.SavedInput{Pages: ledger.SavedPages, Form: form,
		MayShare:  who.Role.May(access.ReviewClaim),
		MayForget: who.Role.May(access.ManageTenant)}
	for _, v := range list {
		in.Views = append(in.Views, web.SavedView(v, ""))
	}
	return s.Render(c, status, searchviews.Saved(searchviews.NewSavedPage(s.ChromeAt(c, "/views"), in)))
}

// saveView stores the filters of a page and returns to that page.
func (s *server) saveView(c echo.Context) error {
	form := ui.SavedForm{Page: c.FormValue("page"), Session: c.FormValue("session"), Name: c.FormValue("name"),
		Shared: c.FormValue("shared") != ""}
	q, err := url.ParseQuery(c.FormValue("query"))
	if err != nil || !slices.Contains(ledger.SavedPages, form.Page) {
		return web.WithStatus(http.StatusBadRequest,
			domain.Refuse(domain.Invalid, "page", "refused_view_sessions_ledger"))
	}
	form.Query = web.KeptQuery(form.Page, q)
	if form.Shared {
		if err := s.mayShare(c); err != nil {
			return err
		}
	}
	err = s.Store.SaveView(c.Request().Context(), s.Who(c),
		ledger.SavedView{Page: form.Page, Name: form.Name, Query: form.Query, Shared: form.Shared})
	if refused := s.refused(err, &form); refused {
		return s.viewsPage(c, http.StatusUnprocessableEntity, form)
	}
	if err != nil {
		return err
	}
	if to := web.SavedPath(form.Page, form.Session, form.Query); to != "" {
		return web.SeeOther(c, to)
	}
	return web.SeeOther(c, "/views?done=saved")
}

// changeView renames one's own view, and shares it or stops sharing it.
func (s *server) changeView(c echo.Context) error {
	form := ui.SavedForm{ID: c.Param("id"), Name: c.FormValue("name"), Shared: c.FormValue("shared") != ""}
	if form.Shared {
		if err := s.mayShare(c); err != nil {
			return err
		}
	}
	err := s.Store.ChangeView(c.Request().Context(), s.Who(c), form.ID, form.Name, form.Shared)
	if refused := s.refused(err, &form); refused {
		return s.viewsPage(c, http.StatusUnprocessableEntity, form)
	}
	if err != nil {
		return err
	}
	return web.SeeOther(c, "/views?done=changed")
}

// deleteView deletes one's own view; deleting a view that somebody else shares requires ManageTenant.
func (s *server) deleteView(c echo.Context) error {
	who := s.Who(c)
	others, err := s.Authorizer.Allowed(c.Request().Context(), who, access.ManageTenant,
		access.Object{Kind: "tenant", ID: who.Tenant})
	if err != nil {
		return web.NotChecked(err)
	}
	if err := s.Store.DeleteView(c.Request().Context(), who, c.Param("id"), others); err != nil {
		return err
	}
	return web.SeeOther(c, "/views?done=deleted")
}

// mayShare refuses users who may not show something to the whole tenant; that takes the right to review.
func (s *server) mayShare(c echo.Context) error {
	who := s.Who(c)
	ok, err := s.Authorizer.Allowed(c.Request().Context(), who, access.ReviewClaim,
		access.Object{Kind: "tenant", ID: who.Tenant})
	if err != nil {
		return web.NotChecked(err)
	}
	if !ok {
		return web.LacksRole(access.ReviewClaim)
	}
	return nil
}

// refused reports whether the form breaks a rule, and puts the fault beside its field.
func (s *server) refused(err error, form *ui.SavedForm) bool {
	e := web.AsError(err)
	if e == nil || e.Kind != domain.Invalid {
		return false
	}
	form.Fault = &ui.FormFault{Field: "name", Word: "view_" + e.Path}
	return true
}
