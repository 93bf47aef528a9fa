package judge

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
)

// judged is what the judge of words says of a claim over one source.
func judged(claim, source string) Result {
	return JudgeRow(Row{ID: "r", Claim: claim, Evidence: []Evidence{{Doc: "d", Text: source}}}, NewLexical())
}

// TestAcrossLanguages: a sentence in the other language supports a claim if it says all of it, word for word and figure
// for figure. Each pair is tried both ways.
func TestAcrossLanguages(t *testing.T) {
	for _, pair := range [][2]string{
		{"The rent is 4,000 riyals.", "الإيجار ٤٠٠٠ ريال."},
		{"The salary is 9,500 dirhams.", "الراتب 9500 درهم."},
		{"The hospital has 350 beds.", "يضم المستشفى 350 سريراً."},
		{"The meeting starts at 10 a.m.", "يبدأ الاجتماع في الساعة العاشرة صباحاً."},
		{"The project costs 2 million dollars.", "تبلغ تكلفة المشروع مليوني دولار."},
		{"The contract ends on 31 December 2025.", "ينتهي العقد في 31 ديسمبر 2025."},
		{"The interest rate is 4.5%.", "سعر الفائدة 4.5%."},
		{"The school has 600 students.", "تضم المدرسة 600 طالب."},
		{"The tax is 15%.", "الضريبة 15٪."},
		{"The distance is 15 km.", "المسافة 15 كيلومتراً."},
		{"The book has 300 pages.", "يتألف الكتاب من 300 صفحة."},
		{"The fine must not exceed 1,000 riyals.", "يجب ألا تتجاوز الغرامة 1000 ريال."},
		{"The buyer pays the seller 500 dirhams.", "يدفع المشتري للبائع 500 درهم."},
	} {
		for _, turned := range [][2]string{pair, {pair[1], pair[0]}} {
			out := judged(turned[0], turned[1])
			if assert.NotNil(t, out.Verdict, turned[0]) {
				assert.Equal(t, ledger.Supported, *out.Verdict, turned[0])
				assert.Equal(t, turned[1], out.Matches[0].Snippet)
			}
		}
	}
}

