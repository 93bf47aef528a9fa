package packs

import (
	"net/http"
	"slices"

	"sanad/internal/domain/access"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/limits"
)

// Endpoints returns the endpoints of decisions and their evidence packs: drafts, sign-off, exports, retention.
func Endpoints(core *web.Server, traceViewer string) []web.Endpoint {
	s := &server{Server: core, traceViewer: traceViewer}
	return slices.Concat(s.pages(), s.mendPages(), s.commentPages(), []web.Endpoint{s.dueEndpoint()}, s.packCalls(), s.mendCalls(), s.commentCalls(), s.dueCalls(),
		s.signedCalls())
}

// pages are the pages and forms.
func (s *server) pages() []web.Endpoint {
	return []web.Endpoint{
		{
			Method: http.MethodGet, Path: "/downloads/packs/:token", Work: limits.ExportWork, Action: access.AskPackExport,
			Object: web.EvidencePack, Names: web.OfPackLink,
			Handle: s.downloadPack,
		},
		{Method: http.MethodGet, Path: "/packs", Action: access.ReadPack, Handle: s.listPacks},
		{Method: http.MethodGet, Path: "/packs/new", Action: access.DraftPack, Handle: s.newPack},
		{Method: http.MethodPost, Path: "/packs/new", Action: access.ImportDecision,
			Handle: web.Form(maxMendForm, s.importDecision)},
		{Method: http.MethodPost, Path: "/packs", Action: access.DraftPack, Handle: web.SmallForm(s.createPack)},
		{
			Method: http.MethodGet, Path: "/packs/:id", Action: access.ReadPack, Object: web.EvidencePack,
			Handle: s.showPack,
		},
		{
			Method: http.MethodGet, Path: "/packs/:id/erased", Action: access.ReadPack, Object: web.EvidencePack,
			Handle: s.sendErased,
		},
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
			Method: http.MethodPost, Path: "/packs/:id/submit", Action: access.DraftPack, Object: web.EvidencePack,
			Handle: s.submitPack,
		},
		{
			Method: http.MethodGet, Path: "/packs/:id/compare", Action: access.ReadPack, Object: web.EvidencePack,
			Handle: s.comparePack,
		},
		{
			Method: http.MethodGet, Path: "/packs/:id/sign", Action: access.DecidePack, Object: web.EvidencePack,
			Handle: s.signPack,
		},
		{
			Method: http.MethodGet, Path: "/packs/:id/return", Action: access.DecidePack, Object: web.EvidencePack,
			Handle: s.returningPack,
		},
		// asks for the password itself
		{
			Method: http.MethodPost, Path: "/packs/:id/approve", Action: access.DecidePack, Object: web.EvidencePack,
			Handle: web.Form(web.MaxForm, s.approvePack),
		},
		{
			Method: http.MethodPost, Path: "/packs/:id/return", Action: access.DecidePack, Object: web.EvidencePack,
			Handle: web.Form(web.MaxForm, s.returnPack),
		},
		{
			Method: http.MethodPost, Path: "/packs/:id/versions", Action: access.DraftPack, Object: web.EvidencePack,
			Handle: s.newVersion,
		},
		{
			Method: http.MethodPost, Path: "/packs/:id/exports", Action: access.ExportPack, Object: web.EvidencePack,
			Handle: s.makeExport,
		},
		{
			Method: http.MethodPost, Path: "/packs/:id/exports/ask", Action: access.AskPackExport,
			Object: web.EvidencePack, Handle: s.askExport,
		},
		{
			Method: http.MethodPost, Path: "/packs/:id/exports/:export/grant", Action: access.ExportPack,
			Object: web.EvidencePack, Reauth: true, Handle: s.grantExport,
		},
		{
			Method: http.MethodPost, Path: "/packs/:id/exports/:export/refuse", Action: access.ExportPack,
			Object: web.EvidencePack, Handle: web.Form(web.MaxForm, s.denyExport),
		},
		{
			Method: http.MethodPost, Path: "/packs/:id/exports/:export/link", Action: access.AskPackExport,
			Object: web.EvidencePack, Handle: s.linkExport,
		},
		{
			Method: http.MethodGet, Path: "/packs/:id/attachments/:sha256", Action: access.ReadPack,
			Object: web.EvidencePack, Handle: s.downloadAttachment,
		},
		{
			Method: http.MethodGet, Path: "/packs/:id/parts", Action: access.ExportPack, Object: web.EvidencePack,
			Handle: s.showParts,
		},
		{
			Method: http.MethodPost, Path: "/packs/:id/parts/proof", Action: access.ExportPack,
			Object: web.EvidencePack,
			Handle: web.Form(web.MaxForm, s.provePart),
		},
		{
			Method: http.MethodPost, Path: "/packs/:id/parts/redacted", Work: limits.RedactWork, Action: access.ExportPack,
			Object: web.EvidencePack, Handle: web.Form(web.MaxForm, s.redactParts),
		},
		{
			Method: http.MethodPost, Path: "/packs/:id/hold", Action: access.HoldPack, Object: web.EvidencePack,
			Handle: web.Form(web.MaxForm, s.holdPack),
		},
		{
			Method: http.MethodPost, Path: "/packs/:id/unhold", Action: access.HoldPack, Object: web.EvidencePack,
			Handle: web.Form(web.MaxForm, s.unholdPack),
		},
		{
			Method: http.MethodPost, Path: "/packs/:id/purge", Action: access.PurgePack, Object: web.EvidencePack,
			Reauth: true, Handle: s.askPurge,
		},
		{Method: http.MethodGet, Path: "/admin/policy", Action: access.ManageTenant, Handle: s.showPolicy},
		{Method: http.MethodPost, Path: "/admin/policy", Action: access.ManageTenant,
			Handle: web.SmallForm(s.savePolicy)},
		{Method: http.MethodGet, Path: "/admin/retention", Action: access.ConfirmPackPurge, Handle: s.showRetention},
		{
			Method: http.MethodPost, Path: "/admin/retention/:purge/confirm", Action: access.ConfirmPackPurge,
			Object: web.EvidencePack, Names: web.OfPackPurge("purge"),
			Reauth: true, Handle: s.confirmPurge,
		},
		{
			Method: http.MethodPost, Path: "/admin/retention/:purge/refuse", Action: access.ConfirmPackPurge,
			Object: web.EvidencePack, Names: web.OfPackPurge("purge"),
			Handle: s.refusePurge,
		},
	}
}
