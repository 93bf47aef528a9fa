package accounts

import (
	"net/http"
	"slices"

	"sanad/internal/auth"
	"sanad/internal/domain/access"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/apidoc"
	"sanad/internal/openapi"
)

// Endpoints returns the endpoints of logins, of one's own account, and of the administration of people, tokens, keys
// and the tenant.
func Endpoints(core *web.Server, oidc *auth.OIDC) []web.Endpoint {
	s := &server{Server: core, oidc: oidc}

	return slices.Concat(s.account(), s.mail(), s.changes(), s.invitations(), []web.Endpoint{
		{Method: http.MethodGet, Path: "/login", Action: access.Public, Handle: s.showLogin},
		{Method: http.MethodPost, Path: "/login", Action: access.Public, Handle: web.SmallForm(s.logIn)},
		{Method: http.MethodGet, Path: "/login/code", Action: access.Public, Handle: s.showCode},
		{Method: http.MethodPost, Path: "/login/code", Action: access.Public, Handle: web.SmallForm(s.giveCode)},
		{Method: http.MethodGet, Path: "/login/oidc", Action: access.Public, Handle: s.showOIDC},
		{Method: http.MethodPost, Path: "/login/oidc", Action: access.Public, Handle: s.startOIDC},
		{Method: http.MethodGet, Path: "/login/oidc/callback", Action: access.Public, Handle: s.finishOIDC},
		{Method: http.MethodPost, Path: "/logout", Action: access.Public, Handle: s.logOut},
		{Method: http.MethodGet, Path: "/confirm", Action: access.UseAccount, Handle: s.showConfirm},
		{Method: http.MethodPost, Path: "/confirm", Action: access.UseAccount, Handle: web.SmallForm(s.confirm)},
		{Method: http.MethodGet, Path: "/account", Action: access.UseAccount, Handle: s.showAccount},
		{Method: http.MethodPost, Path: "/account/tenant", Action: access.UseAccount,
			Handle: web.SmallForm(s.switchTenant)},
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
			Method: http.MethodPost, Path: "/account/tokens", Action: access.UseAccount, Reauth: true,
			Handle: web.SmallForm(s.addOwnToken),
		},
		{
			Method: http.MethodPost, Path: "/account/tokens/:id/revoke", Action: access.UseAccount,
			Handle: s.revokeOwnToken,
		},
		{
			Method: http.MethodPost, Path: "/account/devices/:id/end", Action: access.UseAccount, Reauth: true,
			Handle: s.endDevice,
		},
		{
			Method: http.MethodPost, Path: "/account/devices/end", Action: access.UseAccount, Reauth: true,
			Handle: s.endOtherDevices,
		},
		{Method: http.MethodGet, Path: "/admin", Action: access.ManageUsers, Handle: s.showAdmin},
		{Method: http.MethodGet, Path: "/admin/users", Action: access.ManageUsers, Handle: s.listUsers},
		{Method: http.MethodPost, Path: "/admin/users", Action: access.ManageUsers, Reauth: true,
			Handle: web.SmallForm(s.addUser)},
		{Method: http.MethodGet, Path: "/admin/users/:id", Action: access.ManageUsers, Handle: s.showUser},
		{
			Method: http.MethodPost, Path: "/admin/users/:id/role", Action: access.ManageUsers, Reauth: true,
			Handle: web.SmallForm(s.setRole),
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
		{Method: http.MethodGet, Path: "/admin/tokens", Action: access.ManageTokens, Handle: s.listTokens},
		{
			Method: http.MethodPost, Path: "/admin/tokens", Action: access.ManageTokens, Reauth: true,
			Handle: web.SmallForm(s.addToken),
		},
		{Method: http.MethodGet, Path: "/admin/tokens/:id/revoke", Action: access.ManageTokens, Handle: s.askRevoke},
		{
			Method: http.MethodPost, Path: "/admin/tokens/:id/revoke", Action: access.ManageTokens, Reauth: true,
			Handle: s.revokeToken,
		},
		{Method: http.MethodGet, Path: "/admin/keys", Action: access.ManageKeys, Handle: s.listKeys},
		{Method: http.MethodGet, Path: "/admin/keys/public", Action: access.ManageKeys, Handle: s.downloadKey},
		{Method: http.MethodGet, Path: "/admin/keys/:purpose/rotate", Action: access.ManageKeys, Handle: s.askRotate},
		{
			Method: http.MethodPost, Path: "/admin/keys/:purpose/rotate", Action: access.ManageKeys, Reauth: true,
			Handle: s.rotateKey,
		},
		{
			Method: http.MethodPost, Path: "/admin/keys/trusted", Action: access.ManageKeys, Reauth: true,
			Handle: web.SmallForm(s.trustKey),
		},
		{
			Method: http.MethodPost, Path: "/admin/keys/trusted/remove", Action: access.ManageKeys, Reauth: true,
			Handle: web.SmallForm(s.distrustKey),
		},
		{
			Method: http.MethodGet, Path: "/api/v1/trusted-keys", Action: access.ManageKeys,
			Doc: &apidoc.Doc{
				ID: "listTrustedKeys", Tag: "sessions", Summary: "List the keys of other stores that are trusted",
				Description: "An exported ledger that one of them signed, and that nobody has changed since, is shown as " +
					"reviewed at that store. It settles nothing here.",
				Answers: []apidoc.Answer{{
					Status: "200", Description: "All of them.", Body: apidoc.RowsOf("trusted_keys", apiTrustedKey{}),
				}},
			},
			Handle: s.apiTrustedKeys,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/trusted-keys", Action: access.ManageKeys,
			Doc: &apidoc.Doc{
				ID: "addTrustedKey", Tag: "sessions", Summary: "Trust the key of another store",
				Description: "The public key is PEM, as the other store's page of keys offers it. The store is shown by " +
					"this name.",
				Reads: trustedKeyInput{}, Example: map[string]any{"name": "Head office", "public_key": trustedKeyExample},
				Conflicts: true,
				Answers:   []apidoc.Answer{{Status: "201", Description: "The key.", Body: apiTrustedKey{}}},
			},
			Idempotent: web.WithBody(s.apiTrustKey),
		},
		{
			Method: http.MethodDelete, Path: "/api/v1/trusted-keys", Action: access.ManageKeys,
			Doc: &apidoc.Doc{
				ID: "removeTrustedKey", Tag: "sessions", Summary: "Trust a key no longer",
				Description: "Ledgers that were imported under it keep the store's name.",
				Query:       []*openapi.Parameter{apidoc.TextOf("id", "The key's fingerprint.")},
				Answers:     []apidoc.Answer{{Status: "204", Description: "It is off the list."}},
			},
			Idempotent: s.apiDistrustKey,
		},
		{Method: http.MethodGet, Path: "/admin/redaction", Action: access.ManageTenant, Handle: s.showRedaction},
		{Method: http.MethodPost, Path: "/admin/redaction", Action: access.ManageTenant,
			Handle: web.SmallForm(s.saveRedaction)},
		{Method: http.MethodGet, Path: "/admin/tenant", Action: access.ManageTenant, Handle: s.showTenant},
		{Method: http.MethodPost, Path: "/admin/tenant", Action: access.ManageTenant,
			Handle: web.SmallForm(s.saveTenant)},
	})
}
