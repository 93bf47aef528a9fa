package accounts

import (
	"net/http"

	"sanad/internal/domain/access"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/apidoc"
)

// account are the operations of the API about the caller's own account.
func (s *server) account() []web.Endpoint {
	return []web.Endpoint{
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
			Method: http.MethodDelete, Path: "/api/v1/account/tokens/:id", Action: access.UseAccount,
			Doc: &apidoc.Doc{
				ID: "revokeOwnToken", Tag: "account", Summary: "Revoke one of your own tokens",
				Description: "The next request with it is refused.",
				Answers:     []apidoc.Answer{{Status: "204", Description: "It is revoked."}},
			},
			Idempotent: s.apiRevokeOwnToken,
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
	}
}
