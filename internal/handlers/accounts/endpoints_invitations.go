package accounts

import (
	"net/http"

	"sanad/internal/domain/access"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/apidoc"
)

// invitationEndpoints are the endpoints of invitations: who invites, who accepts.
func (s *server) invitationEndpoints() []web.Endpoint {
	return []web.Endpoint{
		{Method: http.MethodGet, Path: "/admin/invitations", Action: access.ManageUsers, Handle: s.showInvitations},
		{
			Method: http.MethodPost, Path: "/admin/invitations", Action: access.ManageUsers, Reauth: true,
			Handle: web.SmallForm(s.invite),
		},
		{
			Method: http.MethodGet, Path: "/api/v1/invitations", Action: access.ManageUsers,
			Doc: &apidoc.Doc{
				ID: "listInvitations", Tag: "invitations", Summary: "List the invitations that wait",
				Description: "By login name and by link, the newest first, at most 100. One that the person declined is among " +
					"them until it lapses. No answer shows a link again.",
				Answers: []apidoc.Answer{{
					Status: "200", Description: "The invitations.", Body: apidoc.RowsOf("invitations", apiInvitation{}),
				}},
			},
			Handle: s.apiListInvitations,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/invitations", Action: access.ManageUsers,
			Doc: &apidoc.Doc{
				ID: "invite", Tag: "invitations", Summary: "Invite somebody who has an account to your organisation",
				Description: "The login name is one of the whole installation. The answer is the same whether anybody has it; " +
					"who has it is shown the invitation for 14 days, and joins by accepting it. 409 if that person is in your " +
					"organisation, if the name is invited already, or if 100 invitations wait. Only a person with the password " +
					"invites, and the membership counts as given by them (rule P-22).",
				Reads: invitationInput{}, Example: map[string]any{"login": "noura", "role": "reviewer", "password": "…"},
				Conflicts: true,
				Answers: []apidoc.Answer{
					{Status: "201", Description: "The invitation.", Body: apiInvitation{}}, web.WaitsAnswer,
				},
			},
			Secrets: []string{"password", "code"}, Idempotent: web.WithBody(s.apiInvite),
		},
		{
			Method: http.MethodPost, Path: "/api/v1/invitations/link", Action: access.ManageUsers,
			Doc: &apidoc.Doc{
				ID: "inviteByLink", Tag: "invitations", Summary: "Make a link by which somebody creates their account",
				Description: "Whoever uses the link chooses name, login name and password, and has the role. It can be " +
					"used once, within 1 to 30 days. Pass it on yourself: no e-mail is sent. The link is only in this answer, so " +
					"the call takes no Idempotency-Key. The e-mail address is that of the account: who uses the link cannot " +
					"change it. 409 if 100 invitations wait. Only a person with the password invites, and the account counts as " +
					"made by them (rule P-22).",
				Reads: linkInput{}, Example: map[string]any{"role": "reviewer", "name": "Noura Al Kaabi", "days": 7, "password": "…"},
				Conflicts: true,
				Answers: []apidoc.Answer{
					{Status: "201", Description: "The invitation and its link.", Body: apiInvitationLink{}},
					{
						Status: "202", Body: apiInvitationLinkAsked{}, Headers: []string{"Location"},
						Description: "The link can be used once a second administrator has confirmed it, whom this organisation " +
							"requires; its days count from then.",
					},
				},
			},
			Handle: s.apiInviteByLink,
		},
		{
			Method: http.MethodPost, Path: "/admin/invitations/:invitation/withdraw", Action: access.ManageUsers,
			Handle: s.withdrawInvitation,
		},
		{
			Method: http.MethodDelete, Path: "/api/v1/invitations/:id", Action: access.ManageUsers,
			Doc: &apidoc.Doc{
				ID: "withdrawInvitation", Tag: "invitations", Summary: "Withdraw an invitation",
				Description: "Its link, if it has one, can no longer be used.",
				Answers:     []apidoc.Answer{{Status: "204", Description: "It is withdrawn."}},
			},
			Idempotent: s.apiWithdrawInvitation,
		},
		// whoever has an invitation's link may make the one account that it is for, and do nothing else
		{Method: http.MethodGet, Path: joinPath + ":token", Action: access.Public, Handle: s.showJoin},
		{Method: http.MethodPost, Path: joinPath + ":token", Action: access.Public, Handle: web.SmallForm(s.join)},
		{Method: http.MethodGet, Path: "/account/invitations", Action: access.UseAccount, Handle: s.showInvited},
		{
			Method: http.MethodGet, Path: "/api/v1/account/invitations", Action: access.UseAccount,
			Doc: &apidoc.Doc{
				ID: "listOwnInvitations", Tag: "account", Summary: "List the invitations to you",
				Description: "Those of other organisations that you can accept or decline, the newest first.",
				Answers: []apidoc.Answer{{
					Status: "200", Description: "The invitations.", Body: apidoc.RowsOf("invitations", apiInvited{}),
				}},
			},
			Handle: s.apiListInvited,
		},
		{
			Method: http.MethodPost, Path: "/account/invitations/:invitation/accept", Action: access.UseAccount,
			Reauth: true, Handle: s.acceptInvitation,
		},
		// asks for the password itself
		{
			Method: http.MethodPost, Path: "/api/v1/account/invitations/:id/accept", Action: access.UseAccount,
			Doc: &apidoc.Doc{
				ID: "acceptInvitation", Tag: "account", Summary: "Accept an invitation",
				Description: "You join that organisation with the role. From then on, only you and the operator can change " +
					"your account itself.",
				Reads: confirmInput{}, Example: map[string]any{"password": "…"},
				Answers: []apidoc.Answer{{Status: "200", Description: "What you accepted.", Body: apiInvited{}}},
			},
			Secrets: []string{"password", "code"}, Idempotent: web.WithBody(s.apiAcceptInvitation),
		},
		{
			Method: http.MethodPost, Path: "/account/invitations/:invitation/decline", Action: access.UseAccount,
			Handle: s.declineInvitation,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/account/invitations/:id/decline", Action: access.UseAccount,
			Doc: &apidoc.Doc{
				ID: "declineInvitation", Tag: "account", Summary: "Decline an invitation",
				Description: "That organisation is not told, and cannot show you another one before this one lapses.",
				Reads:       apidoc.NoFields, BodyOptional: true,
				Answers: []apidoc.Answer{{Status: "204", Description: "It is declined."}},
			},
			Idempotent: web.WithoutBody(s.apiDeclineInvitation),
		},
	}
}
