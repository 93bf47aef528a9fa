package notify

import (
	"net/http"

	"sanad/internal/domain/access"
	"sanad/internal/handlers/web"
)

// Endpoints returns the endpoints of notifications, and of the administration of mail (rule N-5).
func Endpoints(core *web.Server) []web.Endpoint {
	s := &server{core}
	return []web.Endpoint{
		{Method: http.MethodGet, Path: "/admin/mail", Action: access.ManageTenant, Handle: s.showMail},
		{Method: http.MethodPost, Path: "/admin/mail/test", Action: access.ManageTenant, Handle: s.testMail},
		{Method: http.MethodPost, Path: "/admin/mail/titles", Action: access.ManageTenant, Reauth: true,
			Handle: web.SmallForm(s.setTitles)},
		{Method: http.MethodGet, Path: "/notifications", Action: access.UseAccount, Handle: s.list},
		{Method: http.MethodPost, Path: "/notifications/read", Action: access.UseAccount,
			Handle: web.SmallForm(s.readAll)},
		{Method: http.MethodPost, Path: "/notifications/:no/read", Action: access.UseAccount, Handle: s.read},
	}
}
