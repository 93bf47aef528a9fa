package ledger

import (
	"net/url"
	"slices"

	"github.com/labstack/echo/v4"

	"sanad/internal/handlers/web"
	ledgerviews "sanad/internal/views/ledger"
	"sanad/internal/views/ui"
)

// layoutCookie keeps how a browser wants to see the workbench. A GET changes nothing on the server (as with language
// and theme).
const layoutCookie = "sanad_bench"

// layout returns how this browser wants to see the workbench.
func (s *server) layout(c echo.Context) ledgerviews.Layout {
	q, err := url.ParseQuery(s.Cookie(c, layoutCookie))
	if err != nil {
		return ledgerviews.Layout{}
	}
	return ledgerviews.ParseLayout(q)
}

// setLayout remembers what the form of the layout, or a splitter, chose, and leads back to the page without it.
func (s *server) setLayout(c echo.Context) error {
	q := c.QueryParams()
	next := s.layout(c)
	switch q.Get("layout") {
	case "set":
		widths := next.Widths
		next = ledgerviews.ParseLayout(url.Values{
			"density": q["density"], "typecol": q["typecol"], "hide": notShown(q["show"]),
		})
		next.Widths = widths
	case "widths":
		next.Widths = ledgerviews.ParseLayout(q).Widths
	default:
		next = ledgerviews.Layout{}
	}
	s.SetChoice(c, layoutCookie, next.String())
	for _, name := range []string{"layout", "density", "typecol", "show", "a", "l", "m"} {
		q.Del(name)
	}
	return web.SeeOther(c, ui.Address("/sessions/"+c.Param("id"), q))
}

// notShown returns what the form's unchecked boxes hide.
func notShown(shown []string) []string {
	return slices.DeleteFunc(slices.Clone(ledgerviews.Parts), func(part string) bool { return slices.Contains(shown, part) })
}
