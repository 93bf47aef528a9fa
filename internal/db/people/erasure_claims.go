package people

import (
	"sanad/internal/db/auditlog"
)

// ErasureClaims are what an erasure does to the tables of people: none.
var ErasureClaims = []auditlog.Claim{
	{Does: auditlog.Keeps, Why: "accounts and how they sign in, which administrators end", Of: []auditlog.Columns{
		{Table: "tenants", Names: "id, slug, name, time_zone, second_review, week_start, calendar, letter_name, " +
			"letter_address, letter_logo, created_at"},
		{Table: "users", Names: "id, login, name, email, contact, password, totp, disabled_at, created_at"},
		{Table: "memberships", Names: "user_id, role, title, disabled_at, created_at"},
		{Table: "identities", Names: "issuer, subject, user_id, created_at"},
		{Table: "recovery_codes", Names: "user_id, hash"},
		{Table: "logins", Names: "id, token_hash, user_id, created_at, seen_at, fresh_at, agent, address"},
		{Table: "login_failures", Names: "key, last_at"},
		{Table: "api_tokens", Names: "id, user_id, name, role, scopes, addresses, hash, created_at, " +
			"created_by, expires_at, " +
			"revoked_at, last_used_at"},
		{Table: "invitations", Names: "id, login, link_hash, name, email, role, invited_by, invited_at, " +
			"expires_at, request_id"},
		{Table: "declined_invitations", Names: "user_id, until"},
		{Table: "deputies", Names: "id, user_id, deputy_id, starts_at, ends_at, zone, set_by, set_at, ended_at, " +
			"ended_by"},
	}},
	{Does: auditlog.Keeps, Why: "what administrators changed, and why", Of: []auditlog.Columns{
		{Table: "change_requests", Names: "id, kind, object_id, content, reason, state, asked_by, " +
			"asked_name, asked_at, expires_at, " +
			"decided_by, decided_name, decided_at"},
	}},
}
