package notify

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
	"sanad/internal/handlers/web"
	notifyviews "sanad/internal/views/notify"
	"sanad/internal/views/ui"
)

// listedMails is how many mails the page lists.
const listedMails = 50

func (s *server) showMail(c echo.Context) error { return s.mailPage(c, http.StatusOK, nil) }

func (s *server) mailPage(c echo.Context, status int, fault *ui.FormFault) error {
	ctx, who := c.Request().Context(), s.Who(c)
	in := notifyviews.MailAdminInput{Fault: fault}
	var err error
	if in.Summary, err = s.Store.MailSummary(ctx, who.Tenant, listedMails); err != nil {
		return err
	}
	_, to, err := s.Store.MailSettings(ctx, who)
	if err != nil {
		return err
	}
	in.Address = to.Address
	if s.Mail != nil {
		in.On, in.From, in.Daily = true, s.Mail.From, s.Mail.Daily.In(to.Zone).String()
	}
	return s.Render(c, status, notifyviews.MailAdmin(notifyviews.NewMailAdminPage(s.Chrome(c), in)))
}

// testMail queues a test message to the administrator who asks for it.
func (s *server) testMail(c echo.Context) error {
	if s.Mail == nil {
		return web.NotFound()
	}
	err := s.Store.QueueTestMail(c.Request().Context(), s.Who(c))
	if domain.KindOf(err) == domain.Conflict {
		return s.mailPage(c, http.StatusConflict, web.FormFault(err, "", nil))
	}
	if err != nil {
		return err
	}
	return web.SeeOther(c, "/admin/mail?done=test")
}

// setTitles changes whether mails name the titles of sessions and packs.
func (s *server) setTitles(c echo.Context) error {
	if err := s.Store.SetMailTitles(c.Request().Context(), s.Who(c), c.FormValue("titles") == "1"); err != nil {
		return err
	}
	return web.SeeOther(c, "/admin/mail?done=saved")
}
