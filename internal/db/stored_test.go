package db_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/db/sessions"
	"sanad/internal/domain/job"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/webhook"
)

// TestStoredLists pins the values that tables store by index or name. Values may be added at the end; renaming, moving
// or removing one changes the meaning of stored rows.
func TestStoredLists(t *testing.T) {
	// find_rows.kind is the index
	require.Equal(t, []ledger.FindKind{"claim", "answer", "passage", "note"}, ledger.FindKinds[:4])
	require.Equal(t, map[ledger.Severity]int{"": 0, "low": 1, "medium": 2, "high": 3}, sessions.Urgency)
	for i, risk := range []ledger.RiskType{
		"missing_evidence", "contradiction", "outdated_source", "ambiguous_evidence", "conflicting_sources",
		"low_confidence",
	} {
		require.Equal(t, 1<<i, sessions.FlagMask([]ledger.RiskType{risk}))
	}
	require.Equal(t, []string{"open", "reviewed"}, []string{ledger.StatusOpen, ledger.StatusReviewed})
	require.Equal(t, []string{"queued", "running", "done", "failed", "cancelled"},
		[]string{job.Queued, job.Running, job.Done, job.Failed, job.Cancelled})
	require.Equal(t, []string{"file", "form", "judge"}, []string{job.File, job.Form, job.Judge})
	require.Equal(t, []string{"reading", "judging", "storing"},
		[]string{job.Reading, job.Judging, job.Storing})
	require.Equal(t, []string{"waiting", "delivered", "failed", "dropped"},
		[]string{db.DeliveryWaiting, db.DeliveryDone, db.DeliveryFailed, db.DeliveryDropped})
	require.Equal(t, []string{"sessions", "ledger", "search"},
		[]string{ledger.SavedSessions, ledger.SavedLedger, ledger.SavedSearch})
	require.Equal(t, []string{"asked", "granted", "refused"},
		[]string{db.ExportAsked, db.ExportGranted, db.ExportRefused})
	require.Equal(t, []string{"asked", "done", "refused"}, []string{db.PurgeAsked, db.PurgeDone, db.PurgeRefused})
	require.Subset(t, webhook.Kinds, []string{
		"session.imported", "session.judged", "session.exported", "export.created", "claim.reviewed",
		"document.withdrawn", "document.replaced",
		"decision.added", "pack.created", "pack.submitted", "pack.approved", "pack.signed_off", "pack.returned",
		"pack.superseded",
		"pack.export_asked", "pack.export_granted", "pack.export_refused", "pack.exported", "pack.purged",
	})
}

// TestSchemaRefusesOtherValues checks that what writes past the program stores no word outside the closed vocabularies,
// no share outside of 0 to 1, and no second claim for a place of a session (rule DB-14).
func TestSchemaRefusesOtherValues(t *testing.T) {
	fixture := dbtest.New(t)
	fixture.AddSession(t, dbtest.FullSession())
	d := dbtest.Raw(t, fixture.Dir)
	require.Greater(t, len(dbtest.TextsOf(t, d, "SELECT text FROM claims")), 1)
	require.NotEmpty(t, dbtest.TextsOf(t, d, "SELECT snippet FROM matches"))
	refused := func(statement, says string) {
		t.Helper()
		_, err := d.ExecContext(t.Context(), statement)
		require.Error(t, err, statement)
		require.Contains(t, strings.ToLower(err.Error()), says, statement)
	}
	for _, column := range []string{
		"type", "effective_type", "importance", "effective_importance", "verdict", "machine_verdict", "tier",
	} {
		refused("UPDATE claims SET "+column+" = 'other'", "check constraint")
	}
	for _, outside := range []string{"-0.01", "1.01"} {
		refused("UPDATE claims SET confidence = "+outside, "check constraint")
		refused("UPDATE matches SET similarity = "+outside, "check constraint")
	}
	refused("UPDATE claims SET position = 0", "unique constraint")
}

