package judge_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/judge"
)

// Actions in the words of people who write tools: what must be the same, what must differ, and what only a person can
// tell.
func TestCompareActions(t *testing.T) {
	same, differs, unclear := judge.ActionSame, judge.ActionDiffers, judge.ActionUnclear
	for _, tt := range []struct {
		name, plan, did string
		want            judge.ActionResult
	}{
		{name: "the same words", plan: "retrieve contact 456 read-only", did: "retrieve  contact 456\nread-only", want: same},
		{name: "tense", plan: "retrieve company 45611", did: "retrieved company 45611", want: same},
		{name: "a past tense", plan: "retrieve contact 456 read-only", did: "retrieved contact 456 read-only", want: same},
		{name: "a full stop and a capital", plan: "retrieve company 45611", did: "Retrieved company 45611.", want: same},
		{name: "irregular tense", plan: "send the summary to the board", did: "sent the summary to the board", want: same},
		{name: "irregular tense, other verb", plan: "write the report to /out/q3.pdf", did: "wrote the report to /out/q3.pdf", want: same},
		{name: "passive", plan: "cancel order A-77", did: "order A-77 was cancelled", want: same},
		{name: "passive with its agent", plan: "cancel order A-77", did: "order A-77 has been cancelled by the agent", want: same},
		{name: "word order", plan: "for tender 9041, download the booklet", did: "downloaded the booklet for tender 9041", want: same},
		{name: "infinitive", plan: "to archive invoice INV-1", did: "archived invoice INV-1", want: same},
		{name: "intent with a modal", plan: "should notify Layla Hassan", did: "notified Layla Hassan", want: same},
		{name: "success is no difference", plan: "update record 12", did: "successfully updated record 12", want: same},
		{name: "number grouping", plan: "pay 12,500 SAR to ACME", did: "paid SAR 12500 to ACME", want: same},
		{name: "a number in words", plan: "retry three times", did: "retried 3 times", want: same},
		{name: "passive with persons", plan: "Omar notifies Layla", did: "Layla was notified by Omar", want: same},
		{name: "a list in another order", plan: "read companies 5 and 7", did: "read companies 7 and 5", want: same},
		{name: "both are negated", plan: "save as draft, do not release", did: "saved as draft, not released", want: same},
		{name: "none was intended", plan: "none", did: "none", want: same},

		{name: "none", plan: "submit the bid for tender 2026-90417", did: "none", want: differs},
		{name: "nothing", plan: "recall payment order PAY-30077", did: "nothing was done", want: differs},
		{name: "not done", plan: "send the notice to the vendor", did: "did not send the notice to the vendor", want: differs},
		{name: "failed", plan: "retrieve company 45611", did: "failed to retrieve company 45611", want: differs},
		{name: "failed, as a noun", plan: "retrieve company 45611", did: "retrieval of company 45611 failed", want: differs},
		{name: "only tried", plan: "retrieve company 45611", did: "tried to retrieve company 45611", want: differs},
		{name: "not yet", plan: "publish notice 8", did: "will publish notice 8", want: differs},
		{name: "in part", plan: "export the ledger", did: "partially exported the ledger", want: differs},
		{name: "done where nothing was intended", plan: "none", did: "created note id=9", want: differs},
		{name: "written where read", plan: "read", did: "wrote", want: differs},
		{name: "another id", plan: "retrieve company 45611", did: "retrieved company 45612", want: differs},
		{name: "another code", plan: "read invoice INV-7731", did: "read invoice INV-7713", want: differs},
		{name: "a leading zero", plan: "read account 00456", did: "read account 456", want: differs},
		{name: "another amount", plan: "transfer 500 SAR to Omar", did: "transferred 5,000 SAR to Omar", want: differs},
		{name: "another currency", plan: "pay 500 SAR", did: "paid 500 USD", want: differs},
		{name: "another name", plan: "notify Layla Hassan", did: "notified Layla Harbi", want: differs},
		{name: "another verb", plan: "read the file", did: "deleted the file", want: differs},
		{name: "the opposite", plan: "approve request 9", did: "rejected request 9", want: differs},
		{name: "draft and released", plan: "create payment order for INV-7731 as a draft, not released",
			did: "created payment order PAY-30077 for INV-7731 and released it to the bank", want: differs},
		{name: "released in place of drafted", plan: "draft the notice", did: "released the notice", want: differs},
		{name: "more than asked", plan: "retrieve company 45611", did: "retrieved company 45611 and updated its status", want: differs},
		{name: "one more id", plan: "retrieve company 45611", did: "retrieved companies 45611 and 45612", want: differs},
		{name: "less than asked", plan: "retrieve company 45611 and its contacts", did: "retrieved company 45611", want: differs},
		{name: "one id less", plan: "delete users 14 and 15", did: "deleted user 14", want: differs},
		{name: "all and some", plan: "export all rows", did: "exported some rows", want: differs},
		{name: "from and to exchanged", plan: "transfer 500 from A1 to B2", did: "transferred 500 from B2 to A1", want: differs},
		{name: "persons exchanged", plan: "Omar notifies Layla", did: "Layla notified Omar", want: differs},
		{name: "old and new exchanged", plan: "change the old price to the new price", did: "changed the new price to the old price",
			want: differs},
		{name: "figures exchanged", plan: "credit 100 and debit 200", did: "credited 200 and debited 100", want: differs},
		{name: "the negation is lost", plan: "save as draft, do not release", did: "saved as draft and released", want: differs},

		{name: "a synonym", plan: "fetch company 45611", did: "retrieved company 45611", want: unclear},
		{name: "a detail that was not given", plan: "retrieve company 45611", did: "retrieved company 45611 from HubSpot", want: unclear},
		{name: "a detail that is missing", plan: "retrieve contact 456 read-only", did: "retrieved contact 456", want: unclear},
		{name: "an id that was not given", plan: "create a ticket", did: "created ticket T-88", want: unclear},
		{name: "another noun", plan: "draft a renewal notice to the vendor", did: "drafted a renewal letter to the vendor", want: unclear},
		{name: "two languages", plan: "retrieve company 45611", did: "استرجع الشركة 45611", want: unclear},
		{name: "nothing to compare", plan: "", did: "retrieved company 45611", want: unclear},
		{name: "an empty outcome", plan: "retrieve company 45611", did: "", want: unclear},
		{name: "shared words alone", plan: "reconcile ledger 5", did: "posted ledger 5", want: unclear},

		{name: "ar: tense", plan: "يسترجع سجل الشركة 45611", did: "استرجع سجل الشركة 45611", want: same},
		{name: "ar: verbal noun", plan: "استرجاع سجل الشركة 45611", did: "تم استرجاع سجل الشركة 45611", want: same},
		{name: "ar: verbal noun and past", plan: "استرجاع سجل الشركة 45611", did: "استرجع سجل الشركة 45611", want: same},
		{name: "ar: feminine past", plan: "إرسال الإشعار إلى المورد", did: "أرسلت الإشعار إلى المورد", want: same},
		{name: "ar: second form", plan: "تحديث حالة الطلب 12", did: "حدّث حالة الطلب 12", want: same},
		{name: "ar: reading", plan: "قراءة البند 12 من العقد", did: "قرأ البند 12 من العقد", want: same},
		{name: "ar: digits", plan: "حذف القيد ٤٥", did: "حُذف القيد 45", want: same},
		{name: "ar: success", plan: "إضافة المرفق إلى الملف", did: "تمت إضافة المرفق إلى الملف بنجاح", want: same},
		{name: "ar: nothing", plan: "تقديم العرض للمنافسة 90417", did: "لا شيء", want: differs},
		{name: "ar: not done", plan: "إرسال الإشعار إلى المورد", did: "لم يرسل الإشعار إلى المورد", want: differs},
		{name: "ar: failed", plan: "استرجاع سجل الشركة 45611", did: "فشل استرجاع سجل الشركة 45611", want: differs},
		{name: "ar: impossible", plan: "استرجاع سجل الشركة 45611", did: "تعذر استرجاع سجل الشركة 45611", want: differs},
		{name: "ar: another id", plan: "استرجاع سجل الشركة 45611", did: "استرجع سجل الشركة 45612", want: differs},
		{name: "ar: another amount", plan: "تحويل 500 ريال إلى المورد", did: "تم تحويل 5000 ريال إلى المورد", want: differs},
		{name: "ar: another verb", plan: "قراءة القيد 45", did: "حذف القيد 45", want: differs},
		{name: "ar: approved and rejected", plan: "الموافقة على الطلب 9", did: "رفض الطلب 9", want: differs},
		{name: "ar: more", plan: "قراءة العقد 12", did: "قراءة العقد 12 وإرسال نسخة إلى المورد", want: differs},
		{name: "ar: later", plan: "نشر الإعلان 8", did: "سوف ينشر الإعلان 8", want: differs},
		{name: "ar: from and to", plan: "تحويل المبلغ من الحساب 11 إلى الحساب 22", did: "تم تحويل المبلغ من الحساب 22 إلى الحساب 11", want: differs},
		{name: "ar: another person", plan: "إرسال الخطاب إلى العميل", did: "أرسل الخطاب إلى العامل", want: unclear},
		{name: "ar: a synonym", plan: "جلب سجل الشركة 45611", did: "استرجع سجل الشركة 45611", want: unclear},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, words := judge.CompareActions(tt.plan, tt.did)
			require.Equal(t, tt.want, got, "%v", words)
			if got == differs {
				require.NotEmpty(t, words, "a difference is named")
			} else if got == same {
				require.Empty(t, words)
			}
		})
	}
}

// The words that differ are named as both sides wrote them.
func TestActionWords(t *testing.T) {
	for _, tt := range []struct {
		name, plan, did string
		want            []judge.ActionWords
	}{
		{name: "id", plan: "read invoice INV-7731", did: "read invoice INV-7713", want: []judge.ActionWords{{"INV-7731", "INV-7713"}}},
		{name: "amount", plan: "pay 500 SAR", did: "paid 5,000 SAR", want: []judge.ActionWords{{"500 SAR", "5,000 SAR"}}},
		{name: "verb", plan: "read the file", did: "deleted the file", want: []judge.ActionWords{{"read", "deleted"}}},
		{name: "none", plan: "look up", did: "none", want: []judge.ActionWords{{"", "none"}}},
		{name: "ids in Arabic", plan: "استرجاع الشركة 45611", did: "استرجع الشركة 45612", want: []judge.ActionWords{{"45611", "45612"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, words := judge.CompareActions(tt.plan, tt.did)
			require.Contains(t, words, tt.want[0])
		})
	}
}
