package accounts

import (
	"net/http"

	"sanad/internal/domain/access"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/apidoc"
	"sanad/internal/openapi"
)

// keyEndpoints are the endpoints of the store's keys, and of other stores' keys that are trusted.
func (s *server) keyEndpoints() []web.Endpoint {
	return []web.Endpoint{
		{Method: http.MethodGet, Path: "/admin/keys", Action: access.ManageKeys, Handle: s.listKeys},
		{Method: http.MethodGet, Path: "/admin/keys/public", Action: access.ManageKeys, Handle: s.downloadKey},
		{Method: http.MethodGet, Path: "/admin/keys/:purpose/rotate", Action: access.ManageKeys, Handle: s.askRotate},
		{
			Method: http.MethodPost, Path: "/admin/keys/:purpose/rotate", Action: access.ManageKeys, Reauth: true,
			Handle: s.rotateKey,
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
		{
			Method: http.MethodPost, Path: "/admin/keys/trusted", Action: access.ManageKeys, Reauth: true,
			Handle: web.SmallForm(s.trustKey),
		},
		{
			Method: http.MethodPost, Path: "/admin/keys/trusted/remove", Action: access.ManageKeys, Reauth: true,
			Handle: web.SmallForm(s.distrustKey),
		},
	}
}
