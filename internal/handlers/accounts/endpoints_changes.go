package accounts

import (
	"net/http"

	"sanad/internal/domain/access"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/apidoc"
)

// changeEndpoints are the endpoints of changes that a second administrator confirms, and of the duty of a second
// factor.
func (s *server) changeEndpoints() []web.Endpoint {
	aChange := apidoc.Answer{Status: "200", Description: "The request.", Body: web.APIChange{}}
	return []web.Endpoint{
		{Method: http.MethodGet, Path: "/admin/changes", Action: access.ConfirmChange, Handle: s.showChanges},
		{
			Method: http.MethodGet, Path: "/api/v1/changes", Action: access.ConfirmChange,
			Doc: &apidoc.Doc{
				ID: "listChanges", Tag: "changes", Summary: "List changes that need a second administrator",
				Description: "Those that wait first, then the newest; at most 100.",
				Answers: []apidoc.Answer{{
					Status: "200", Description: "The requests.", Body: apidoc.RowsOf("changes", web.APIChange{}),
				}},
			},
			Handle: s.apiListChanges,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/changes/:id", Action: access.ConfirmChange,
			Doc: &apidoc.Doc{
				ID: "showChange", Tag: "changes", Summary: "Read one change request",
				Answers: []apidoc.Answer{{Status: "200", Description: "The request.", Body: apiChangeShown{}}},
			},
			Handle: s.apiShowChange,
		},
		{
			Method: http.MethodPost, Path: "/admin/changes/:change/confirm", Action: access.ConfirmChange, Reauth: true,
			Handle: s.confirmChange,
		},
		// asks for the password itself
		{
			Method: http.MethodPost, Path: "/api/v1/changes/:id/confirm", Action: access.ConfirmChange,
			Doc: &apidoc.Doc{
				ID: "confirmChange", Tag: "changes", Summary: "Confirm a change as the second administrator",
				Description: "It takes effect at once. The person who asked cannot confirm it, nor can anybody who counts as one " +
					"person with them (rule P-22): one of the two set up the other's account, password, role, token or " +
					"one-time code within 30 days, or one person did so for both, directly or through others.",
				Reads: confirmInput{}, Example: map[string]any{"password": "…"}, Conflicts: true,
				Answers: []apidoc.Answer{aChange},
			},
			Secrets: []string{"password", "code"}, Idempotent: web.WithBody(s.apiConfirmChange),
		},
		{
			Method: http.MethodPost, Path: "/admin/changes/:change/refuse", Action: access.ConfirmChange,
			Handle: s.refuseChange,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/changes/:id/refuse", Action: access.ConfirmChange,
			Doc: &apidoc.Doc{
				ID: "refuseChange", Tag: "changes", Summary: "Refuse a change", Reads: apidoc.NoFields, BodyOptional: true,
				Conflicts: true, Answers: []apidoc.Answer{aChange},
			},
			Idempotent: web.WithoutBody(s.apiRefuseChange),
		},
		{
			Method: http.MethodPost, Path: "/admin/changes/:change/withdraw", Action: access.ConfirmChange,
			Handle: s.withdrawChange,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/changes/:id/withdraw", Action: access.ConfirmChange,
			Doc: &apidoc.Doc{
				ID: "withdrawChange", Tag: "changes", Summary: "Take back your own request", Reads: apidoc.NoFields,
				BodyOptional: true, Conflicts: true, Answers: []apidoc.Answer{aChange},
			},
			Idempotent: web.WithoutBody(s.apiWithdrawChange),
		},
		{
			Method: http.MethodGet, Path: "/api/v1/second-admin", Action: access.ManageTenant,
			Doc: &apidoc.Doc{
				ID: "showSecondAdmin", Tag: "changes", Summary: "Read whether a second administrator is required",
				Description: "For roles, resets, new approvers and administrators, access, the sign-off policy, shorter retention " +
					"periods and lifting legal holds: while there are two administrators, and for 30 days after one of two " +
					"was disabled or demoted.",
				Answers: []apidoc.Answer{{Status: "200", Description: "Whether it is.", Body: apiDemand{}}},
			},
			Handle: s.apiShowDemand,
		},
		{
			Method: http.MethodPost, Path: "/admin/tenant/second-factor", Action: access.ManageTenant, Reauth: true,
			Handle: web.SmallForm(s.saveSecondFactor),
		},
		{
			Method: http.MethodGet, Path: "/api/v1/second-factor", Action: access.ManageTenant,
			Doc: &apidoc.Doc{
				ID: "showSecondFactor", Tag: "changes", Summary: "Read whether a second factor is required",
				Answers: []apidoc.Answer{{Status: "200", Description: "The setting.", Body: apiFactor{}}},
			},
			Handle: s.apiShowFactor,
		},
		{
			Method: http.MethodPut, Path: "/api/v1/second-factor", Action: access.ManageTenant,
			Doc: &apidoc.Doc{
				ID: "setSecondFactor", Tag: "changes", Summary: "Require a second factor of approvers and administrators, or no longer",
				Description: "409 if the caller has none. Where a second administrator is required, switching it off needs " +
					"that one: 202.",
				Reads: factorInput{}, Example: map[string]any{"required": true, "password": "…", "code": "123456"}, Conflicts: true,
				Answers: []apidoc.Answer{{Status: "200", Description: "The setting.", Body: apiFactor{}}, web.WaitsAnswer},
			},
			Secrets: []string{"password", "code"}, Idempotent: web.WithBody(s.apiSetFactor),
		},
	}
}
