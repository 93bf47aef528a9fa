package audit

import (
	"slices"
	"strings"

	"sanad/internal/views/ui"
)

// eventsOf are the actions of each family, without its name: what the log can be filtered by. The options of a family
// are ordered by their words.
var eventsOf = map[string][]string{
	"session": {
		"assigned", "closed", "due_removed", "due_set", "erased", "exported", "imported", "judged",
		"reassessed", "reopened", "source_erased",
	},
	"claim":    {"reviewed"},
	"document": {"added", "downloaded", "erased", "replaced", "withdrawn"},
	"decision": {"added", "call_added"},
	"pack": {
		"approved", "attachment_downloaded", "comment_withdrawn", "commented", "created", "discarded",
		"due_removed", "due_set", "edited", "erased", "export_asked", "export_granted", "export_linked",
		"export_refused", "exported", "hold_lifted", "hold_set", "purge_asked", "purge_refused", "purged",
		"rendered", "returned", "signed_off", "submitted", "superseded", "thread_reopened",
		"thread_resolved", "version_made",
	},
	"bundle":  {"artifact_erased", "artifact_written", "built", "erased", "run_linked"},
	"library": {"added", "changed", "downloaded", "erased", "version_added"},
	"job": {
		"asked", "cancelled", "done", "failed", "judging_asked", "judging_cancelled", "judging_done",
		"judging_failed", "upload_erased",
	},
	"export":   {"created"},
	"login":    {"ended", "failed", "freshened", "recovery_used", "succeeded", "switched"},
	"identity": {"linked"},
	"user": {
		"added", "deputy_ended", "deputy_set", "disabled", "email_changed", "enabled", "password_changed", "role_changed", "title_changed", "totp_changed",
		"vouched",
	},
	"token": {"added", "revoked"},
	"key":   {"created", "distrusted", "master_rotated", "rotated", "trusted"},
	"tenant": {
		"added", "changed", "policy_changed", "reader_calibrated", "redaction_changed", "retention_changed",
		"trace_rules_changed",
	},
	"webhook":    {"added", "changed", "disabled", "enabled", "removed", "rotated", "tested"},
	"model":      {"added", "changed", "disabled", "enabled", "key_changed", "removed", "trust_taken"},
	"view":       {"changed", "deleted", "saved", "shared", "unshared"},
	"log":        {"addresses_forgotten", "checkpoint_abandoned", "epoch_started", "exported", "verified"},
	"store":      {"restored"},
	"erasure":    {"asked", "finished", "hold_lifted", "hold_set", "refused"},
	"answer":     {"revised"},
	"passage":    {"attached", "detached"},
	"change":     {"asked", "confirmed", "lapsed", "refused", "withdrawn"},
	"invitation": {"accepted", "declined", "lapsed", "sent", "withdrawn"},
}

// Actions lists the values of the filter by action: each family, and each action as FAMILY.ACTION.
func Actions() []string {
	out := slices.Clone(EventFamilies)
	for _, family := range EventFamilies {
		for _, a := range eventsOf[family] {
			out = append(out, family+"."+a)
		}
	}
	return out
}

// ActionGroup is the options of one family: all of it first.
type ActionGroup struct {
	Label   string
	Options []ui.Option
}

// actionGroups lays out the filter by action in the reader's language.
func actionGroups(c *ui.Chrome, chosen string) []ActionGroup {
	out := make([]ActionGroup, 0, len(EventFamilies))
	for _, family := range EventFamilies {
		g := ActionGroup{Label: c.T("family_" + family)}
		for _, a := range eventsOf[family] {
			action := family + "." + a
			g.Options = append(g.Options, ui.Option{Value: action, Label: c.EventWord(action), Selected: action == chosen})
		}
		slices.SortStableFunc(g.Options, func(a, b ui.Option) int { return strings.Compare(a.Label, b.Label) })
		all := ui.Option{Value: family, Label: c.T("aud_all_of", "Family", g.Label), Selected: family == chosen}
		g.Options = slices.Insert(g.Options, 0, all)
		out = append(out, g)
	}
	return out
}
