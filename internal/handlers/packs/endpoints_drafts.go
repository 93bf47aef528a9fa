package packs

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain/access"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/apidoc"
	"sanad/internal/handlers/web/limits"
	"sanad/internal/openapi"
)

// draftEndpoints are the endpoints by which a draft is edited, mended and discarded.
func (s *server) draftEndpoints() []web.Endpoint {
	post := func(path string, handle echo.HandlerFunc) web.Endpoint {
		return web.Endpoint{Method: http.MethodPost, Path: path, Action: access.DraftPack, Object: web.EvidencePack,
			Handle: handle}
	}
	return []web.Endpoint{
		{
			Method: http.MethodGet, Path: "/packs/:id/edit", Action: access.DraftPack, Object: web.EvidencePack,
			Handle: s.editPack,
		},
		{
			Method: http.MethodPost, Path: "/packs/:id/edit", Action: access.DraftPack, Object: web.EvidencePack,
			Handle: s.saveDraft,
		},
		{
			Method: http.MethodPost, Path: "/packs/:id/preview", Action: access.DraftPack, Object: web.EvidencePack,
			Handle: s.previewDraft,
		},
		{
			Method: http.MethodGet, Path: "/packs/:id/mend", Action: access.DraftPack, Object: web.EvidencePack,
			Handle: s.mendPage,
		},
		post("/packs/:id/mend", web.Form(maxMendForm, s.saveMended)),
		{
			Method: http.MethodPatch, Path: "/api/v1/packs/:id", Action: access.DraftPack, Object: web.EvidencePack,
			IfMatch: web.RequiredMatch("pack"),
			Doc: &apidoc.Doc{
				ID: "editPack", Tag: "packs", Summary: "Mend a draft",
				Description: "Fields that are left out stay unchanged; sources and tool_calls replace all of the draft's. " +
					"Each change is logged with its reason. The decision stays as it was received; mended in the answer lists " +
					"the places in which the draft differs from it.",
				Reads:     packChange{},
				Example:   map[string]any{"memo": map[string]any{"title_en": "Fit of Riyadh Hospital"}},
				Conflicts: true, Answers: []apidoc.Answer{aPack},
			},
			Idempotent: web.WithBody(s.apiUpdatePack),
		},
		{
			Method: http.MethodGet, Path: "/packs/:id/session", Action: access.DraftPack, Object: web.EvidencePack,
			Handle: s.sessionPage,
		},
		post("/packs/:id/session", web.Form(web.MaxForm, s.linkSession)),
		{
			Method: http.MethodPut, Path: "/api/v1/packs/:id/session", Action: access.DraftPack,
			Object: web.EvidencePack, IfMatch: web.OptionalMatch("pack"),
			Doc: &apidoc.Doc{
				ID: "linkSession", Tag: "packs", Summary: "Link a review session to a draft",
				Description: "The draft copies the ledger of this session, and the originals of its documents become files. An " +
					"empty session_id is the session that the decision names. If that one is here, no other is taken (409). The " +
					"decision stays as it was received; mended in the answer names ledger_session_id.",
				Reads:     sessionLink{},
				Example:   map[string]any{"session_id": "", "reason": "The answer was reviewed in another session."},
				Conflicts: true, Answers: []apidoc.Answer{aPack},
			},
			Idempotent: web.WithBody(s.apiLinkSession),
		},
		post("/packs/:id/attachments", s.attachFile),
		{
			Method: http.MethodPost, Path: "/api/v1/packs/:id/attachments", Action: access.DraftPack,
			Object: web.EvidencePack, IfMatch: web.OptionalMatch("pack"),
			Doc: &apidoc.Doc{
				ID: "attachFile", Tag: "packs", Summary: "Attach a file to a draft",
				Description: "A PDF, a picture (PNG, JPEG, GIF, WebP) or plain text of at most 10 MiB; the type is found by the " +
					"content. What a browser could run, such as SVG, is refused. Or, in place of content, the file of a version of " +
					"a document of the library, which both keep once, of at most 10 MiB too: the library's kinds are taken as they " +
					"are, HTML and mails among them, and name, by default that of the file, may not end as another kind's.",
				Reads: attachmentInput{}, Example: map[string]any{"name": "minutes.txt", "content": "TWludXRlcw=="},
				Conflicts: true, Answers: []apidoc.Answer{newPack},
			},
			Idempotent: web.WithBody(s.apiAttach),
		},
		{
			Method: http.MethodDelete, Path: "/api/v1/packs/:id/attachments", Action: access.DraftPack,
			Object: web.EvidencePack, IfMatch: web.OptionalMatch("pack"),
			Doc: &apidoc.Doc{
				ID: "detachFile", Tag: "packs", Summary: "Remove a file from a draft",
				Query: []*openapi.Parameter{
					apidoc.TextOf("sha256", "Which file, as attachments lists it."), apidoc.TextOf("reason", "Why; it is logged."),
				},
				Reads: apidoc.NoFields, BodyOptional: true, Conflicts: true, Answers: []apidoc.Answer{aPack},
			},
			Idempotent: s.apiDetach,
		},
		post("/packs/:id/attachments/remove", web.Form(web.MaxForm, s.detachFile)),
		{
			Method: http.MethodGet, Path: "/packs/:id/attachments/:sha256", Action: access.CopyFile,
			Object: web.EvidencePack, Handle: s.downloadAttachment,
		},
		post("/packs/:id/departures", web.Form(web.MaxForm, s.decideCall)),
		{
			Method: http.MethodPost, Path: "/api/v1/packs/:id/departures", Action: access.DraftPack,
			Object: web.EvidencePack, IfMatch: web.OptionalMatch("pack"),
			Doc: &apidoc.Doc{
				ID: "decideDeparture", Tag: "packs", Summary: "Decide whether a tool call departed from its intent",
				Description: "Where its words can't tell (departure.result is cannot_tell). Only for people; until then the call " +
					"counts as unverified.",
				Reads:     departureInput{},
				Example:   map[string]any{"tool_call": 1, "departed": false, "reason": "The same record by another name."},
				Conflicts: true, Answers: []apidoc.Answer{aPack},
			},
			Idempotent: web.WithBody(s.apiDecideDeparture),
		},
		post("/packs/:id/discard", web.Form(web.MaxForm, s.discardPack)),
		{
			Method: http.MethodPost, Path: "/api/v1/packs/:id/discard", Action: access.DraftPack,
			Object: web.EvidencePack, IfMatch: web.OptionalMatch("pack"),
			Doc: &apidoc.Doc{
				ID: "discardPack", Tag: "packs", Summary: "Discard a draft",
				Description: "It stays readable and is never signed; the decision may get another draft.",
				Reads:       reasonInput{}, Example: map[string]any{"reason": "The decision was taken back."},
				Conflicts: true, Answers: []apidoc.Answer{aPack},
			},
			Idempotent: web.WithBody(s.apiDiscardPack),
		},
		{
			Method: http.MethodGet, Path: "/packs/:id/draft.pdf", Work: limits.ExportWork, Action: access.DraftPack, Object: web.EvidencePack,
			Handle: s.draftPDF,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/packs/:id/draft.pdf", Work: limits.ExportWork, Action: access.DraftPack,
			Object: web.EvidencePack,
			Doc: &apidoc.Doc{
				ID: "draftPDF", Tag: "packs", Summary: "Read a pack as a PDF before it is signed",
				Description: "Each page says that it is a draft, not signed. 409 once the pack is signed off.",
				Query:       []*openapi.Parameter{apidoc.ChoiceOf("language", "Both by default.", web.PDFLanguages...)}, Conflicts: true,
				Answers: []apidoc.Answer{{Status: "200", Description: "The PDF.", Body: apidoc.PDFBytes{},
					Headers: []string{"Content-Disposition"}}},
			},
			Handle: s.draftPDF,
		},
	}
}
