package people

import (
	"sanad/internal/db/auditlog"
	"sanad/internal/domain/ledger"
)

// AccountTables are the recorded tables of tenants, their members, and how these sign in.
var AccountTables = []auditlog.RecordTable{
	{Name: "tenants", Keys: []string{"id"},
		Columns: []string{"name", "freshness_months", "second_review", "second_factor",
			"time_zone", "mail_titles", "slug", "created_at"},
		Initial: map[string]any{"freshness_months": int64(ledger.DefaultFreshness),
			"second_review": string(ledger.OneReviewer), "second_factor": int64(0), "time_zone": "",
			"mail_titles": int64(0)}},
	{Name: "memberships", Keys: []string{"user_id"}, Columns: []string{"role", "disabled_at", "created_at"}},
	{Name: "users", Keys: []string{"id"}, Account: true,
		Columns: []string{"login", "name", "email", "password", "totp", "disabled_at", "created_at", "contact"},
		Made:    map[string]any{"contact": ""}},
	{Name: "recovery_codes", Keys: []string{"user_id", "hash"}, Secret: 1, Account: true, Columns: []string{"hash"}},
	{Name: "identities", Keys: []string{"user_id", "issuer", "subject"}, Secret: 2, Account: true,
		Columns: []string{"issuer", "subject", "created_at"}},
	{Name: "api_tokens", Keys: []string{"id"}, Columns: []string{"user_id", "name", "role", "hash", "created_at",
		"created_by", "expires_at", "revoked_at", "scopes", "addresses"},
		Made: map[string]any{"scopes": "", "addresses": ""}},
	{Name: "invitations", Keys: []string{"id"},
		Columns: []string{"login", "role", "invited_by", "invited_at", "expires_at",
			"request_id"}},
}

// ChangeTables are the recorded tables of changes that a second person confirms.
var ChangeTables = []auditlog.RecordTable{
	{Name: "change_requests", Keys: []string{"id"}, Columns: []string{"kind", "object_id", "content", "reason", "state",
		"asked_by", "asked_name", "asked_at", "expires_at", "decided_by", "decided_name", "decided_at"}},
}

// ErasureClaims are what an erasure does to the tables of people: none.
var ErasureClaims = []auditlog.Claim{
	{Does: auditlog.Keeps, Why: "accounts and how they sign in, which administrators end", Of: []auditlog.Columns{
		{Table: "tenants", Names: "id, slug, name, time_zone, second_review, created_at"},
		{Table: "users", Names: "id, login, name, email, contact, password, totp, disabled_at, created_at"},
		{Table: "memberships", Names: "user_id, role, disabled_at, created_at"},
		{Table: "identities", Names: "issuer, subject, user_id, created_at"},
		{Table: "recovery_codes", Names: "user_id, hash"},
		{Table: "logins", Names: "id, token_hash, user_id, created_at, seen_at, fresh_at, agent, address"},
		{Table: "login_failures", Names: "key, last_at"},
		{Table: "api_tokens", Names: "id, user_id, name, role, scopes, addresses, hash, created_at, " +
			"created_by, expires_at, " +
			"revoked_at, last_used_at"},
		{Table: "invitations", Names: "id, login, role, invited_by, invited_at, expires_at, request_id"},
		{Table: "declined_invitations", Names: "user_id, until"},
	}},
	{Does: auditlog.Keeps, Why: "what administrators changed, and why", Of: []auditlog.Columns{
		{Table: "change_requests", Names: "id, kind, object_id, content, reason, state, asked_by, " +
			"asked_name, asked_at, expires_at, " +
			"decided_by, decided_name, decided_at"},
	}},
}
