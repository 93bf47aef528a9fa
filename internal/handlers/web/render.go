package web

import (
	"bytes"
	"net/http"
	"net/url"
	"slices"
	"sync"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"sanad/internal/domain/access"
	"sanad/internal/views/ui"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Render is the only way that a page is sent: it renders the component into a buffer, then writes status and body. A
// component that fails thus becomes an error page, never half a page with a 200.
func (s *Server) Render(c echo.Context, status int, page templ.Component) error {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	if err := page.Render(c.Request().Context(), buf); err != nil {
		return err
	}
	c.Response().Header().Add("Vary", "Cookie, HX-Request, HX-Request-Type")
	return c.HTMLBlob(status, buf.Bytes())
}

// WantsFragment reports whether htmx asks for a fragment. If htmx selects the fragment itself (hx-select), it asks for
// the whole page.
func WantsFragment(c echo.Context) bool {
	h := c.Request().Header
	return h.Get("HX-Request") == "true" && h.Get("HX-Request-Type") != "full"
}

// Chrome returns what every page carries: language, theme, digits, the current address, and who is signed in.
func (s *Server) Chrome(c echo.Context) ui.Chrome {
	r := c.Request()
	if checkPath(r) != nil { // refused: its links must not repeat it
		return s.chromeOf(c, &url.URL{Path: "/"})
	}
	if r.Method == http.MethodPost {
		if p := s.pages.above(r.URL.Path); p != r.URL.Path && p != "/" {
			return s.chromeOf(c, &url.URL{Path: p})
		}
	}
	return s.chromeOf(c, r.URL)
}

// ChromeAt is the chrome of an answer to a form that shows the page at path. Switching the language there must lead to
// that page, not to the form's address, which takes no GET.
func (s *Server) ChromeAt(c echo.Context, path string) ui.Chrome {
	if c.Request().Method == http.MethodGet {
		return s.Chrome(c)
	}
	return s.chromeOf(c, &url.URL{Path: path})
}

func (s *Server) chromeOf(c echo.Context, at *url.URL) ui.Chrome {
	p := s.preferences(c)
	in := ui.ChromeInput{
		Lang: p.lang, Theme: p.theme, Digits: p.digits, URL: at, RequestID: RequestID(c), Now: s.Now(),
		Version: s.version, ReadOnly: s.Store.FrozenFor("") != "",
	}
	if l := s.SignedIn(c); l != nil {
		in.ReadOnly = s.Store.FrozenFor(l.Tenant.ID) != ""
		in.SignedIn, in.User, in.Role, in.Tenant, in.May = true, l.User.Name, l.Role, l.Tenant.Name, MayOf(l.Actor())
		in.TimeZone, in.Week, in.Calendar = l.Tenant.TimeZone, l.Tenant.WeekStart, l.Tenant.Calendar
		in.Guide, in.Unread = s.guideInput(c), s.unread(c)
	}
	return ui.NewChrome(in)
}

// MayOf returns which links and forms to show, by the role alone. It grants nothing: every request is authorized by
// itself.
func MayOf(who access.Actor) ui.May {
	may := func(what access.Action) bool { return who.Role.May(what) }
	return ui.May{
		Import: may(access.ImportLedger), Review: may(access.ReviewClaim), Assign: may(access.AssignReview),
		Export: may(access.ExportLedger),
		Manage: may(access.ManageUsers), Audit: may(access.ReadAudit),
		DraftPack: may(access.DraftPack), DecidePack: may(access.DecidePack), ExportPack: may(access.ExportPack),
		AskPack:  may(access.AskPackExport),
		HoldPack: may(access.HoldPack), PurgePack: may(access.PurgePack), ConfirmPurge: may(access.ConfirmPackPurge),
		Erase: may(access.EraseContent), ConfirmErase: may(access.ConfirmErasure), SaveView: may(access.SaveView),
		ReadLibrary: may(access.ReadLibrary), ChangeLibrary: may(access.ChangeLibrary),
		CopyFile: may(access.CopyFile), CopyLibrary: may(access.CopyLibrary),
	}
}

// SeeOther answers a successful form with 303, so that reloading the page does not send the form again.
func SeeOther(c echo.Context, path string) error { return c.Redirect(http.StatusSeeOther, path) }

// PDFLanguages are the languages of a PDF in one language.
var PDFLanguages = []string{"en", "ar"}

// PDFLanguage is the language that a PDF is asked for in: ?language=, by default the page's.
func (s *Server) PDFLanguage(c echo.Context) (string, error) {
	language := c.QueryParam("language")
	if language == "" {
		return s.Chrome(c).Lang, nil
	}
	if !slices.Contains(PDFLanguages, language) {
		return "", InvalidChoice("language", PDFLanguages)
	}
	return language, nil
}
