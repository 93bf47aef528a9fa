package packs

import (
	"net/http"

	"sanad/internal/domain/access"
	"sanad/internal/domain/pack"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/apidoc"
)

// retentionEndpoints are the endpoints of a pack's legal hold and purge.
func (s *server) retentionEndpoints() []web.Endpoint {
	return []web.Endpoint{
		{
			Method: http.MethodPost, Path: "/packs/:id/hold", Action: access.HoldPack, Object: web.EvidencePack,
			Handle: web.Form(web.MaxForm, s.holdPack),
		},
		{
			Method: http.MethodPost, Path: "/api/v1/packs/:id/hold", Action: access.HoldPack, Object: web.EvidencePack,
			IfMatch: web.OptionalMatch("pack"),
			Doc: &apidoc.Doc{
				ID: "holdPack", Tag: "retention", Summary: "Put a pack under legal hold", Reads: reasonInput{},
				Conflicts: true, Answers: []apidoc.Answer{aPack},
			},
			Idempotent: s.apiSetHold,
		},
		{
			Method: http.MethodPost, Path: "/packs/:id/unhold", Action: access.HoldPack, Object: web.EvidencePack,
			Handle: web.Form(web.MaxForm, s.unholdPack),
		},
		{
			Method: http.MethodPost, Path: "/api/v1/packs/:id/hold/lift", Action: access.HoldPack,
			Object: web.EvidencePack, IfMatch: web.OptionalMatch("pack"),
			Doc: &apidoc.Doc{
				ID: "liftHold", Tag: "retention", Summary: "Lift a legal hold", Reads: reasonInput{}, Conflicts: true,
				Answers: []apidoc.Answer{aPack, web.WaitsAnswer},
			},
			Idempotent: s.apiLiftHold,
		},
		{
			Method: http.MethodPost, Path: "/packs/:id/purge", Action: access.PurgePack, Object: web.EvidencePack,
			Reauth: true, Handle: s.askPurge,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/packs/:id/purge", Action: access.PurgePack,
			Object: web.EvidencePack,
			Doc: &apidoc.Doc{
				ID: "askPurge", Tag: "retention", Summary: "Ask for a purge",
				Description: "A dry run: nothing is deleted before a second person confirms. Possible only after " +
					"retain_until, and never under a legal hold.",
				Reads: apidoc.NoFields, BodyOptional: true, Conflicts: true,
				Answers: []apidoc.Answer{{Status: "201", Description: "What would be deleted.", Body: apiPurge{}}},
			},
			Idempotent: web.WithoutBody(s.apiAskPurge),
		},
		{Method: http.MethodGet, Path: "/admin/retention", Action: access.ConfirmPackPurge, Handle: s.showRetention},
		{
			Method: http.MethodGet, Path: "/api/v1/pack-purges", Action: access.ConfirmPackPurge,
			Doc: &apidoc.Doc{
				ID: "listPurges", Tag: "retention", Summary: "List purges",
				Answers: []apidoc.Answer{{
					Status:      "200",
					Description: "Requests that wait for a second person, packs that may be purged, and tombstones.",
					Body:        apiPurges{},
				}},
			},
			Handle: s.apiListPurges,
		},
		{
			Method: http.MethodPost, Path: "/admin/retention/:purge/confirm", Action: access.ConfirmPackPurge,
			Object: web.EvidencePack, Names: web.OfPackPurge("purge"),
			Reauth: true, Handle: s.confirmPurge,
		},
		// asks for the password itself
		{
			Method: http.MethodPost, Path: "/api/v1/pack-purges/:id/confirm", Action: access.ConfirmPackPurge,
			Object: web.EvidencePack, Names: web.OfPackPurge("id"),
			Doc: &apidoc.Doc{
				ID: "confirmPurge", Tag: "retention", Summary: "Confirm a purge",
				Description: "By a second person: the pack is deleted, its tombstone stays.",
				Reads:       passwordInput{}, Example: map[string]any{"password": "…"}, Conflicts: true,
				Answers: []apidoc.Answer{{Status: "200", Description: "The tombstone.", Body: pack.Tombstone{}}},
			},
			Secrets: proofMembers, Idempotent: web.WithBody(s.apiConfirmPurge),
		},
		{
			Method: http.MethodPost, Path: "/admin/retention/:purge/refuse", Action: access.ConfirmPackPurge,
			Object: web.EvidencePack, Names: web.OfPackPurge("purge"),
			Handle: s.refusePurge,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/pack-purges/:id/refuse", Action: access.ConfirmPackPurge,
			Object: web.EvidencePack, Names: web.OfPackPurge("id"),
			Doc: &apidoc.Doc{
				ID: "refusePurge", Tag: "retention", Summary: "Refuse a purge", Reads: apidoc.NoFields, BodyOptional: true,
				Conflicts: true, Answers: []apidoc.Answer{{Status: "204", Description: "The request is refused."}},
			},
			Idempotent: web.WithoutBody(s.apiRefusePurge),
		},
	}
}
