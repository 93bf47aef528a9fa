package packs

import (
	"net/http"

	"sanad/internal/domain/access"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/apidoc"
)

// signOffEndpoints are the endpoints of the sign-off: a pack is submitted, approved or returned.
func (s *server) signOffEndpoints() []web.Endpoint {
	return []web.Endpoint{
		{
			Method: http.MethodPost, Path: "/packs/:id/submit", Action: access.DraftPack, Object: web.EvidencePack,
			Handle: s.submitPack,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/packs/:id/submit", Action: access.DraftPack,
			Object:  web.EvidencePack,
			IfMatch: web.OptionalMatch("pack"),
			Doc: &apidoc.Doc{
				ID: "submitPack", Tag: "packs", Summary: "Submit a draft for review",
				Description: "Freezes pack.json. A draft that breaks rules is refused; errors lists all of them, and " +
					"warnings what is worth a look.",
				Reads: apidoc.NoFields, BodyOptional: true, Conflicts: true, Answers: []apidoc.Answer{aPack},
			},
			Idempotent: web.WithoutBody(s.apiSubmitPack),
		},
		{
			Method: http.MethodGet, Path: "/packs/:id/sign", Action: access.DecidePack, Object: web.EvidencePack,
			Handle: s.signPack,
		},
		// asks for the password itself
		{
			Method: http.MethodPost, Path: "/packs/:id/approve", Action: access.DecidePack, Object: web.EvidencePack,
			Handle: web.Form(web.MaxForm, s.approvePack),
		},
		// asks for the password itself
		{
			Method: http.MethodPost, Path: "/api/v1/packs/:id/approve", Action: access.DecidePack,
			Object: web.EvidencePack, IfMatch: web.OptionalMatch("pack"),
			Doc: &apidoc.Doc{
				ID: "approvePack", Tag: "packs", Summary: "Approve a pack",
				Description: "The last approval that is needed signs the pack off. Only for people who have not " +
					"made or edited any version of it, with their password; a machine's token gets 403. With " +
					"digest, only a pack with these bytes is approved. With for, a deputy approves for that person, whose " +
					"seat it takes. Alarms that it does not acknowledge are " +
					"answered 422 with their ids in missing.",
				Reads: approvalInput{}, Example: map[string]any{"password": "…", "comment": "Read and agreed."},
				Conflicts: true, Answers: []apidoc.Answer{aPack},
			},
			Secrets: proofMembers, Idempotent: web.WithBody(s.apiApprovePack),
		},
		{
			Method: http.MethodGet, Path: "/api/v1/packs/:id/waits", Action: access.ReadPack, Object: web.EvidencePack,
			Doc: &apidoc.Doc{
				ID: "showWaits", Tag: "packs", Summary: "Read for whom a pack waits",
				Description: "Who may approve a pack in review and has not, and since when it waits. What waits for somebody " +
					"who has a deputy waits for the deputy. Nobody waits for a pack that is not in review. ways are the ways in which " +
					"you may approve it; with dead_end, nobody may give the approval that is then still needed, so that the " +
					"pack could not be signed off.",
				Answers: []apidoc.Answer{{Status: "200", Description: "For whom it waits.", Body: apiWaits{}}},
			},
			Handle: s.apiShowWaits,
		},
		{
			Method: http.MethodGet, Path: "/packs/:id/return", Action: access.DecidePack, Object: web.EvidencePack,
			Handle: s.returningPack,
		},
		{
			Method: http.MethodPost, Path: "/packs/:id/return", Action: access.DecidePack, Object: web.EvidencePack,
			Handle: web.Form(web.MaxForm, s.returnPack),
		},
		{
			Method: http.MethodPost, Path: "/api/v1/packs/:id/return", Action: access.DecidePack,
			Object: web.EvidencePack, IfMatch: web.OptionalMatch("pack"),
			Doc: &apidoc.Doc{
				ID: "returnPack", Tag: "packs", Summary: "Return a pack to its authors",
				Description: "Only for people.",
				Reads:       reasonInput{}, Example: map[string]any{"reason": "Name the hospital."}, Conflicts: true,
				Answers: []apidoc.Answer{aPack},
			},
			Idempotent: web.WithBody(s.apiReturnPack),
		},
	}
}