// TestAcrossLanguagesIsCareful holds sentences of the same figures that say something else: another thing, who does
// what to whom, a negation, a condition, a part of it. None supports the claim in the other language.
func TestAcrossLanguagesIsCareful(t *testing.T) {
	for _, pair := range [][2]string{
		{"The fine is 5,000 riyals.", "الراتب 5000 ريال."},
		{"The buyer pays the seller 500 dirhams.", "يدفع البائع للمشتري 500 درهم."},
		{"The buyer pays the seller 500 dirhams.", "البائع يدفع للمشتري 500 درهم."},
		{"The bank closed 12 branches.", "افتتح المصرف 12 فرعاً."},
		{"The contract lasts 3 years.", "لا يستمر العقد 3 سنوات."},
		{"The annual fee is 200 riyals.", "الرسم الشهري 200 ريال."},
		{"The price rose to 40 dollars.", "انخفض السعر إلى 40 دولاراً."},
		{"Profits rose by 5%.", "ارتفعت الخسائر 5%."},
		{"All employees receive 30 days of leave.", "يحصل بعض الموظفين على 30 يوماً من الإجازة."},
		{"The old bridge is 300 metres long.", "يبلغ طول الجسر الجديد 300 متر."},
		{"The import duty is 5%.", "رسم التصدير 5%."},
		{"Only members pay 20 riyals.", "يدفع الأعضاء 20 ريالاً."},
		{"The clinic treated 300 children.", "عالج المستشفى 300 طفل."},
		{"The employee must give 30 days' notice.", "يجوز للموظف تقديم إشعار مدته 30 يوماً."},
		{"The mother is 40 years old.", "عمر الأب 40 سنة."},
		{"The first instalment is 900 dinars.", "القسط الثاني 900 دينار."},
		{"The office costs 500 dinars.", "يكلف الكتاب 500 دينار."},
		{"The company borrowed 2 million dirhams.", "أقرضت الشركة 2 مليون درهم."},
		{"The maximum fine is 500 riyals.", "الحد الأدنى للغرامة 500 ريال."},
		{"Sales fell by 10% in 2020.", "انخفضت المبيعات 10% في 2021."},
		{"The team has 5 men and 3 women.", "يضم الفريق 3 رجال و5 نساء."},
		{"The tenant may leave after 6 months.", "لا يجوز للمستأجر المغادرة إلا بعد 6 أشهر."},
		{"Ali paid Omar 300 riyals.", "دفع عمر لعلي 300 ريال."},
		{"The price before tax is 100 riyals.", "السعر بعد الضريبة 100 ريال."},
		{"The increase in rent is 5%.", "الانخفاض في الإيجار 5%."},
		{"The hospital has 200 doctors.", "يضم المستشفى 200 ممرض."},
		{"The school has 600 students.", "تضم المدرسة 600 معلم."},
		{"The warranty covers 2 years.", "مدة الضمان سنة واحدة."},
		{"The lender charges 7% interest.", "يدفع المقرض فائدة 7%."},
		{"The lease ends after 12 months.", "يبدأ عقد الإيجار بعد 12 شهراً."},
		{"The loss was 3 million dollars.", "بلغ الربح 3 ملايين دولار."},
		{"The river is 120 km long.", "يبلغ عرض النهر 120 كم."},
		{"The door is 2 metres high.", "يبلغ عرض الباب مترين."},
		{"The north tower has 40 floors.", "يتألف البرج الجنوبي من 40 طابقاً."},
		{"The fee is not 50 riyals.", "الرسم 50 ريالاً."},
		{"The daily wage is 100 riyals.", "الأجر الأسبوعي 100 ريال."},
		{"Men retire at 60.", "تتقاعد النساء في سن 60."},
		{"The gold price is 60 dollars.", "سعر الفضة 60 دولاراً."},
		{"Water costs 2 riyals.", "الكهرباء تكلف ريالين."},
		{"The seller received 900 riyals from the buyer.", "استلم المشتري من البائع 900 ريال."},
		{"The manager approved 4 requests.", "رفض المدير 4 طلبات."},
		{"The court accepted 4 appeals.", "رفضت المحكمة 4 استئنافات."},
		{"If the tenant leaves early, the penalty is 500 riyals.", "الغرامة 500 ريال."},
		{"The penalty is 500 riyals.", "إذا غادر المستأجر، تكون الغرامة 500 ريال."},
		{"The penalty is 500 riyals.", "هل الغرامة 500 ريال؟"},
		{"The proposed penalty is 500 riyals.", "الغرامة 500 ريال."},
		{"The penalty is 500 riyals.", "كانت الغرامة 500 ريال سابقاً."},
		{"The city has 3 airports.", "تحتاج المدينة إلى 3 مطارات."},
		{"The minister met 5 delegations.", "استقبل الوزير 5 وفود إلا واحداً."},
		{"The library opens at 9 a.m.", "تغلق المكتبة في الساعة 9 صباحاً."},
		{"Imports reached 20 million tonnes.", "بلغت الصادرات 20 مليون طن."},
		{"Ticket prices fell from 50 to 40 riyals.", "ارتفعت أسعار التذاكر من 40 إلى 50 ريالاً."},
		{"Ticket prices rose from 50 to 40 riyals.", "ارتفعت أسعار التذاكر من 40 إلى 50 ريالاً."},
		{"The supplier delivers within 10 days.", "يدفع المورد خلال 10 أيام."},
		{"The supplier delivers within 10 days.", "يسلم المورد بعد 10 أيام."},
		{"The patient takes 2 tablets.", "يأخذ الطبيب قرصين."},
		{"Less than 1 week.", "5 دقائق."},
		{"Last 60 seconds.", "60 ثانية."},
		{"The minimum quantity should be greater than 0.", "ينبغي أن تكون الكمية أكبر من 0."},
		{"The discount on the total amount is 10%.", "الخصم 10٪."},
		{"The father gave the son 100 riyals.", "أعطى الابن الأب 100 ريال."},
	} {
		for _, turned := range [][2]string{pair, {pair[1], pair[0]}} {
			if out := judged(turned[0], turned[1]); out.Verdict != nil {
				assert.NotEqual(t, ledger.Supported, *out.Verdict, "%s | %s", turned[0], turned[1])
			}
		}
	}
}

// TestAcrossLanguagesContradicts: where all words are the same and one figure differs, the sentence says otherwise.
func TestAcrossLanguagesContradicts(t *testing.T) {
	for _, pair := range [][2]string{
		{"The rent is 4,000 riyals.", "الإيجار ٤٥٠٠ ريال."},
		{"The interest rate is 4.5%.", "سعر الفائدة 5.4%."},
		{"The school has 600 students.", "تضم المدرسة 60 طالباً."},
		{"The distance is 15 km.", "المسافة 15 متراً."},
	} {
		out := judged(pair[0], pair[1])
		require.NotNil(t, out.Verdict, pair[0])
		assert.Equal(t, ledger.Contradicted, *out.Verdict, pair[0])
	}
}

// TestAcrossLanguagesInOneSession: where the claim's own language decides nothing, a source in the other one may.
func TestAcrossLanguagesInOneSession(t *testing.T) {
	out := JudgeRow(Row{ID: "r", Claim: "The rent is 4,000 riyals.", Evidence: []Evidence{
		{Doc: "a", Text: "The rent is due on the first day of the month."},
		{Doc: "b", Text: "الإيجار ٤٠٠٠ ريال."},
	}}, NewLexical())
	require.Equal(t, ledger.Supported, *out.Verdict)
	require.Equal(t, "b", out.Matches[0].Doc)
}
