package say

import (
	"sanad/internal/domain/access"
	"sanad/internal/domain/erasure"
	"sanad/internal/domain/pack"
)

// Erased says when and why something was erased.
func (r *Reader) Erased(e *erasure.Request) string {
	if e.Retention {
		return r.T("gone_period", "Date", r.Date(e.ConfirmedAt))
	}
	return r.T("gone_asked", "Date", r.Date(e.ConfirmedAt), "Reason", Isolated(e.Reason))
}

// NeedsRole says which role an action needs.
func (r *Reader) NeedsRole(role access.Role) string {
	if role == access.Admin { // no role is above it
		return r.T("needs_admin")
	}
	return r.T("needs_role", "Role", r.T("role_"+string(role)))
}

// Reason returns the words for a rule in the reader's language.
func (r *Reader) Reason(why pack.Reason) string {
	if s := why.Words(r.Lang); s != "" {
		return s
	}
	return why.Name
}
