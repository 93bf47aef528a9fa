package db

import "sanad/internal/domain/ledger"

// accountTables are the recorded tables of tenants, their members, and how these sign in.
var accountTables = []recordTable{
	{name: "tenants", keys: []string{"id"}, columns: []string{"name", "freshness_months", "second_review", "second_factor",
		"time_zone", "mail_titles", "slug", "created_at"},
		initial: map[string]any{"freshness_months": int64(ledger.DefaultFreshness),
			"second_review": string(ledger.OneReviewer), "second_factor": int64(0), "time_zone": "",
			"mail_titles": int64(0)}},
	{name: "memberships", keys: []string{"user_id"}, columns: []string{"role", "disabled_at", "created_at"}},
	{name: "users", keys: []string{"id"}, account: true,
		columns: []string{"login", "name", "email", "password", "totp", "disabled_at", "created_at", "contact"},
		made:    map[string]any{"contact": ""}},
	{name: "recovery_codes", keys: []string{"user_id", "hash"}, secret: 1, account: true, columns: []string{"hash"}},
	{name: "identities", keys: []string{"user_id", "issuer", "subject"}, secret: 2, account: true,
		columns: []string{"issuer", "subject", "created_at"}},
	{name: "api_tokens", keys: []string{"id"}, columns: []string{"user_id", "name", "role", "hash", "created_at",
		"created_by", "expires_at", "revoked_at", "scopes", "addresses"},
		made: map[string]any{"scopes": "", "addresses": ""}},
	{name: "invitations", keys: []string{"id"}, columns: []string{"login", "role", "invited_by", "invited_at", "expires_at",
		"request_id"}},
}

// changeTables are the recorded tables of changes that a second person confirms.
var changeTables = []recordTable{
	{name: "change_requests", keys: []string{"id"}, columns: []string{"kind", "object_id", "content", "reason", "state",
		"asked_by", "asked_name", "asked_at", "expires_at", "decided_by", "decided_name", "decided_at"}},
}
