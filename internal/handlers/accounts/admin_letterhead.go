package accounts

import (
	"io"
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain/letterhead"
	"sanad/internal/handlers/web"
	accountsviews "sanad/internal/views/accounts"
)

// maxLetterForm bounds the form of the letterhead, in bytes: a logo and two texts.
const maxLetterForm = letterhead.MaxLogo + 64<<10

// showLetterhead shows the letterhead of the tenant.
func (s *server) showLetterhead(c echo.Context) error {
	t, err := s.Store.Tenant(c.Request().Context(), s.Who(c).Tenant)
	if err != nil {
		return err
	}
	return s.letterheadPage(c, http.StatusOK, accountsviews.LetterheadForm{Name: t.Letter.Name, Address: t.Letter.Address,
		HasLogo: len(t.Letter.Logo) > 0})
}

// letterLogo returns the logo that is set, as the form shows it.
func (s *server) letterLogo(c echo.Context) error {
	t, err := s.Store.Tenant(c.Request().Context(), s.Who(c).Tenant)
	if err != nil {
		return err
	}
	if len(t.Letter.Logo) == 0 {
		return echo.ErrNotFound
	}
	kind := "image/svg+xml"
	if letterhead.IsPNG(t.Letter.Logo) {
		kind = "image/png"
	}
	c.Response().Header().Set("Content-Security-Policy", "default-src 'none'; sandbox") // opened by itself it is a page
	return c.Blob(http.StatusOK, kind, t.Letter.Logo)
}

func (s *server) letterheadPage(c echo.Context, status int, form accountsviews.LetterheadForm) error {
	return s.Render(c, status, accountsviews.Letterhead(accountsviews.NewLetterheadPage(s.Chrome(c), form)))
}

// saveLetterhead changes the letterhead. A form without a logo keeps the one that is there, unless it is to be removed.
func (s *server) saveLetterhead(c echo.Context) error {
	ctx, who := c.Request().Context(), s.Who(c)
	if err := web.ParseForm(c, maxLetterForm); err != nil {
		return err
	}
	t, err := s.Store.Tenant(ctx, who.Tenant)
	if err != nil {
		return err
	}
	given, err := logoForm(c.Request())
	if err != nil {
		return err
	}
	l := letterhead.Letterhead{Name: c.FormValue("letter_name"), Address: c.FormValue("letter_address"),
		Logo: t.Letter.Logo}
	switch {
	case len(given) > 0:
		l.Logo = given
	case c.FormValue("remove_logo") != "":
		l.Logo = nil
	}
	if err := s.Store.SetLetterhead(ctx, who, l); err != nil {
		fault := web.FormFault(err, "", nil)
		if fault == nil {
			return err
		}
		return s.letterheadPage(c, web.FaultOf(err).Status, accountsviews.LetterheadForm{Name: l.Name, Address: l.Address,
			HasLogo: len(t.Letter.Logo) > 0, Fault: fault})
	}
	return web.SeeOther(c, "/admin/letterhead?done=saved")
}

// logoForm returns the file of the form, nil if none was chosen.
func logoForm(r *http.Request) ([]byte, error) {
	if r.MultipartForm == nil {
		return nil, nil
	}
	defer r.MultipartForm.RemoveAll() //nolint:errcheck // what is left is removed with the folder of the uploads
	files := r.MultipartForm.File["letter_logo"]
	if len(files) == 0 {
		return nil, nil
	}
	f, err := files[0].Open()
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // only read
	return io.ReadAll(f)
}
