package access_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/access"
)

// TestStoredNames pins the names that are stored in operators' OpenFGA models and tuples, in tokens and in memberships.
// Names may be added; renaming or removing one silently removes or grants permissions.
func TestStoredNames(t *testing.T) {
	require.Equal(t, []access.Role{"viewer", "reviewer", "approver", "admin", "auditor"}, access.Roles)
	require.Subset(t, access.Actions(), []access.Action{
		"use_account", "read_ledger", "import_ledger", "review_claim", "assign_review", "export_ledger",
		"manage_users", "manage_tokens", "manage_keys", "manage_tenant", "read_audit",
		"view_evidence_pack", "ask_evidence_pack_export", "import_decision", "review_evidence_pack",
		"approve_evidence_pack", "export_evidence_pack", "hold_evidence_pack", "purge_evidence_pack",
		"confirm_evidence_pack_purge",
		"view_evidence_bundle", "build_evidence_bundle", "write_lake", "read_library", "change_library", "copy_file", "copy_library", "erase_content", "confirm_erasure", "confirm_change",
		"save_view", "map_evidence",
	})
}
