package say

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/audit"
)

// known are the names that the sentences below speak of.
var known = audit.Names{
	Things: map[audit.Ref]audit.Name{
		{Kind: "session", ID: "s"}:                 {Text: "Leave policy"},
		{Kind: audit.ClaimKind, ID: "s", Claim: 4}: {Text: "Maximum carryover is 5 days"},
		{Kind: audit.ClaimKind, ID: "s", Claim: 5}: {Text: strings.Repeat("long ", 40)},
		{Kind: "document", ID: "d"}:                {Text: "policy.pdf", State: "withdrawn"},
		{Kind: "document", ID: "e"}:                {State: "erased"},
		{Kind: "document", ID: "n"}:                {Text: "policy-2.pdf"},
		{Kind: "pack", ID: "p"}:                    {Text: "Hospital fit", Version: 2},
		{Kind: "pack", ID: "q"}:                    {Text: "Hospital fit", Version: 1},
		{Kind: "user", ID: "omar"}:                 {Text: "Omar Said"},
		{Kind: "user", ID: "huda"}:                 {Text: "هدى السالم"},
		{Kind: "token", ID: "t"}:                   {Text: "nightly"},
		{Kind: "erasure", ID: "er"}:                {Of: audit.Ref{Kind: "document", ID: "d"}},
		{Kind: "webhook", ID: "w"}:                 {Text: "hooks.example"},
		{Kind: "decision", ID: "dec_1"}:            {Text: "Renew the contract"},
		{Kind: "invitation", ID: "i"}:              {Text: "new@example.org"},
	},
	Reviews: map[string]audit.ReviewName{"r1": {From: "not_found"}, "r2": {Sealed: true}, "r3": {}},
}

func told(r *Reader, e *Event) string {
	out := ""
	for _, p := range r.Sentence(e) {
		out += p.Text
	}
	return out
}

func event(action, kind, id, details string) *Event {
	var f audit.Facts
	if err := json.Unmarshal([]byte(`{"details":`+details+`}`), &f); err != nil {
		panic(err)
	}
	return &Event{Action: action, Kind: kind, ObjectID: id, Actor: "sara", Name: "Sara", Facts: &f, Names: &known}
}

