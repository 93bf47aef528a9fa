package web

import (
	"net/url"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/views/ui"
)

// savedParams are the query parameters that a saved view of each page may have. Others are dropped, and the path is
// always the page's own, so a view leads nowhere else.
var savedParams = map[string][]string{
	ledger.SavedSessions: ledger.SessionFilters.Names(), ledger.SavedLedger: ledger.ClaimFilters.Names(),
	ledger.SavedSearch: ledger.FindFilters.Names(),
}

// maxSavedValue bounds one parameter of a saved view, in bytes.
const maxSavedValue = 400

// KeptQuery returns the parameters of a query that a saved view of the page may have, encoded in the order of their
// names; "" if none.
func KeptQuery(page string, q url.Values) string {
	kept := url.Values{}
	for _, name := range savedParams[page] {
		if v := q.Get(name); v != "" && len(v) <= maxSavedValue && utf8.ValidString(v) {
			kept.Set(name, v)
		}
	}
	return kept.Encode()
}

// SavedPath returns the address of a page with a saved view's query. A view of a ledger belongs to a session; the
// result is "" if that is missing.
func SavedPath(page, session, query string) string {
	path := map[string]string{ledger.SavedSessions: "/sessions", ledger.SavedSearch: "/search"}[page]
	if page == ledger.SavedLedger && uuid.Validate(session) == nil {
		path = "/sessions/" + session
	}
	if path != "" && query != "" {
		path += "?" + query
	}
	return path
}

// SavedPart reads what a page shows about its saved views.
func (s *Server) SavedPart(c echo.Context, page string) (ui.SavedPart, error) {
	list, err := s.Store.SavedViews(c.Request().Context(), s.Who(c), page)
	return s.SavedPartOf(c, page, list), err
}

// SavedPartOf returns what a page shows about these saved views; those of a ledger belong to the session that :id
// names.
func (s *Server) SavedPartOf(c echo.Context, page string, list []ledger.SavedView) ui.SavedPart {
	part := ui.SavedPart{Page: page, Query: KeptQuery(page, c.QueryParams())}
	if page == ledger.SavedLedger {
		part.Session = c.Param("id")
	}
	part.MayShare = s.Who(c).Role.May(access.ReviewClaim)
	for _, v := range list {
		part.Views = append(part.Views, SavedView(v, part.Session))
	}
	return part
}

// SavedView lays out a saved view with its address. Parameters that its page no longer takes are dropped.
func SavedView(v ledger.SavedView, session string) ui.SavedView {
	if q, err := url.ParseQuery(v.Query); err == nil {
		v.Query = KeptQuery(v.Page, q)
	}
	return ui.SavedView{SavedView: v, Href: SavedPath(v.Page, session, v.Query)}
}
