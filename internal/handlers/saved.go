package handlers

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	searchviews "sanad/internal/views/search"
	"sanad/internal/views/ui"
)

// savedParams are the parameters of each page that a saved view may have. Whatever else a query has is dropped, and the path
// is always the page's own: a view leads nowhere else.
var savedParams = map[string][]string{
	db.SavedSessions: {"q", "state", "assigned", "verdict", "flag", "sort", "dir"},
	db.SavedLedger:   {"q", "verdict", "type", "importance", "flag", "flagged", "unreviewed", "unsettled", "differs", "uncited", "stale"},
	db.SavedSearch:   {"q", "kind", "verdict", "state", "from", "to"},
}

// maxSavedValue bounds one parameter of a saved view, in bytes.
const maxSavedValue = 400

// keptQuery leaves of a query what a view of the page may have, encoded in the order of the names; "" where nothing is left.
func keptQuery(page string, q url.Values) string {
	kept := url.Values{}
	if page == db.SavedSessions {
		q = maps.Clone(q)
		renameStatus(q) // views that were saved before the filter was called state
	}
	for _, name := range savedParams[page] {
		if v := q.Get(name); v != "" && len(v) <= maxSavedValue && utf8.ValidString(v) {
			kept.Set(name, v)
		}
	}
	return kept.Encode()
}

// savedPath is the address of a page with a view's query. A ledger is of the session; "" where that is none.
func savedPath(page, session, query string) string {
	path := map[string]string{db.SavedSessions: "/sessions", db.SavedSearch: "/search"}[page]
	if page == db.SavedLedger && uuid.Validate(session) == nil {
		path = "/sessions/" + session
	}
	if path != "" && query != "" {
		path += "?" + query
	}
	return path
}

// savedPart is what a page shows of the views of it; a ledger is of the session that :id names.
func (s *Server) savedPart(c echo.Context, page string) (ui.SavedPart, error) {
	list, err := s.store.SavedViews(c.Request().Context(), s.who(c), page)
	if err != nil {
		return ui.SavedPart{}, err
	}
	part := ui.SavedPart{Page: page, Query: keptQuery(page, c.QueryParams())}
	if page == db.SavedLedger {
		part.Session = c.Param("id")
	}
	part.MayShare = s.who(c).Role.AtLeast(access.Least(access.ReviewClaim))
	for _, v := range list {
		part.Views = append(part.Views, savedView(v, part.Session))
	}
	return part, nil
}

func savedView(v db.SavedView, session string) ui.SavedView {
	query := v.Query
	if q, err := url.ParseQuery(query); err == nil {
		query = keptQuery(v.Page, q)
	}
	return ui.SavedView{
		ID: v.ID, Page: v.Page, Name: v.Name, Query: query, Href: savedPath(v.Page, session, query), Shared: v.Shared, Own: v.Own, Owner: v.Owner,
	}
}

// listViews shows all views that the reader has or sees.
func (s *Server) listViews(c echo.Context) error {
	return s.viewsPage(c, http.StatusOK, ui.SavedForm{Done: c.QueryParam("done")})
}

// viewsPage shows them with what was typed into a form, and what is wrong with it.
func (s *Server) viewsPage(c echo.Context, status int, form ui.SavedForm) error {
	list, err := s.store.SavedViews(c.Request().Context(), s.who(c), "")
	if err != nil {
		return err
	}
	who := s.who(c)
	in := searchviews.SavedInput{Pages: db.SavedPages, Form: form, MayShare: who.Role.AtLeast(access.Least(access.ReviewClaim)), MayForget: who.Role.AtLeast(access.Least(access.ManageTenant))}
	for _, v := range list {
		in.Views = append(in.Views, savedView(v, ""))
	}
	return s.render(c, status, searchviews.Saved(searchviews.NewSavedPage(s.chromeAt(c, "/views"), in)))
}

// saveView keeps the filters of a page and goes back to them.
func (s *Server) saveView(c echo.Context) error {
	form := ui.SavedForm{Page: c.FormValue("page"), Session: c.FormValue("session"), Name: c.FormValue("name"), Shared: c.FormValue("shared") != ""}
	q, err := url.ParseQuery(c.FormValue("query"))
	if err != nil || !slices.Contains(db.SavedPages, form.Page) {
		return withStatus(http.StatusBadRequest, domain.Invalidf("page", "A view is of the sessions, of a ledger or of the search."))
	}
	form.Query = keptQuery(form.Page, q)
	if form.Shared {
		if err := s.mayShare(c); err != nil {
			return err
		}
	}
	err = s.store.SaveView(c.Request().Context(), s.who(c), db.SavedView{Page: form.Page, Name: form.Name, Query: form.Query, Shared: form.Shared})
	if refused := s.refused(err, &form); refused {
		return s.viewsPage(c, http.StatusUnprocessableEntity, form)
	}
	if err != nil {
		return err
	}
	if to := savedPath(form.Page, form.Session, form.Query); to != "" {
		return seeOther(c, to)
	}
	return seeOther(c, "/views?done=saved")
}

// changeView renames one's own view, and shares it or takes that back.
func (s *Server) changeView(c echo.Context) error {
	form := ui.SavedForm{ID: c.Param("id"), Name: c.FormValue("name"), Shared: c.FormValue("shared") != ""}
	if form.Shared {
		if err := s.mayShare(c); err != nil {
			return err
		}
	}
	err := s.store.ChangeView(c.Request().Context(), s.who(c), form.ID, form.Name, form.Shared)
	if refused := s.refused(err, &form); refused {
		return s.viewsPage(c, http.StatusUnprocessableEntity, form)
	}
	if err != nil {
		return err
	}
	return seeOther(c, "/views?done=changed")
}

// deleteView forgets one's own view; one that another shares is for who manages the tenant.
func (s *Server) deleteView(c echo.Context) error {
	who := s.who(c)
	others, err := s.authorizer.Allowed(c.Request().Context(), who, access.ManageTenant, access.Object{Kind: "tenant", ID: who.Tenant})
	if err != nil {
		return notChecked(err)
	}
	if err := s.store.DeleteView(c.Request().Context(), who, c.Param("id"), others); err != nil {
		return err
	}
	return seeOther(c, "/views?done=deleted")
}

// mayShare refuses who may not show something to the whole tenant: that is for who reviews.
func (s *Server) mayShare(c echo.Context) error {
	who := s.who(c)
	ok, err := s.authorizer.Allowed(c.Request().Context(), who, access.ReviewClaim, access.Object{Kind: "tenant", ID: who.Tenant})
	if err != nil {
		return notChecked(err)
	}
	if !ok {
		return lacksRole(access.ReviewClaim)
	}
	return nil
}

// refused tells whether the form breaks a rule, and puts that beside its field.
func (s *Server) refused(err error, form *ui.SavedForm) bool {
	e := asError(err)
	if e == nil || e.Kind != domain.Invalid {
		return false
	}
	form.Fault = &ui.FormFault{Field: "name", Word: "view_" + e.Path, Text: e.Msg}
	return true
}
