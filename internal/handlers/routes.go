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

// routes is the flat map of the product (spec page 5). A route that is not in it does not exist, and each says what one
// must be allowed to do (spec page 4 "Access").
func (s *Server) routes() []route {
	const get, post = http.MethodGet, http.MethodPost
	return []route{
		// operators
		{get, "/healthz", access.Public, "", s.health, false},
		{get, "/readyz", access.Public, "", s.ready, false},
		{get, "/metrics", access.Public, "", s.showMetrics, false}, // asks for the operator's token

		// assets, named with their checksum
		{get, "/static/:name", access.Public, "", asset(staticAssets), false},
		{get, "/fonts/:name", access.Public, "", asset(fontAssets), false},

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
		{get, "/admin/tenant", access.ManageTenant, "", s.showTenant, false},
		{post, "/admin/tenant", access.ManageTenant, "", s.saveTenant, false},

		// the audit log
		{get, "/audit", access.ReadAudit, "", s.showAudit, false},
		{post, "/audit/verify", access.ReadAudit, "", s.verifyAudit, false},
		{get, "/audit/export", access.ReadAudit, "", s.exportAudit, false},
		{get, "/audit/checkpoint", access.ReadAudit, "", s.downloadCheckpoint, false},

		// pages
		{get, "/", access.ReadLedger, "", s.showHome, false},
		{get, "/sessions", access.ReadLedger, "", s.listSessions, false},
		{get, "/sessions/new", access.ImportLedger, "", s.newSession, false},
		{post, "/sessions", access.ImportLedger, "", s.createSession, false},
		{get, "/sessions/:id", access.ReadLedger, "session", s.showSession, false},
		{get, "/sessions/:id/claims/:n", access.ReadLedger, "session", s.showClaim, false},
		{post, "/sessions/:id/claims/:n/reviews", access.ReviewClaim, "session", s.createReview, false},
		{get, "/sessions/:id/export/:format", access.ExportLedger, "session", s.downloadSession, false},
		{get, "/sessions/:id/citations/:hash", access.ReadLedger, "session", s.showCitation, false},
		{get, "/documents/:id", access.ReadLedger, "document", s.showDocument, false},
		{get, "/documents/:id/original", access.ReadLedger, "document", s.downloadOriginal, false},
		{get, "/downloads/:token", access.ExportLedger, "", s.download, false},

		// the API
		{get, "/api/v1/sessions", access.ReadLedger, "", s.apiListSessions, false},
		{post, "/api/v1/sessions", access.ImportLedger, "", s.apiCreateSession, false},
		{get, "/api/v1/sessions/:id/ledger", access.ReadLedger, "session", s.apiShowLedger, false},
		{post, "/api/v1/sessions/:id/ledger/export", access.ExportLedger, "session", s.apiExportLedger, false},
		{post, "/api/v1/sessions/:id/claims/:n/reviews", access.ReviewClaim, "session", s.apiCreateReview, false},
		{get, "/api/v1/citations/:hash", access.ReadLedger, "", s.apiShowCitation, false},
		{post, "/api/v1/evidence-maps", access.ReadLedger, "", s.apiCreateEvidenceMap, false},
	}
}
