package accounts

import (
	"net/http"

	"sanad/internal/domain/access"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/apidoc"
)

// accountEndpoints are the endpoints of one's own account: password, one-time codes, devices, mail.
func (s *server) accountEndpoints() []web.Endpoint {
	return []web.Endpoint{
		{Method: http.MethodGet, Path: "/account", Action: access.UseAccount, Handle: s.showAccount},
		{Method: http.MethodPost, Path: "/account/tenant", Action: access.UseAccount,
			Handle: web.SmallForm(s.switchTenant)},
		{Method: http.MethodPost, Path: "/account/title", Action: access.UseAccount,
			Handle: web.SmallForm(s.saveTitle)},
		// asks for the current one itself
		{Method: http.MethodPost, Path: "/account/password", Action: access.UseAccount,
			Handle: web.SmallForm(s.changePassword)},
		{
			Method: http.MethodPost, Path: "/account/totp/new", Action: access.UseAccount, Reauth: true,
			Handle: s.newTOTP,
		},
		{
			Method: http.MethodPost, Path: "/account/totp", Action: access.UseAccount, Reauth: true,
			Handle: web.SmallForm(s.enableTOTP),
		},
		{
			Method: http.MethodPost, Path: "/account/totp/off", Action: access.UseAccount, Reauth: true,
			Handle: web.SmallForm(s.disableTOTP),
		},
		{
			Method: http.MethodPost, Path: "/account/devices/:id/end", Action: access.UseAccount, Reauth: true,
			Handle: s.endDevice,
		},
		{
			Method: http.MethodPost, Path: "/account/devices/end", Action: access.UseAccount, Reauth: true,
			Handle: s.endOtherDevices,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/account/changes", Action: access.UseAccount,
			Doc: &apidoc.Doc{
				ID: "listAccountChanges", Tag: "account", Summary: "List changes of your account",
				Description: "Who changed what of your account here: password, role, access, one-time codes, tokens, the " +
					"link with your organisation's login. The newest 20.",
				Answers: []apidoc.Answer{{
					Status: "200", Description: "The changes.", Body: apidoc.RowsOf("changes", apiAccountChange{}),
				}},
			},
			Handle: s.apiListAccountChanges,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/account/title", Action: access.UseAccount,
			Doc: &apidoc.Doc{
				ID: "showJobTitle", Tag: "account", Summary: "Read your job title",
				Description: "What stands beside your name when you sign a pack; \"\" if none.",
				Answers:     []apidoc.Answer{{Status: "200", Description: "The job title.", Body: apiJobTitle{}}},
			},
			Handle: s.apiShowTitle,
		},
		{
			Method: http.MethodPut, Path: "/api/v1/account/title", Action: access.UseAccount,
			Doc: &apidoc.Doc{
				ID: "setJobTitle", Tag: "account", Summary: "Change your job title",
				Description: "Up to 100 characters, \"\" for none. Packs that you have signed keep the title you had then.",
				Reads:       apiJobTitle{}, Example: map[string]any{"title": "Head of Procurement"},
				Answers: []apidoc.Answer{{Status: "200", Description: "The job title as it is now.", Body: apiJobTitle{}}},
			},
			Idempotent: s.apiSetTitle,
		},
		{Method: http.MethodPost, Path: "/account/mail", Action: access.UseAccount, Handle: web.SmallForm(s.saveMail)},
		{
			Method: http.MethodGet, Path: "/api/v1/account/mail", Action: access.UseAccount,
			Doc: &apidoc.Doc{
				ID: "showMailSettings", Tag: "account", Summary: "Read what you get by e-mail",
				Description: "For each kind of notification: once (soon after it happened), daily (in the daily summary) " +
					"or off. address is null if your account has none that this organisation's mails may go to; " +
					"available is false if no mail server is set up.",
				Answers: []apidoc.Answer{{Status: "200", Description: "The settings.", Body: apiMailSettings{}}},
			},
			Handle: s.apiMailSettings,
		},
		{
			Method: http.MethodPut, Path: "/api/v1/account/mail", Action: access.UseAccount,
			Doc: &apidoc.Doc{
				ID: "setMailSettings", Tag: "account", Summary: "Change what you get by e-mail",
				Description: "Kinds that are left out stay as they are, and so does the language.",
				Reads:       mailInput{},
				Example: map[string]any{"lang": "ar", "choices": []any{
					map[string]any{"kind": "mentioned", "when": "daily"}}},
				Answers: []apidoc.Answer{{Status: "200", Description: "The settings as they are now.", Body: apiMailSettings{}}},
			},
			Idempotent: s.apiSetMailSettings,
		},
		// whoever has the mail may stop the mails: the address proves that we sent it, and allows nothing else
		{Method: http.MethodGet, Path: "/mail/off", Action: access.Public, Handle: s.askMailOff},
		{Method: http.MethodPost, Path: "/mail/off", Action: access.Public, Handle: s.mailOff},
	}
}
