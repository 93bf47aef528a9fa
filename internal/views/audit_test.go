package views

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/words"
)

const someID = "6b1f6c1e-0c52-4a56-9a35-0d9a3a0f5b11"

func TestEventLines(t *testing.T) {
	en := chromeAt("en", "/audit")
	for name, c := range map[string]struct {
		in   EventRow
		want EventLine
	}{
		"a person known today": {
			EventRow{Seq: 7, Actor: someID, Name: "Huda", Action: "session.imported", Kind: "session", ObjectID: someID},
			EventLine{Who: "Huda", Known: true, Action: "Session imported", Object: "Session \u20686b1f6c1e\u2069", ObjectHref: "/sessions/" + someID},
		},
		"one who has left": {
			EventRow{Actor: someID, Action: "user.disabled", Kind: "user", ObjectID: someID},
			EventLine{Who: "6b1f6c1e", Action: "Access disabled", Object: "Person \u20686b1f6c1e\u2069", ObjectHref: "/admin/users/" + someID},
		},
		"the operator":      {EventRow{Actor: domain.Operator, Action: "tenant.added"}, EventLine{Who: "Operator", Known: true, Action: "Organisation added"}},
		"an unknown action": {EventRow{Actor: "x", Action: "new.thing", Kind: "thing", ObjectID: "1"}, EventLine{Who: "x", Action: "new.thing", Object: "thing \u20681\u2069"}},
	} {
		t.Run(name, func(t *testing.T) {
			l := en.eventLine(c.in)
			require.Equal(t, c.want, EventLine{Who: l.Who, Known: l.Known, Action: l.Action, Object: l.Object, ObjectHref: l.ObjectHref})
		})
	}
}

func TestAuditPageKeepsItsFilters(t *testing.T) {
	in := AuditInput{Filter: AuditFilter{Family: "claim", Actor: someID, From: "2026-11-01"}, Next: 41, Rows: []EventRow{{Seq: 42}}}
	p := NewAuditPage(chromeAt("en", "/audit"), in)
	require.Equal(t, "/audit?action=claim&actor="+someID+"&before=41&from=2026-11-01", p.NextHref)
	require.Equal(t, "/audit?action=claim&actor="+someID+"&from=2026-11-01", p.FirstHref)
	require.Contains(t, html(t, Audit(p)), "&amp;before=41")
	in.Next = 0
	require.NotContains(t, html(t, Audit(NewAuditPage(chromeAt("en", "/audit"), in))), `rel="next"`)
}

func TestReportSaysWhatWasFound(t *testing.T) {
	in := AuditInput{Report: &AuditReport{Size: 12, FirstBad: 5, Faults: []AuditFault{{"column", 5, "actor"}, {"missing", 1200, ""}}, Witness: "is ahead of the database"}}
	page := html(t, Audit(NewAuditPage(chromeAt("en", "/audit"), in)))
	require.Contains(t, page, "alert-bad")
	require.Contains(t, page, "Event 5: its \u2068actor\u2069 is not what its bytes say.")
	require.Contains(t, page, "Event 1,200 is missing.")
	arabic := html(t, Audit(NewAuditPage(chromeAt("ar", "/audit"), in)))
	require.Contains(t, arabic, "الحدث 5: ")
	require.NotContains(t, arabic, "is not what its bytes say")
	require.Contains(t, page, "<dd><b>5</b></dd>")
	require.Contains(t, page, "Ahead of the database")
	in.Report = &AuditReport{Size: 12, OK: true, Witness: "agrees"}
	page = html(t, Audit(NewAuditPage(chromeAt("ar", "/audit"), in)))
	require.Contains(t, page, "السجل سليم")
	require.NotContains(t, page, "أول حدث معطوب")
}

// Each action that is logged, each fault and each kind has words in both languages (that both have them all is tested
// for the whole of the catalogue).
func TestFamiliesOfTheseMessages(t *testing.T) {
	en := words.In("en")
	families := map[string][]string{
		"family_": EventFamilies, "tok_state_": {"valid", "expired", "revoked"}, "sig_": keyPurposes, "sig_rotate_": keyPurposes, "sig_done_": keyPurposes,
		"acc_password_": {"current", "new", "again"}, "adm_user_": {"name", "login", "email"}, "tok_": {"name", "days"}, "ten_": {"name", "months"},
		"acc_done_": {"password", "totp_off", "device", "devices", "tenant"}, "adm_done_": {"role", "disabled", "enabled", "totp_off"},
		"actor_": {domain.Operator, domain.System, domain.Anonymous},
		"fault_": {"password_short", "password_long", "password_signs", "password_repeated", "password_login", "password_common", "password_again",
			"password_wrong", "password_wait", "totp_wrong", "totp_used", "login_taken", "login_form", "email_form", "name_form", "role_unknown",
			"last_admin", "other_tenants", "token_days", "token_person", "months"},
	}
	for _, r := range domain.Roles {
		families["role_"] = append(families["role_"], string(r))
	}
	for _, w := range witnessWords {
		families["aud_witness_"] = append(families["aud_witness_"], w)
	}
	for prefix, values := range families {
		for _, v := range values {
			require.True(t, en.Has(prefix+v), prefix+v)
		}
	}
}
