package people

import (
	"sanad/internal/db/auditlog"
	"sanad/internal/domain/due"
	"sanad/internal/domain/ledger"
)

// AccountTables are the recorded tables of tenants, their members, and how these sign in.
var AccountTables = []auditlog.RecordTable{
	{Name: "tenants", Keys: []string{"id"},
		Columns: []string{"name", "freshness_months", "second_review", "second_factor",
			"time_zone", "mail_titles", "remind_after", "remind_every", "remind_most", "week_start", "calendar", "letter_name", "letter_address", "letter_logo", "slug", "created_at"},
		Initial: map[string]any{"freshness_months": int64(ledger.DefaultFreshness),
			"second_review": string(ledger.OneReviewer), "second_factor": int64(0), "time_zone": "", "week_start": "", "calendar": "",
			"mail_titles": int64(0), "remind_after": int64(due.RemindByDefault.After), "remind_every": int64(due.RemindByDefault.Every),
			"remind_most": int64(due.RemindByDefault.Most), "letter_name": "", "letter_address": "", "letter_logo": ""}},
	{Name: "memberships", Keys: []string{"user_id"}, Columns: []string{"role", "title", "disabled_at", "created_at"}},
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
		Columns: []string{"login", "link_hash", "name", "email", "role", "invited_by", "invited_at", "expires_at",
			"request_id"}},
	{Name: "deputies", Keys: []string{"id"}, Columns: []string{"user_id", "deputy_id", "starts_at", "ends_at", "zone",
		"set_by", "set_at", "log_index", "ended_at", "ended_by"}},
}

// ChangeTables are the recorded tables of changes that a second person confirms.
var ChangeTables = []auditlog.RecordTable{
	{Name: "change_requests", Keys: []string{"id"}, Columns: []string{"kind", "object_id", "content", "reason", "state",
		"asked_by", "asked_name", "asked_at", "expires_at", "decided_by", "decided_name", "decided_at"}},
}
