package accounts

import (
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/notify"
	"sanad/internal/handlers/web"
	accountsviews "sanad/internal/views/accounts"
	"sanad/internal/views/ui"
)

// mailPanel is what the account's page shows of mail, nil where none is sent.
func (s *server) mailPanel(c echo.Context) (*accountsviews.MailPanel, error) {
	if s.Mail == nil {
		return nil, nil
	}
	stored, to, err := s.Store.MailSettings(c.Request().Context(), s.Who(c))
	return &accountsviews.MailPanel{Address: to.Address, Lang: stored.Lang, Choices: stored.Choices,
		Daily: s.Mail.Daily.In(to.Zone).String()}, err
}

// saveMail takes the form of the account's page.
func (s *server) saveMail(c echo.Context) error {
	changes := notify.Choices{}
	for _, k := range notify.Kinds {
		if v := c.FormValue("mail_" + string(k)); v != "" {
			changes[k] = notify.Choice(v)
		}
	}
	_, err := s.setMail(c, s.Who(c), c.FormValue("lang"), changes)
	if domain.KindOf(err) == domain.Invalid {
		return s.accountPage(c, http.StatusUnprocessableEntity, &ui.FormFault{Field: "mail", Word: "mail_choice"})
	}
	if err != nil {
		return err
	}
	return web.SeeOther(c, "/account?done=mail#mail")
}

// setMail stores changed settings of a person; lang "" leaves the language.
func (s *server) setMail(c echo.Context, who access.Actor, lang string, changes notify.Choices) (db.MailSettings, error) {
	if lang != "" && !slices.Contains([]string{"en", "ar"}, lang) {
		return db.MailSettings{}, domain.Refuse(domain.Invalid, "lang", "refused_choose_language")
	}
	return s.Store.SetMailSettings(c.Request().Context(), who, func(m db.MailSettings) (db.MailSettings, error) {
		if lang != "" {
			m.Lang = lang
		}
		var err error
		m.Choices, err = m.Choices.With(changes)
		return m, err
	})
}

// askMailOff shows the button that stops mails. Opening the address changes nothing: programs that check mails open it
// too.
func (s *server) askMailOff(c echo.Context) error {
	page := accountsviews.MailOffPage{Chrome: s.Chrome(c), Token: c.QueryParam("t")}
	if _, _, page.Good = notify.ReadOffToken(s.Keys.MAC, page.Token, s.Now()); !page.Good {
		return s.Render(c, http.StatusNotFound, accountsviews.MailOff(&page))
	}
	return s.Render(c, http.StatusOK, accountsviews.MailOff(&page))
}

// mailOff stops all mails to the person of a mail: the button's form, and mail programs that ask by RFC 8058. The body
// says nothing that matters.
func (s *server) mailOff(c echo.Context) error {
	page := accountsviews.MailOffPage{Chrome: s.ChromeAt(c, "/mail/off")}
	tenant, user, ok := notify.ReadOffToken(s.Keys.MAC, c.QueryParam("t"), s.Now())
	if !ok {
		return s.Render(c, http.StatusNotFound, accountsviews.MailOff(&page))
	}
	_, err := s.setMail(c, access.Actor{Tenant: tenant, ID: user}, "", notify.AllOff())
	if err != nil && domain.KindOf(err) != domain.NotFound { // who has left gets none anyway
		return err
	}
	page.Good, page.Done = true, true
	return s.Render(c, http.StatusOK, accountsviews.MailOff(&page))
}

// apiMailSettings are what a person gets by mail.
type apiMailSettings struct {
	Available bool            `json:"available"`
	Address   *string         `json:"address"`
	Lang      *string         `json:"lang"`  // null until it is known
	Daily     *string         `json:"daily"` // when the daily summary is sent
	Choices   []apiMailChoice `json:"choices"`
}

// apiMailChoice is when a person is told by mail of one kind of notification.
type apiMailChoice struct {
	Kind string `json:"kind"`
	When string `json:"when"` // once, daily or off
}

func (s *server) newAPIMailSettings(m *db.MailSettings, to db.MailTarget) apiMailSettings {
	out := apiMailSettings{Available: s.Mail != nil, Address: web.OrNull(to.Address), Lang: web.OrNull(m.Lang)}
	if s.Mail != nil {
		out.Daily = web.OrNull(s.Mail.Daily.In(to.Zone).String())
	}
	for _, k := range notify.Kinds {
		out.Choices = append(out.Choices, apiMailChoice{string(k), string(m.Choices.Of(k))})
	}
	return out
}

func (s *server) apiMailSettings(c echo.Context) error {
	who := s.Who(c)
	if !who.Human {
		return web.MachineDenied()
	}
	m, to, err := s.Store.MailSettings(c.Request().Context(), who)
	if err != nil {
		return err
	}
	return web.SendJSON(c, http.StatusOK, s.newAPIMailSettings(&m, to))
}

// mailInput is the body of PUT /account/mail.
type mailInput struct {
	Lang    *string         `json:"lang"`
	Choices []apiMailChoice `json:"choices"`
}

func (s *server) apiSetMailSettings(c echo.Context) (web.Reply, error) {
	who := s.Who(c)
	if !who.Human {
		return web.Reply{}, web.MachineDenied()
	}
	var in mailInput
	if err := web.Decode(c, &in); err != nil {
		return web.Reply{}, err
	}
	changes, lang := notify.Choices{}, ""
	for _, x := range in.Choices {
		changes[notify.Kind(x.Kind)] = notify.Choice(x.When)
	}
	if in.Lang != nil {
		if lang = strings.TrimSpace(*in.Lang); lang == "" {
			return web.Reply{}, domain.Refuse(domain.Invalid, "lang", "refused_choose_language")
		}
	}
	m, err := s.setMail(c, who, lang, changes)
	if err != nil {
		return web.Reply{}, err
	}
	_, to, err := s.Store.MailSettings(c.Request().Context(), who)
	return web.Reply{Status: http.StatusOK, Body: s.newAPIMailSettings(&m, to)}, err
}
