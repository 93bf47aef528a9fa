package handlers

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain/access"
)

// route is one line of the map: who may come (action), and what :id names (object).
type route struct {
	method, path string
	action       access.Action
	object       string // kind of the object that :id names; "" where the action is on the tenant
	handle       echo.HandlerFunc
	fresh        bool // asks for a password given in the last minutes (db.FreshFor)
}

// evidencePack is what a pack is called in questions to the Authorizer.
const evidencePack = "evidence_pack"

// routes is the flat map of the product (spec page 5). A route that is not in it does not exist, and each says what one
// must be allowed to do (spec page 4 "Access").
func (s *Server) routes() []route {
	const get, post, put, patch, del = http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete
	return []route{
		// operators
		{get, "/healthz", access.Public, "", s.health, false},
		{get, "/readyz", access.Public, "", s.ready, false},
		{get, "/metrics", access.Public, "", s.showMetrics, false}, // asks for the operator's token

		// assets, named with their checksum
		{get, "/static/:name", access.Public, "", asset(staticAssets), false},
		{get, "/fonts/:name", access.Public, "", asset(fontAssets), false},
		{get, "/verify.html", access.Public, "", showVerifyPage, false}, // checks a downloaded pack, in the browser alone

		// logins
		{get, "/login", access.Public, "", s.showLogin, false},
		{post, "/login", access.Public, "", s.logIn, false},
		{get, "/login/code", access.Public, "", s.showCode, false},
		{post, "/login/code", access.Public, "", s.giveCode, false},
		{get, "/login/oidc", access.Public, "", s.startOIDC, false},
		{get, "/login/oidc/callback", access.Public, "", s.finishOIDC, false},
		{post, "/logout", access.Public, "", s.logOut, false},
		{get, "/confirm", access.UseAccount, "", s.showConfirm, false},
		{post, "/confirm", access.UseAccount, "", s.confirm, false},

		// one's own account
		{get, "/account", access.UseAccount, "", s.showAccount, false},
		{post, "/account/tenant", access.UseAccount, "", s.switchTenant, false},
		{post, "/account/password", access.UseAccount, "", s.changePassword, false}, // asks for the current one itself
		{post, "/account/totp/new", access.UseAccount, "", s.newTOTP, true},
		{post, "/account/totp", access.UseAccount, "", s.enableTOTP, true},
		{post, "/account/totp/off", access.UseAccount, "", s.disableTOTP, true},
		{post, "/account/devices/:id/end", access.UseAccount, "", s.endDevice, false},
		{post, "/account/devices/end", access.UseAccount, "", s.endOtherDevices, false},

		// administration
		{get, "/admin", access.ManageUsers, "", s.showAdmin, false},
		{get, "/admin/users", access.ManageUsers, "", s.listUsers, false},
		{post, "/admin/users", access.ManageUsers, "", s.addUser, true},
		{get, "/admin/users/:id", access.ManageUsers, "", s.showUser, false},
		{post, "/admin/users/:id/role", access.ManageUsers, "", s.setRole, true},
		{post, "/admin/users/:id/disable", access.ManageUsers, "", s.disableUser, true},
		{post, "/admin/users/:id/enable", access.ManageUsers, "", s.enableUser, true},
		{post, "/admin/users/:id/password", access.ManageUsers, "", s.renewPassword, true},
		{post, "/admin/users/:id/totp-off", access.ManageUsers, "", s.removeTOTP, true},
		{get, "/admin/tokens", access.ManageTokens, "", s.listTokens, false},
		{post, "/admin/tokens", access.ManageTokens, "", s.addToken, true},
		{get, "/admin/tokens/:id/revoke", access.ManageTokens, "", s.askRevoke, false},
		{post, "/admin/tokens/:id/revoke", access.ManageTokens, "", s.revokeToken, true},
		{get, "/admin/keys", access.ManageKeys, "", s.listKeys, false},
		{get, "/admin/keys/public", access.ManageKeys, "", s.downloadKey, false},
		{get, "/admin/keys/:purpose/rotate", access.ManageKeys, "", s.askRotate, false},
		{post, "/admin/keys/:purpose/rotate", access.ManageKeys, "", s.rotateKey, true},
		{get, "/admin/redaction", access.ManageTenant, "", s.showRedaction, false},
		{post, "/admin/redaction", access.ManageTenant, "", s.saveRedaction, false},
		{get, "/admin/tenant", access.ManageTenant, "", s.showTenant, false},
		{post, "/admin/tenant", access.ManageTenant, "", s.saveTenant, false},

		{get, "/admin/webhooks", access.ManageTenant, "", s.listWebhooks, false},
		{post, "/admin/webhooks", access.ManageTenant, "", s.addWebhook, true},
		{get, "/admin/webhooks/:id", access.ManageTenant, "", s.showWebhook, false},
		{post, "/admin/webhooks/:id/test", access.ManageTenant, "", s.testWebhook, true},
		{post, "/admin/webhooks/:id/disable", access.ManageTenant, "", s.disableWebhook, true},
		{post, "/admin/webhooks/:id/enable", access.ManageTenant, "", s.enableWebhook, true},
		{post, "/admin/webhooks/:id/rotate", access.ManageTenant, "", s.rotateWebhook, true},
		{post, "/admin/webhooks/:id/remove", access.ManageTenant, "", s.removeWebhook, true},

		// the audit log
		{get, "/audit", access.ReadAudit, "", s.showAudit, false},
		{post, "/audit/verify", access.ReadAudit, "", s.verifyAudit, false},
		{get, "/audit/export", access.ReadAudit, "", s.exportAudit, false},
		{get, "/audit/checkpoint", access.ReadAudit, "", s.downloadCheckpoint, false},

		// pages
		{get, "/", access.ReadLedger, "", s.showHome, false},
		{get, "/dashboard", access.ReadLedger, "", s.showDashboard, false},
		{get, "/sessions", access.ReadLedger, "", s.listSessions, false},
		{get, "/sessions/new", access.ImportLedger, "", s.newSession, false},
		{post, "/sessions", access.ImportLedger, "", s.createSession, false},
		{get, "/sessions/:id", access.ReadLedger, "session", s.showSession, false},
		{get, "/sessions/:id/claims/:n", access.ReadLedger, "session", s.showClaim, false},
		{post, "/sessions/:id/claims/:n/reviews", access.ReviewClaim, "session", s.createReview, false},
		{get, "/sessions/:id/confirm", access.ReviewClaim, "session", s.showBulk, false},
		{post, "/sessions/:id/confirm", access.ReviewClaim, "session", s.confirmBulk, false},
		{post, "/sessions/:id/undo", access.ReviewClaim, "session", s.undoBulk, false},
		{post, "/sessions/:id/close", access.ReviewClaim, "session", s.closeSession, false},
		{post, "/sessions/:id/reopen", access.ReviewClaim, "session", s.reopenSession, false},
		{post, "/sessions/:id/reviewers", access.ReviewClaim, "session", s.setReviewers, false}, // others than oneself: AssignReview
		{get, "/sessions/:id/export/:format", access.ExportLedger, "session", s.downloadSession, false},
		{get, "/sessions/:id/citations/:hash", access.ReadLedger, "session", s.showCitation, false},
		{post, "/sessions/:id/judge", access.ImportLedger, "session", s.judgeSession, false},
		{get, "/sessions/:id/runs/:n", access.ReadLedger, "session", s.showRun, false},
		{get, "/search", access.ReadLedger, "", s.showFind, false},
		{get, "/views", access.ReadLedger, "", s.listViews, false},
		{post, "/views", access.ReadLedger, "", s.saveView, false}, // one's own; to share it: ReviewClaim
		{post, "/views/:id", access.ReadLedger, "", s.changeView, false},
		{post, "/views/:id/delete", access.ReadLedger, "", s.deleteView, false}, // of others: ManageTenant
		{get, "/jobs", access.ReadLedger, "", s.listJobs, false},
		{get, "/jobs/:id", access.ReadLedger, "", s.showJob, false},
		{get, "/jobs/:id/events", access.ReadLedger, "", s.watchJob, false},
		{post, "/jobs/:id/cancel", access.ImportLedger, "", s.cancelJob, false},
		{get, "/documents/:id", access.ReadLedger, "document", s.showDocument, false},
		{post, "/documents/:id/withdraw", access.ImportLedger, "document", s.withdrawDocument, false},
		{post, "/documents/:id/replace", access.ImportLedger, "document", s.replaceDocument, false},
		{get, "/documents/:id/original", access.ReadLedger, "document", s.downloadOriginal, false},
		{get, "/downloads/:token", access.ExportLedger, "", s.download, false},
		{get, "/downloads/packs/:token", access.AskPackExport, "", s.downloadPack, false},

		// evidence packs
		{get, "/packs", access.ReadPack, "", s.listPacks, false},
		{get, "/packs/new", access.DraftPack, "", s.newPack, false},
		{post, "/packs", access.DraftPack, "", s.createPack, false},
		{get, "/packs/:id", access.ReadPack, evidencePack, s.showPack, false},
		{get, "/packs/:id/edit", access.DraftPack, evidencePack, s.editPack, false},
		{post, "/packs/:id/edit", access.DraftPack, evidencePack, s.saveDraft, false},
		{post, "/packs/:id/submit", access.DraftPack, evidencePack, s.submitPack, false},
		{get, "/packs/:id/compare", access.ReadPack, evidencePack, s.comparePack, false},
		{post, "/packs/:id/approve", access.DecidePack, evidencePack, s.approvePack, false}, // asks for the password itself
		{post, "/packs/:id/return", access.DecidePack, evidencePack, s.returnPack, false},
		{post, "/packs/:id/versions", access.DraftPack, evidencePack, s.newVersion, false},
		{post, "/packs/:id/exports", access.ExportPack, evidencePack, s.makeExport, false},
		{post, "/packs/:id/exports/ask", access.AskPackExport, evidencePack, s.askExport, false},
		{post, "/packs/:id/exports/:export/grant", access.ExportPack, evidencePack, s.grantExport, true},
		{post, "/packs/:id/exports/:export/refuse", access.ExportPack, evidencePack, s.denyExport, false},
		{post, "/packs/:id/exports/:export/link", access.AskPackExport, evidencePack, s.linkExport, false},
		{get, "/packs/:id/attachments/:sha256", access.ReadPack, evidencePack, s.downloadAttachment, false},
		{get, "/packs/:id/parts", access.ExportPack, evidencePack, s.showParts, false},
		{post, "/packs/:id/parts/proof", access.ExportPack, evidencePack, s.provePart, false},
		{post, "/packs/:id/parts/redacted", access.ExportPack, evidencePack, s.redactParts, false},
		{post, "/packs/:id/hold", access.HoldPack, evidencePack, s.holdPack, false},
		{post, "/packs/:id/unhold", access.HoldPack, evidencePack, s.unholdPack, false},
		{post, "/packs/:id/purge", access.PurgePack, evidencePack, s.askPurge, true},
		{get, "/admin/retention", access.ConfirmPackPurge, "", s.showRetention, false},
		{post, "/admin/retention/:purge/confirm", access.ConfirmPackPurge, "", s.confirmPurge, true},
		{post, "/admin/retention/:purge/refuse", access.ConfirmPackPurge, "", s.refusePurge, false},

		// evidence bundles
		{get, "/bundles", access.ReadBundle, "", s.listBundles, false},
		{get, "/bundles/:id", access.ReadBundle, "", s.showBundle, false},
		{get, "/bundles/:id/artifact", access.ReadBundle, "", s.downloadBundle, false},

		// the API and what describes it
		{get, "/api/v1/openapi.json", access.Public, "", s.apiShowOpenAPI, false},
		{get, "/docs/api", access.Public, "", s.showAPI, false},
		{get, "/api/v1/sessions", access.ReadLedger, "", s.apiListSessions, false},
		{post, "/api/v1/sessions", access.ImportLedger, "", s.apiCreateSession, false},
		{get, "/api/v1/sessions/:id/ledger", access.ReadLedger, "session", s.apiShowLedger, false},
		{post, "/api/v1/sessions/:id/judge", access.ImportLedger, "session", s.apiJudge, false},
		{get, "/api/v1/sessions/:id/runs", access.ReadLedger, "session", s.apiListRuns, false},
		{get, "/api/v1/sessions/:id/runs/:n/claims", access.ReadLedger, "session", s.apiShowRun, false},
		{get, "/api/v1/sessions/:id/runs/:n/changes", access.ReadLedger, "session", s.apiShowRunChanges, false},
		{post, "/api/v1/sessions/:id/ledger/export", access.ExportLedger, "session", s.apiExportLedger, false},
		{post, "/api/v1/sessions/:id/claims/:n/reviews", access.ReviewClaim, "session", s.apiCreateReview, false},
		{post, `/api/v1/sessions/:id/reviews\:bulk`, access.ReviewClaim, "session", s.apiBulkReview, false},
		{get, "/api/v1/sessions/:id", access.ReadLedger, "session", s.apiShowSession, false},
		{post, "/api/v1/sessions/:id/close", access.ReviewClaim, "session", s.apiCloseSession, false},
		{post, "/api/v1/sessions/:id/reopen", access.ReviewClaim, "session", s.apiReopenSession, false},
		{post, "/api/v1/sessions/:id/reviewers", access.ReviewClaim, "session", s.apiSetReviewers, false}, // others than oneself: AssignReview
		{post, "/api/v1/documents/:id/withdraw", access.ImportLedger, "document", s.apiWithdraw, false},
		{post, "/api/v1/documents/:id/replace", access.ImportLedger, "document", s.apiReplace, false},
		{get, "/api/v1/search", access.ReadLedger, "", s.apiFind, false},
		{get, "/api/v1/jobs", access.ReadLedger, "", s.apiListJobs, false},
		{get, "/api/v1/jobs/:id", access.ReadLedger, "", s.apiShowJob, false},
		{post, "/api/v1/jobs/:id/cancel", access.ImportLedger, "", s.apiCancelJob, false},
		{get, "/api/v1/stats", access.ReadLedger, "", s.apiShowStats, false},
		{get, "/api/v1/citations/:hash", access.ReadLedger, "", s.apiShowCitation, false},
		{post, "/api/v1/evidence-maps", access.ReadLedger, "", s.apiCreateEvidenceMap, false},
		{post, `/api/v1/sources\:pack`, access.ReadLedger, "", s.apiPackSources, false}, // the colon is part of the address

		// decisions and packs in the API
		{get, "/api/v1/decisions", access.ReadPack, "", s.apiListDecisions, false},
		{post, "/api/v1/decisions", access.ImportDecision, "", s.apiCreateDecision, false},
		{get, "/api/v1/decisions/:id", access.ReadPack, "", s.apiShowDecision, false}, // the caller's id
		{get, "/api/v1/packs", access.ReadPack, "", s.apiListPacks, false},
		{post, "/api/v1/packs", access.DraftPack, "", s.apiCreatePack, false},
		{get, "/api/v1/packs/:id", access.ReadPack, evidencePack, s.apiShowPack, false},
		{patch, "/api/v1/packs/:id", access.DraftPack, evidencePack, s.apiUpdatePack, false},
		{post, "/api/v1/packs/:id/submit", access.DraftPack, evidencePack, s.apiSubmitPack, false},
		{post, "/api/v1/packs/:id/approve", access.DecidePack, evidencePack, s.apiApprovePack, false}, // asks for the password itself
		{post, "/api/v1/packs/:id/return", access.DecidePack, evidencePack, s.apiReturnPack, false},
		{get, "/api/v1/packs/:id/versions", access.ReadPack, evidencePack, s.apiListVersions, false},
		{post, "/api/v1/packs/:id/versions", access.DraftPack, evidencePack, s.apiNewVersion, false},
		{get, "/api/v1/packs/:id/changes", access.ReadPack, evidencePack, s.apiShowChanges, false},
		{get, "/api/v1/packs/:id/dsse", access.ReadPack, evidencePack, s.apiShowEnvelope, false},
		{get, "/api/v1/packs/:id/proofs/:kind/:part", access.ExportPack, evidencePack, s.apiProvePart, false},
		{post, "/api/v1/packs/:id/redacted", access.ExportPack, evidencePack, s.apiRedactPack, false},
		{post, "/api/v1/packs/:id/export", access.AskPackExport, evidencePack, s.apiExportPack, false},
		{post, "/api/v1/packs/:id/hold", access.HoldPack, evidencePack, s.apiSetHold, false},
		{post, "/api/v1/packs/:id/hold/lift", access.HoldPack, evidencePack, s.apiLiftHold, false},
		{post, "/api/v1/packs/:id/purge", access.PurgePack, evidencePack, s.apiAskPurge, false},
		{get, "/api/v1/pack-exports", access.AskPackExport, "", s.apiListExports, false},
		{post, "/api/v1/pack-exports/:id/grant", access.ExportPack, "", s.apiGrantExport, false}, // asks for the password itself
		{post, "/api/v1/pack-exports/:id/refuse", access.ExportPack, "", s.apiRefuseExport, false},
		{post, "/api/v1/pack-exports/:id/link", access.AskPackExport, "", s.apiLinkExport, false},
		{get, "/api/v1/pack-purges", access.ConfirmPackPurge, "", s.apiListPurges, false},
		{post, "/api/v1/pack-purges/:id/confirm", access.ConfirmPackPurge, "", s.apiConfirmPurge, false}, // asks for the password itself
		{post, "/api/v1/pack-purges/:id/refuse", access.ConfirmPackPurge, "", s.apiRefusePurge, false},

		// webhooks in the API
		{get, "/api/v1/webhooks", access.ManageTenant, "", s.apiListWebhooks, false},
		{post, "/api/v1/webhooks", access.ManageTenant, "", s.apiCreateWebhook, false},
		{get, "/api/v1/webhooks/:id", access.ManageTenant, "", s.apiShowWebhook, false},
		{patch, "/api/v1/webhooks/:id", access.ManageTenant, "", s.apiUpdateWebhook, false},
		{del, "/api/v1/webhooks/:id", access.ManageTenant, "", s.apiRemoveWebhook, false},
		{post, "/api/v1/webhooks/:id/rotate", access.ManageTenant, "", s.apiRotateWebhook, false},
		{post, "/api/v1/webhooks/:id/test", access.ManageTenant, "", s.apiTestWebhook, false},
		{get, "/api/v1/webhooks/:id/deliveries", access.ManageTenant, "", s.apiListDeliveries, false},

		// evidence bundles and the lake in the API
		{get, "/api/v1/bundles", access.ReadBundle, "", s.apiListBundles, false},
		{post, "/api/v1/bundles", access.BuildBundle, "", s.apiCreateBundle, false},
		{get, "/api/v1/bundles/:id", access.ReadBundle, "", s.apiShowBundle, false},
		{post, "/api/v1/bundles/:id/runs", access.BuildBundle, "", s.apiLinkRun, false},
		{get, "/api/v1/lake/*", access.ReadBundle, "", s.apiGetArtifact, false},
		{put, "/api/v1/lake/*", access.WriteLake, "", s.apiPutArtifact, false},
	}
}

// devRoutes are those of the demo alone; elsewhere they do not exist. What they show or keep is no tenant's.
func (s *Server) devRoutes() []route {
	var out []route
	if s.gallery {
		out = append(out, route{http.MethodGet, "/dev/gallery", access.Public, "", s.showGallery, false})
	}
	if s.guide != "" {
		out = append(out, route{http.MethodPost, "/dev/guide", access.UseAccount, "", s.setGuide, false})
	}
	return out
}
