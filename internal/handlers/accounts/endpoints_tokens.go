package accounts

import (
	"net/http"

	"sanad/internal/domain/access"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/apidoc"
)

// tokenEndpoints are the endpoints of tokens: one's own, and those of the tenant.
func (s *server) tokenEndpoints() []web.Endpoint {
	return []web.Endpoint{
		{
			Method: http.MethodPost, Path: "/account/tokens", Action: access.UseAccount, Reauth: true,
			Handle: web.SmallForm(s.addOwnToken),
		},
		{
			Method: http.MethodGet, Path: "/api/v1/account/tokens", Action: access.UseAccount,
			Doc: &apidoc.Doc{
				ID: "listOwnTokens", Tag: "account", Summary: "List your own tokens",
				Description: "The newest 100 that act as you here, with when each was last used.",
				Answers: []apidoc.Answer{{
					Status: "200", Description: "The tokens.", Body: apidoc.RowsOf("tokens", apiToken{}),
				}},
			},
			Handle: s.apiListOwnTokens,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/account/tokens", Action: access.UseAccount,
			Doc: &apidoc.Doc{
				ID: "addOwnToken", Tag: "account", Summary: "Create a token that acts as you",
				Description: "It can never do more than you can. It is valid for 1 to 365 days. The secret is only in this " +
					"answer, so the call takes no Idempotency-Key.",
				Reads: ownTokenInput{}, Example: map[string]any{"name": "Nightly import", "days": 90, "password": "…"},
				Answers: []apidoc.Answer{{
					Status: "201", Description: "The token and its secret.", Body: apiTokenSecret{},
				}},
			},
			Handle: s.apiAddOwnToken,
		},
		{
			Method: http.MethodPost, Path: "/account/tokens/:id/revoke", Action: access.UseAccount,
			Handle: s.revokeOwnToken,
		},
		{
			Method: http.MethodDelete, Path: "/api/v1/account/tokens/:id", Action: access.UseAccount,
			Doc: &apidoc.Doc{
				ID: "revokeOwnToken", Tag: "account", Summary: "Revoke one of your own tokens",
				Description: "The next request with it is refused.",
				Answers:     []apidoc.Answer{{Status: "204", Description: "It is revoked."}},
			},
			Idempotent: s.apiRevokeOwnToken,
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
	}
}
