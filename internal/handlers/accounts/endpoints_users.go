package accounts

import (
	"net/http"

	"sanad/internal/domain/access"
	"sanad/internal/handlers/web"
)

// userEndpoints are the endpoints of the administration of people.
func (s *server) userEndpoints() []web.Endpoint {
	return []web.Endpoint{
		{Method: http.MethodGet, Path: "/admin/users", Action: access.ManageUsers, Handle: s.listUsers},
		{Method: http.MethodPost, Path: "/admin/users", Action: access.ManageUsers, Reauth: true,
			Handle: web.SmallForm(s.addUser)},
		{Method: http.MethodGet, Path: "/admin/users/:id", Action: access.ManageUsers, Handle: s.showUser},
		{
			Method: http.MethodPost, Path: "/admin/users/:id/role", Action: access.ManageUsers, Reauth: true,
			Handle: web.SmallForm(s.setRole),
		},
		{
			Method: http.MethodPost, Path: "/admin/users/:id/title", Action: access.ManageUsers, Reauth: true,
			Handle: web.SmallForm(s.setTitle),
		},
		{
			Method: http.MethodPost, Path: "/admin/users/:id/disable", Action: access.ManageUsers, Reauth: true,
			Handle: s.disableUser,
		},
		{
			Method: http.MethodPost, Path: "/admin/users/:id/enable", Action: access.ManageUsers, Reauth: true,
			Handle: s.enableUser,
		},
		{
			Method: http.MethodPost, Path: "/admin/users/:id/password", Action: access.ManageUsers, Reauth: true,
			Handle: s.renewPassword,
		},
		{
			Method: http.MethodPost, Path: "/admin/users/:id/totp-off", Action: access.ManageUsers, Reauth: true,
			Handle: s.removeTOTP,
		},
	}
}