// TestEventsAreToldInSentences checks who did what to which thing, and what changed, in both languages.
func TestEventsAreToldInSentences(t *testing.T) {
	en, ar := To("en", "latn", time.Time{}), To("ar", "latn", time.Time{})
	for _, c := range [][6]string{ // action, kind and id of the object, details, and the sentences
		{"claim.reviewed", "session", "s", `{"claim":4,"id":"r1","action":"override","verdict":"supported"}`,
			"Sara overrode claim 4 Maximum carryover is 5 days in Leave policy: Not found → Supported",
			"Sara: تغيير حكم الإفادة 4 Maximum carryover is 5 days في Leave policy: لا دليل عليها ← مؤيَّدة"},
		{"claim.reviewed", "session", "s", `{"claim":4,"id":"r3","action":"override","verdict":"weak"}`,
			"Sara overrode claim 4 Maximum carryover is 5 days in Leave policy: verdict Weak",
			"Sara: تغيير حكم الإفادة 4 Maximum carryover is 5 days في Leave policy إلى ضعيفة السند"},
		{"claim.reviewed", "session", "s", `{"claim":4,"id":"r2","action":"override","verdict":"weak"}`,
			"Sara reviewed claim 4 Maximum carryover is 5 days in Leave policy; the review is sealed until all reviewers have decided",
			"Sara: مراجعة الإفادة 4 Maximum carryover is 5 days في Leave policy، ومضمونها محجوب إلى أن يحكم جميع المراجعين"},
		{"claim.reviewed", "session", "s", `{"claim":4,"action":"confirm","verdict":"weak","adjudicates":true}`,
			"Sara settled claim 4 Maximum carryover is 5 days in Leave policy between two reviewers: Weak",
			"Sara: حسم الخلاف في الإفادة 4 Maximum carryover is 5 days في Leave policy: ضعيفة السند"},
		{"claim.reviewed", "session", "s", `{"claim":9,"action":"edit","type":"fact","importance":"minor"}`,
			"Sara edited claim 9  in Leave policy: type Fact, importance Minor", ""},
		{"passage.attached", "session", "s", `{"claim":4,"document":"d","from_verdict":"not_found","to_verdict":"supported"}`,
			"Sara attached a passage of policy.pdf (withdrawn) to claim 4 Maximum carryover is 5 days in Leave policy: " +
				"Not found → Supported", ""},
		{"session.assigned", "session", "s", `{"first":"omar","second":"huda","second_review":"blind"}`,
			"Sara assigned Leave policy to Omar Said and هدى السالم", "Sara: إسناد Leave policy إلى Omar Said وهدى السالم"},
		{"document.replaced", "document", "d", `{"session":"s","newer":"n"}`,
			"Sara replaced the document policy.pdf (withdrawn) with policy-2.pdf in Leave policy", ""},
		{"document.erased", "document", "e", `{"session":"s"}`, "Sara erased the document Document (erased) from Leave policy", ""},
		{"document.withdrawn", "document", "x", `{"session":"gone"}`,
			"Sara withdrew the document Document x from Session gone", ""},
		{"pack.version_made", "pack", "p", `{"supersedes":"q"}`,
			"Sara created Hospital fit, version 2 as a new version of Hospital fit, version 1",
			"Sara: إنشاء Hospital fit، الإصدار 2 إصدارًا جديدًا من Hospital fit، الإصدار 1"},
		{"pack.approved", "pack", "p", `{"approval":1,"needed":2}`, "Sara approved Hospital fit, version 2: approval 1 of 2", ""},
		{"pack.approved", "pack", "p", `{"approval":1,"needed":2,"for":"huda","delegated_at":7}`,
			"Sara approved Hospital fit, version 2 for هدى السالم: approval 1 of 2",
			"Sara: اعتماد Hospital fit، الإصدار 2 نيابةً عن هدى السالم: الاعتماد 1 من 2"},
		{"user.deputy_set", "user", "huda", `{"deputy":"omar"}`,
			"Sara named Omar Said as deputy of هدى السالم for approvals", "Sara: تعيين Omar Said نائبًا عن هدى السالم في الاعتماد"},
		{"user.deputy_ended", "user", "huda", `{"deputy":"omar"}`,
			"Sara ended the time of Omar Said as deputy of هدى السالم", "Sara: إنهاء نيابة Omar Said عن هدى السالم"},
		{"change.asked", "change", "z", `{"kind":"user.deputy","object":"huda","deputy":"omar"}`,
			"Sara asked another administrator to confirm naming Omar Said as deputy of هدى السالم",
			"Sara: طلب تأكيد مسؤول آخر: تعيين Omar Said نائبًا عن هدى السالم"},
		{"pack.edited", "pack", "p", `{"parts":["statement","sources"]}`,
			"Sara edited the draft Hospital fit, version 2: decision, sources", ""},
		{"user.role_changed", "user", "omar", `{"from":"viewer","to":"approver"}`,
			"Sara changed the role of Omar Said: Viewer → Approver", "Sara: تغيير دور Omar Said: مطّلع ← معتمِد"},
		{"user.password_changed", "user", "sara", `{}`, "Sara changed their own password", ""},
		{"token.added", "token", "t", `{"role":"reviewer"}`, "Sara created the token nightly as Reviewer", ""},
		{"erasure.refused", "erasure", "er", `{"kind":"document"}`, "Sara refused the erasure of policy.pdf (withdrawn)", ""},
		{"erasure.asked", "erasure", "z", `{"kind":"session","object":"s"}`, "Sara requested the erasure of Leave policy", ""},
		{"change.asked", "change", "z", `{"kind":"user.role","object":"omar","role":"approver"}`,
			"Sara asked another administrator to confirm the role Approver for Omar Said",
			"Sara: طلب تأكيد مسؤول آخر: منح Omar Said دور معتمِد"},
		{"change.asked", "change", "z", `{"kind":"retention"}`,
			"Sara asked another administrator to confirm new retention periods",
			"Sara: طلب تأكيد مسؤول آخر: مدد حفظ جديدة"},
		{"tenant.changed", "tenant", "z", `{"second_factor":true}`,
			"Sara made two-step login a requirement for approvers and administrators", ""},
		{"tenant.changed", "tenant", "z", `{"freshness_months":18}`,
			"Sara changed the number of months after which a source counts as old: 18", ""},
		{"login.succeeded", "login", "z", `{"factors":"password one_time_code"}`,
			"Sara signed in with password, one-time code", ""},
		{"login.failed", "user", "omar", `{"failures":12}`, "Sara failed to sign in as Omar Said 12 times", ""},
		{"login.failed", "user", "sara", `{}`, "Sara entered a wrong password or code", ""},
		{"webhook.rotated", "webhook", "w", `{}`, "Sara gave the webhook to hooks.example a new secret", ""},
		{"invitation.sent", "invitation", "i", `{"role":"viewer"}`, "Sara invited new@example.org as Viewer", ""},
		{"invitation.sent", "invitation", "j", `{"role":"viewer","link":true}`,
			"Sara made an invitation link for the role Viewer", "Sara: إنشاء رابط دعوة بدور مطّلع"},
		{"invitation.accepted", "invitation", "j", `{"role":"viewer","link":true}`,
			"Sara used an invitation link and joined as Viewer", "Sara: استخدام رابط دعوة والانضمام بدور مطّلع"},
		{"invitation.withdrawn", "invitation", "j", `{"role":"viewer","link":true}`,
			"Sara withdrew an invitation link for the role Viewer", "Sara: سحب رابط دعوة بدور مطّلع"},
		{"invitation.lapsed", "invitation", "j", `{"role":"viewer","link":true}`,
			"Sara let an invitation link for the role Viewer lapse", ""},
		{"user.added", "user", "omar", `{"role":"viewer","invitation":"j"}`,
			"Sara added Omar Said as Viewer by an invitation", "Sara: إضافة Omar Said بدور مطّلع عبر دعوة"},
		{"decision.added", "decision", "dec_1", `{}`, "Sara added the decision Renew the contract", ""},
		{"new.thing", "thing", "1", `{}`, "Sara: new.thing", "Sara: new.thing"},
	} {
		e := event(c[0], c[1], c[2], c[3])
		require.Equal(t, c[4], told(&en, e))
		if arabic := told(&ar, e); c[5] != "" {
			require.Equal(t, c[5], arabic)
		}
	}
	long := told(&en, event("claim.reviewed", "session", "s", `{"claim":5,"action":"comment"}`))
	require.Less(t, len(long), 150, "a claim is shortened: %s", long)
	require.Contains(t, long, "…")
}
