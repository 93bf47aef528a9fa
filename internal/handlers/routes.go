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
		{method: get, path: "/healthz", action: access.Public, handle: s.health},
		{method: get, path: "/readyz", action: access.Public, handle: s.ready},
		{
			method: get, path: "/metrics", action: access.Public, handle: s.showMetrics,
		}, // asks for the operator's token

		// assets, named with their checksum
		{method: get, path: "/static/:name", action: access.Public, handle: asset(staticAssets)},
		{method: get, path: "/fonts/:name", action: access.Public, handle: asset(fontAssets)},
		{
			method: get, path: "/verify.html", action: access.Public, handle: showVerifyPage,
		}, // checks a downloaded pack, in the browser alone

		// logins
		{method: get, path: "/login", action: access.Public, handle: s.showLogin},
		{method: post, path: "/login", action: access.Public, handle: s.logIn},
		{method: get, path: "/login/code", action: access.Public, handle: s.showCode},
		{method: post, path: "/login/code", action: access.Public, handle: s.giveCode},
		{method: get, path: "/login/oidc", action: access.Public, handle: s.startOIDC},
		{method: get, path: "/login/oidc/callback", action: access.Public, handle: s.finishOIDC},
		{method: post, path: "/logout", action: access.Public, handle: s.logOut},
		{method: get, path: "/confirm", action: access.UseAccount, handle: s.showConfirm},
		{method: post, path: "/confirm", action: access.UseAccount, handle: s.confirm},

		// one's own account
		{method: get, path: "/account", action: access.UseAccount, handle: s.showAccount},
		{method: post, path: "/account/tenant", action: access.UseAccount, handle: s.switchTenant},
		{
			method: post, path: "/account/password", action: access.UseAccount, handle: s.changePassword,
		}, // asks for the current one itself
		{method: post, path: "/account/totp/new", action: access.UseAccount, handle: s.newTOTP, fresh: true},
		{method: post, path: "/account/totp", action: access.UseAccount, handle: s.enableTOTP, fresh: true},
		{method: post, path: "/account/totp/off", action: access.UseAccount, handle: s.disableTOTP, fresh: true},
		{method: post, path: "/account/devices/:id/end", action: access.UseAccount, handle: s.endDevice},
		{method: post, path: "/account/devices/end", action: access.UseAccount, handle: s.endOtherDevices},

		// administration
		{method: get, path: "/admin", action: access.ManageUsers, handle: s.showAdmin},
		{method: get, path: "/admin/users", action: access.ManageUsers, handle: s.listUsers},
		{method: post, path: "/admin/users", action: access.ManageUsers, handle: s.addUser, fresh: true},
		{method: get, path: "/admin/users/:id", action: access.ManageUsers, handle: s.showUser},
		{method: post, path: "/admin/users/:id/role", action: access.ManageUsers, handle: s.setRole, fresh: true},
		{
			method: post, path: "/admin/users/:id/disable", action: access.ManageUsers, handle: s.disableUser,
			fresh: true,
		},
		{
			method: post, path: "/admin/users/:id/enable", action: access.ManageUsers, handle: s.enableUser,
			fresh: true,
		},
		{
			method: post, path: "/admin/users/:id/password", action: access.ManageUsers,
			handle: s.renewPassword, fresh: true,
		},
		{
			method: post, path: "/admin/users/:id/totp-off", action: access.ManageUsers, handle: s.removeTOTP,
			fresh: true,
		},
		{method: get, path: "/admin/tokens", action: access.ManageTokens, handle: s.listTokens},
		{method: post, path: "/admin/tokens", action: access.ManageTokens, handle: s.addToken, fresh: true},
		{method: get, path: "/admin/tokens/:id/revoke", action: access.ManageTokens, handle: s.askRevoke},
		{
			method: post, path: "/admin/tokens/:id/revoke", action: access.ManageTokens, handle: s.revokeToken,
			fresh: true,
		},
		{method: get, path: "/admin/keys", action: access.ManageKeys, handle: s.listKeys},
		{method: get, path: "/admin/keys/public", action: access.ManageKeys, handle: s.downloadKey},
		{method: get, path: "/admin/keys/:purpose/rotate", action: access.ManageKeys, handle: s.askRotate},
		{
			method: post, path: "/admin/keys/:purpose/rotate", action: access.ManageKeys, handle: s.rotateKey,
			fresh: true,
		},
		{method: get, path: "/admin/redaction", action: access.ManageTenant, handle: s.showRedaction},
		{method: post, path: "/admin/redaction", action: access.ManageTenant, handle: s.saveRedaction},
		{method: get, path: "/admin/tenant", action: access.ManageTenant, handle: s.showTenant},
		{method: post, path: "/admin/tenant", action: access.ManageTenant, handle: s.saveTenant},

		{method: get, path: "/admin/webhooks", action: access.ManageTenant, handle: s.listWebhooks},
		{method: post, path: "/admin/webhooks", action: access.ManageTenant, handle: s.addWebhook, fresh: true},
		{method: get, path: "/admin/webhooks/:id", action: access.ManageTenant, handle: s.showWebhook},
		{
			method: post, path: "/admin/webhooks/:id/test", action: access.ManageTenant, handle: s.testWebhook,
			fresh: true,
		},
		{
			method: post, path: "/admin/webhooks/:id/disable", action: access.ManageTenant,
			handle: s.disableWebhook, fresh: true,
		},
		{
			method: post, path: "/admin/webhooks/:id/enable", action: access.ManageTenant,
			handle: s.enableWebhook, fresh: true,
		},
		{
			method: post, path: "/admin/webhooks/:id/rotate", action: access.ManageTenant,
			handle: s.rotateWebhook, fresh: true,
		},
		{
			method: post, path: "/admin/webhooks/:id/remove", action: access.ManageTenant,
			handle: s.removeWebhook, fresh: true,
		},

		// the audit log
		{method: get, path: "/audit", action: access.ReadAudit, handle: s.showAudit},
		{method: post, path: "/audit/verify", action: access.ReadAudit, handle: s.verifyAudit},
		{method: get, path: "/audit/export", action: access.ReadAudit, handle: s.exportAudit},
		{method: get, path: "/audit/checkpoint", action: access.ReadAudit, handle: s.downloadCheckpoint},

		// pages
		{method: get, path: "/", action: access.ReadLedger, handle: s.showHome},
		{method: get, path: "/dashboard", action: access.ReadLedger, handle: s.showDashboard},
		{method: get, path: "/sessions", action: access.ReadLedger, handle: s.listSessions},
		{method: get, path: "/sessions/new", action: access.ImportLedger, handle: s.newSession},
		{method: post, path: "/sessions", action: access.ImportLedger, handle: s.createSession},
		{method: get, path: "/sessions/:id", action: access.ReadLedger, object: "session", handle: s.showSession},
		{
			method: get, path: "/sessions/:id/claims/:n", action: access.ReadLedger, object: "session",
			handle: s.showClaim,
		},
		{
			method: post, path: "/sessions/:id/claims/:n/reviews", action: access.ReviewClaim,
			object: "session", handle: s.createReview,
		},
		{
			method: get, path: "/sessions/:id/confirm", action: access.ReviewClaim, object: "session",
			handle: s.showBulk,
		},
		{
			method: post, path: "/sessions/:id/confirm", action: access.ReviewClaim, object: "session",
			handle: s.confirmBulk,
		},
		{method: post, path: "/sessions/:id/undo", action: access.ReviewClaim, object: "session", handle: s.undoBulk},
		{
			method: post, path: "/sessions/:id/close", action: access.ReviewClaim, object: "session",
			handle: s.closeSession,
		},
		{
			method: post, path: "/sessions/:id/reopen", action: access.ReviewClaim, object: "session",
			handle: s.reopenSession,
		},
		{
			method: post, path: "/sessions/:id/reviewers", action: access.ReviewClaim, object: "session",
			handle: s.setReviewers,
		}, // others than oneself: AssignReview
		{
			method: get, path: "/sessions/:id/export/:format", action: access.ExportLedger, object: "session",
			handle: s.downloadSession,
		},
		{
			method: get, path: "/sessions/:id/citations/:hash", action: access.ReadLedger, object: "session",
			handle: s.showCitation,
		},
		{
			method: post, path: "/sessions/:id/judge", action: access.ImportLedger, object: "session",
			handle: s.judgeSession,
		},
		{method: get, path: "/sessions/:id/runs/:n", action: access.ReadLedger, object: "session", handle: s.showRun},
		{method: get, path: "/search", action: access.ReadLedger, handle: s.showFind},
		{method: get, path: "/views", action: access.ReadLedger, handle: s.listViews},
		{
			method: post, path: "/views", action: access.ReadLedger, handle: s.saveView,
		}, // one's own; to share it: ReviewClaim
		{method: post, path: "/views/:id", action: access.ReadLedger, handle: s.changeView},
		{
			method: post, path: "/views/:id/delete", action: access.ReadLedger, handle: s.deleteView,
		}, // of others: ManageTenant
		{method: get, path: "/jobs", action: access.ReadLedger, handle: s.listJobs},
		{method: get, path: "/jobs/:id", action: access.ReadLedger, handle: s.showJob},
		{method: get, path: "/jobs/:id/events", action: access.ReadLedger, handle: s.watchJob},
		{method: post, path: "/jobs/:id/cancel", action: access.ImportLedger, handle: s.cancelJob},
		{method: get, path: "/documents/:id", action: access.ReadLedger, object: "document", handle: s.showDocument},
		{
			method: post, path: "/documents/:id/withdraw", action: access.ImportLedger, object: "document",
			handle: s.withdrawDocument,
		},
		{
			method: post, path: "/documents/:id/replace", action: access.ImportLedger, object: "document",
			handle: s.replaceDocument,
		},
		{
			method: get, path: "/documents/:id/original", action: access.ReadLedger, object: "document",
			handle: s.downloadOriginal,
		},
		{method: get, path: "/downloads/:token", action: access.ExportLedger, handle: s.download},
		{method: get, path: "/downloads/packs/:token", action: access.AskPackExport, handle: s.downloadPack},

		// evidence packs
		{method: get, path: "/packs", action: access.ReadPack, handle: s.listPacks},
		{method: get, path: "/packs/new", action: access.DraftPack, handle: s.newPack},
		{method: post, path: "/packs", action: access.DraftPack, handle: s.createPack},
		{method: get, path: "/packs/:id", action: access.ReadPack, object: evidencePack, handle: s.showPack},
		{method: get, path: "/packs/:id/edit", action: access.DraftPack, object: evidencePack, handle: s.editPack},
		{method: post, path: "/packs/:id/edit", action: access.DraftPack, object: evidencePack, handle: s.saveDraft},
		{
			method: post, path: "/packs/:id/submit", action: access.DraftPack, object: evidencePack,
			handle: s.submitPack,
		},
		{
			method: get, path: "/packs/:id/compare", action: access.ReadPack, object: evidencePack,
			handle: s.comparePack,
		},
		{
			method: post, path: "/packs/:id/approve", action: access.DecidePack, object: evidencePack,
			handle: s.approvePack,
		}, // asks for the password itself
		{
			method: post, path: "/packs/:id/return", action: access.DecidePack, object: evidencePack,
			handle: s.returnPack,
		},
		{
			method: post, path: "/packs/:id/versions", action: access.DraftPack, object: evidencePack,
			handle: s.newVersion,
		},
		{
			method: post, path: "/packs/:id/exports", action: access.ExportPack, object: evidencePack,
			handle: s.makeExport,
		},
		{
			method: post, path: "/packs/:id/exports/ask", action: access.AskPackExport, object: evidencePack,
			handle: s.askExport,
		},
		{
			method: post, path: "/packs/:id/exports/:export/grant", action: access.ExportPack,
			object: evidencePack, handle: s.grantExport, fresh: true,
		},
		{
			method: post, path: "/packs/:id/exports/:export/refuse", action: access.ExportPack,
			object: evidencePack, handle: s.denyExport,
		},
		{
			method: post, path: "/packs/:id/exports/:export/link", action: access.AskPackExport,
			object: evidencePack, handle: s.linkExport,
		},
		{
			method: get, path: "/packs/:id/attachments/:sha256", action: access.ReadPack, object: evidencePack,
			handle: s.downloadAttachment,
		},
		{method: get, path: "/packs/:id/parts", action: access.ExportPack, object: evidencePack, handle: s.showParts},
		{
			method: post, path: "/packs/:id/parts/proof", action: access.ExportPack, object: evidencePack,
			handle: s.provePart,
		},
		{
			method: post, path: "/packs/:id/parts/redacted", action: access.ExportPack, object: evidencePack,
			handle: s.redactParts,
		},
		{method: post, path: "/packs/:id/hold", action: access.HoldPack, object: evidencePack, handle: s.holdPack},
		{
			method: post, path: "/packs/:id/unhold", action: access.HoldPack, object: evidencePack,
			handle: s.unholdPack,
		},
		{
			method: post, path: "/packs/:id/purge", action: access.PurgePack, object: evidencePack,
			handle: s.askPurge, fresh: true,
		},
		{method: get, path: "/admin/retention", action: access.ConfirmPackPurge, handle: s.showRetention},
		{
			method: post, path: "/admin/retention/:purge/confirm", action: access.ConfirmPackPurge,
			handle: s.confirmPurge, fresh: true,
		},
		{
			method: post, path: "/admin/retention/:purge/refuse", action: access.ConfirmPackPurge,
			handle: s.refusePurge,
		},

		// evidence bundles
		{method: get, path: "/bundles", action: access.ReadBundle, handle: s.listBundles},
		{method: get, path: "/bundles/:id", action: access.ReadBundle, handle: s.showBundle},
		{method: get, path: "/bundles/:id/artifact", action: access.ReadBundle, handle: s.downloadBundle},

		// the API and what describes it
		{method: get, path: "/api/v1/openapi.json", action: access.Public, handle: s.apiShowOpenAPI},
		{method: get, path: "/docs/api", action: access.Public, handle: s.showAPI},
		{method: get, path: "/api/v1/sessions", action: access.ReadLedger, handle: s.apiListSessions},
		{method: post, path: "/api/v1/sessions", action: access.ImportLedger, handle: s.apiCreateSession},
		{
			method: get, path: "/api/v1/sessions/:id/ledger", action: access.ReadLedger, object: "session",
			handle: s.apiShowLedger,
		},
		{
			method: post, path: "/api/v1/sessions/:id/judge", action: access.ImportLedger, object: "session",
			handle: s.apiJudge,
		},
		{
			method: get, path: "/api/v1/sessions/:id/runs", action: access.ReadLedger, object: "session",
			handle: s.apiListRuns,
		},
		{
			method: get, path: "/api/v1/sessions/:id/runs/:n/claims", action: access.ReadLedger,
			object: "session", handle: s.apiShowRun,
		},
		{
			method: get, path: "/api/v1/sessions/:id/runs/:n/changes", action: access.ReadLedger,
			object: "session", handle: s.apiShowRunChanges,
		},
		{
			method: post, path: "/api/v1/sessions/:id/ledger/export", action: access.ExportLedger,
			object: "session", handle: s.apiExportLedger,
		},
		{
			method: post, path: "/api/v1/sessions/:id/claims/:n/reviews", action: access.ReviewClaim,
			object: "session", handle: s.apiCreateReview,
		},
		{
			method: post, path: `/api/v1/sessions/:id/reviews\:bulk`, action: access.ReviewClaim,
			object: "session", handle: s.apiBulkReview,
		},
		{
			method: get, path: "/api/v1/sessions/:id", action: access.ReadLedger, object: "session",
			handle: s.apiShowSession,
		},
		{
			method: post, path: "/api/v1/sessions/:id/close", action: access.ReviewClaim, object: "session",
			handle: s.apiCloseSession,
		},
		{
			method: post, path: "/api/v1/sessions/:id/reopen", action: access.ReviewClaim, object: "session",
			handle: s.apiReopenSession,
		},
		{
			method: post, path: "/api/v1/sessions/:id/reviewers", action: access.ReviewClaim,
			object: "session", handle: s.apiSetReviewers,
		}, // others than oneself: AssignReview
		{
			method: post, path: "/api/v1/documents/:id/withdraw", action: access.ImportLedger,
			object: "document", handle: s.apiWithdraw,
		},
		{
			method: post, path: "/api/v1/documents/:id/replace", action: access.ImportLedger,
			object: "document", handle: s.apiReplace,
		},
		{method: get, path: "/api/v1/search", action: access.ReadLedger, handle: s.apiFind},
		{method: get, path: "/api/v1/jobs", action: access.ReadLedger, handle: s.apiListJobs},
		{method: get, path: "/api/v1/jobs/:id", action: access.ReadLedger, handle: s.apiShowJob},
		{method: post, path: "/api/v1/jobs/:id/cancel", action: access.ImportLedger, handle: s.apiCancelJob},
		{method: get, path: "/api/v1/stats", action: access.ReadLedger, handle: s.apiShowStats},
		{method: get, path: "/api/v1/citations/:hash", action: access.ReadLedger, handle: s.apiShowCitation},
		{method: post, path: "/api/v1/evidence-maps", action: access.ReadLedger, handle: s.apiCreateEvidenceMap},
		{
			method: post, path: `/api/v1/sources\:pack`, action: access.ReadLedger, handle: s.apiPackSources,
		}, // the colon is part of the address

		// decisions and packs in the API
		{method: get, path: "/api/v1/decisions", action: access.ReadPack, handle: s.apiListDecisions},
		{method: post, path: "/api/v1/decisions", action: access.ImportDecision, handle: s.apiCreateDecision},
		{
			method: get, path: "/api/v1/decisions/:id", action: access.ReadPack, handle: s.apiShowDecision,
		}, // the caller's id
		{method: get, path: "/api/v1/packs", action: access.ReadPack, handle: s.apiListPacks},
		{method: post, path: "/api/v1/packs", action: access.DraftPack, handle: s.apiCreatePack},
		{
			method: get, path: "/api/v1/packs/:id", action: access.ReadPack, object: evidencePack,
			handle: s.apiShowPack,
		},
		{
			method: patch, path: "/api/v1/packs/:id", action: access.DraftPack, object: evidencePack,
			handle: s.apiUpdatePack,
		},
		{
			method: post, path: "/api/v1/packs/:id/submit", action: access.DraftPack, object: evidencePack,
			handle: s.apiSubmitPack,
		},
		{
			method: post, path: "/api/v1/packs/:id/approve", action: access.DecidePack, object: evidencePack,
			handle: s.apiApprovePack,
		}, // asks for the password itself
		{
			method: post, path: "/api/v1/packs/:id/return", action: access.DecidePack, object: evidencePack,
			handle: s.apiReturnPack,
		},
		{
			method: get, path: "/api/v1/packs/:id/versions", action: access.ReadPack, object: evidencePack,
			handle: s.apiListVersions,
		},
		{
			method: post, path: "/api/v1/packs/:id/versions", action: access.DraftPack, object: evidencePack,
			handle: s.apiNewVersion,
		},
		{
			method: get, path: "/api/v1/packs/:id/changes", action: access.ReadPack, object: evidencePack,
			handle: s.apiShowChanges,
		},
		{
			method: get, path: "/api/v1/packs/:id/dsse", action: access.ReadPack, object: evidencePack,
			handle: s.apiShowEnvelope,
		},
		{
			method: get, path: "/api/v1/packs/:id/proofs/:kind/:part", action: access.ExportPack,
			object: evidencePack, handle: s.apiProvePart,
		},
		{
			method: post, path: "/api/v1/packs/:id/redacted", action: access.ExportPack, object: evidencePack,
			handle: s.apiRedactPack,
		},
		{
			method: post, path: "/api/v1/packs/:id/export", action: access.AskPackExport, object: evidencePack,
			handle: s.apiExportPack,
		},
		{
			method: post, path: "/api/v1/packs/:id/hold", action: access.HoldPack, object: evidencePack,
			handle: s.apiSetHold,
		},
		{
			method: post, path: "/api/v1/packs/:id/hold/lift", action: access.HoldPack, object: evidencePack,
			handle: s.apiLiftHold,
		},
		{
			method: post, path: "/api/v1/packs/:id/purge", action: access.PurgePack, object: evidencePack,
			handle: s.apiAskPurge,
		},
		{method: get, path: "/api/v1/pack-exports", action: access.AskPackExport, handle: s.apiListExports},
		{
			method: post, path: "/api/v1/pack-exports/:id/grant", action: access.ExportPack,
			handle: s.apiGrantExport,
		}, // asks for the password itself
		{method: post, path: "/api/v1/pack-exports/:id/refuse", action: access.ExportPack, handle: s.apiRefuseExport},
		{method: post, path: "/api/v1/pack-exports/:id/link", action: access.AskPackExport, handle: s.apiLinkExport},
		{method: get, path: "/api/v1/pack-purges", action: access.ConfirmPackPurge, handle: s.apiListPurges},
		{
			method: post, path: "/api/v1/pack-purges/:id/confirm", action: access.ConfirmPackPurge,
			handle: s.apiConfirmPurge,
		}, // asks for the password itself
		{
			method: post, path: "/api/v1/pack-purges/:id/refuse", action: access.ConfirmPackPurge,
			handle: s.apiRefusePurge,
		},

		// webhooks in the API
		{method: get, path: "/api/v1/webhooks", action: access.ManageTenant, handle: s.apiListWebhooks},
		{method: post, path: "/api/v1/webhooks", action: access.ManageTenant, handle: s.apiCreateWebhook},
		{method: get, path: "/api/v1/webhooks/:id", action: access.ManageTenant, handle: s.apiShowWebhook},
		{method: patch, path: "/api/v1/webhooks/:id", action: access.ManageTenant, handle: s.apiUpdateWebhook},
		{method: del, path: "/api/v1/webhooks/:id", action: access.ManageTenant, handle: s.apiRemoveWebhook},
		{method: post, path: "/api/v1/webhooks/:id/rotate", action: access.ManageTenant, handle: s.apiRotateWebhook},
		{method: post, path: "/api/v1/webhooks/:id/test", action: access.ManageTenant, handle: s.apiTestWebhook},
		{
			method: get, path: "/api/v1/webhooks/:id/deliveries", action: access.ManageTenant,
			handle: s.apiListDeliveries,
		},

		// evidence bundles and the lake in the API
		{method: get, path: "/api/v1/bundles", action: access.ReadBundle, handle: s.apiListBundles},
		{method: post, path: "/api/v1/bundles", action: access.BuildBundle, handle: s.apiCreateBundle},
		{method: get, path: "/api/v1/bundles/:id", action: access.ReadBundle, handle: s.apiShowBundle},
		{method: post, path: "/api/v1/bundles/:id/runs", action: access.BuildBundle, handle: s.apiLinkRun},
		{method: get, path: "/api/v1/lake/*", action: access.ReadBundle, handle: s.apiGetArtifact},
		{method: put, path: "/api/v1/lake/*", action: access.WriteLake, handle: s.apiPutArtifact},
	}
}

// devRoutes are those of the demo alone; elsewhere they do not exist. What they show or keep is no tenant's.
func (s *Server) devRoutes() []route {
	var out []route
	if s.gallery {
		out = append(out, route{
			method: http.MethodGet, path: "/dev/gallery", action: access.Public, handle: s.showGallery,
		})
	}
	if s.guide != "" {
		out = append(out, route{
			method: http.MethodPost, path: "/dev/guide", action: access.UseAccount, handle: s.setGuide,
		})
	}
	return out
}