// actions are the action names in the audit log. They are hashed and signed, so they must stay as they are.
// login.failed and similar ones are composed of "login." and a word.
var actions = []string{
	"answer.revised", "bundle.artifact_written", "bundle.built", "bundle.run_linked", "change.asked",
	"change.confirmed", "change.lapsed", "change.refused", "change.withdrawn", "claim.reviewed", "decision.added",
	"decision.call_added",
	"document.added", "document.downloaded",
	"document.replaced", "document.withdrawn", "export.created", "identity.linked", "job.asked", "job.cancelled",
	"invitation.accepted", "invitation.declined", "invitation.lapsed", "invitation.sent", "invitation.withdrawn",
	"job.done", "job.failed", "job.judging_asked", "job.judging_cancelled", "job.judging_done", "job.judging_failed",
	"library.added", "library.changed", "library.downloaded", "library.version_added",
	"key.created", "key.distrusted", "key.master_rotated", "key.rotated", "key.trusted",
	"model.added", "model.changed", "model.disabled", "model.enabled", "model.key_changed", "model.removed",
	"model.trust_taken", "log.checkpoint_abandoned", "log.epoch_started",
	"log.addresses_forgotten", "log.exported", "log.verified",
	"login.ended", "login.failed", "login.freshened", "login.recovery_used", "login.succeeded", "login.switched",
	"pack.approved",
	"pack.attachment_downloaded", "pack.comment_withdrawn", "pack.commented", "pack.created", "pack.discarded",
	"pack.due_removed", "pack.due_set",
	"pack.edited", "pack.export_asked", "pack.export_granted",
	"pack.export_linked",
	"pack.export_refused", "pack.exported", "pack.hold_lifted", "pack.hold_set", "pack.purge_asked",
	"pack.purge_refused", "pack.purged", "pack.rendered",
	"pack.returned", "pack.signed_off", "pack.submitted", "pack.superseded", "pack.thread_reopened",
	"pack.thread_resolved", "pack.version_made", "passage.attached",
	"passage.detached",
	"session.assigned",
	"session.closed", "session.due_removed", "session.due_set",
	"session.exported", "session.imported", "session.judged", "session.reassessed", "session.reopened",
	"store.restored", "tenant.added", "tenant.changed", "tenant.policy_changed",
	"tenant.reader_calibrated",
	"tenant.redaction_changed", "tenant.trace_rules_changed", "token.added", "token.revoked", "user.added", "user.deputy_ended", "user.deputy_set",
	"user.disabled", "user.enabled",
	"user.email_changed", "user.password_changed",
	"user.role_changed", "user.title_changed", "user.totp_changed", "user.vouched", "view.changed", "view.deleted", "view.saved",
	"view.shared", "view.unshared", "webhook.added", "webhook.changed",
	"webhook.disabled",
	"webhook.enabled", "webhook.removed", "webhook.rotated", "webhook.test", "webhook.tested",
}

// erasureActions are those of erasures and retention.
var erasureActions = []string{
	"bundle.artifact_erased", "bundle.erased", "document.erased", "erasure.asked", "erasure.finished",
	"erasure.hold_lifted", "erasure.hold_set", "erasure.refused", "job.upload_erased", "library.erased", "pack.erased",
	"session.erased", "session.source_erased", "tenant.retention_changed",
}

// TestStoredActions checks that the code that logs contains exactly the names in the list.
func TestStoredActions(t *testing.T) {
	kinds := map[string]bool{}
	for _, a := range slices.Concat(actions, erasureActions) {
		kind, _, _ := strings.Cut(a, ".")
		kinds[kind] = true
	}
	name := regexp.MustCompile(`"([a-z]+)\.[a-z_]+"`)
	files := regexp.MustCompile(`"[a-z]+\.(json|md|pdf|pub|db|key|bundle_id)"`) // other strings of that form
	var found []string
	for _, dir := range []string{".", "../handlers", "../app", "../webhooks", "../domain/webhook", "../domain/pack",
		"../domain/audit", "../../cmd/web"} {
		err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if os.IsNotExist(err) && path == dir {
				return nil // internal/app is not there before it is made
			}
			if path == "dbtest" {
				return filepath.SkipDir // fixtures
			}
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			for _, m := range name.FindAllStringSubmatch(string(text), -1) {
				if kinds[m[1]] && !files.MatchString(m[0]) {
					found = append(found, strings.Trim(m[0], `"`))
				}
			}
			return err
		})
		require.NoError(t, err)
	}
	slices.Sort(found)
	require.Equal(t, slices.Sorted(slices.Values(slices.Concat(actions, erasureActions))), slices.Compact(found))
}
