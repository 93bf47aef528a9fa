package judge_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
)

// Short claims beside one short sentence, where a single word or figure decides. Those that are wrong must never read
// as supported; weak, contradicted or not found is left to what else is there.
var pairs = []struct {
	claim, evidence string
	supported       bool
}{
	{"Employees may claim 30 dinars a day", "Claims are due in 30 days.", false},
	{"Employees may claim 30 dinars a day", "Employees may claim 30 dinars per day.", true},
	{"The deposit is 30 dinars", "The deposit is 30 dollars.", false},
	{"The deposit is 30 dinars", "A deposit of 30 dinars is due.", true},
	{"The deposit is 500 euros", "The deposit is $500.", false},
	{"The trip takes 40 minutes", "The trip takes 40 hours.", false},
	{"The fine is 5 percent of the rent", "The fine is 5 euros of the rent.", false},
	{"The fine is 5 percent", "The fine is 5.", false},
	{"The fee is 5% of the price", "The fee is 5 percent of the price.", true},
	{"Managers receive 20 days of leave", "Interns receive 20 days of leave.", false},
	{"The office is open on Fridays", "The office is not open on Fridays.", false},
	{"Ahmed reports to Sara", "Sara reports to Ahmed.", false},
	{"Ahmed reports to Sara", "Ahmed reports to Sara and Huda.", true},
	{"Applications are accepted before 1 May", "Applications are accepted after 1 May.", false},
	{"Applications are accepted before 1 May", "Applications are accepted before 1 May.", true},
	{"The tower has more than 40 floors", "The tower has less than 40 floors.", false},
	{"The tower has more than 40 floors", "The tower has 52 floors.", true},
	{"The contract lasts two years", "The contract lasts 2 years.", true},
	{"The contract lasts two years", "The contract lasts two months.", false},
	{"The team has 12 engineers", "The team has 12 laptops.", false},
	{"The team has 12 engineers", "There are 12 engineers in the team.", true},
	{"Each guest pays 20 pounds", "Bags up to 20 kilograms are free for each guest.", false},
	{"The parcel weighs 3 kilograms", "The parcel weighs 3 tonnes.", false},
	{"The road is 12 kilometres long", "The road is 12 miles long.", false},
	{"The road is 12 km long", "The road is 12 kilometres long.", true},
	{"يحق للموظف المطالبة بثلاثين ديناراً في اليوم", "تقدم المطالبات خلال 30 يوماً.", false},
	{"يحق للموظف المطالبة بـ 30 ديناراً في اليوم", "يحق للموظف المطالبة بـ ٣٠ ديناراً في اليوم.", true},
	{"قيمة التأمين 50 ديناراً", "قيمة التأمين 50 دولاراً.", false},
	{"مدة الإشعار ٣٠ يوماً", "مدة الإشعار 30 يوما.", true},
	{"مدة الإشعار شهران", "مدة الإشعار شهرين.", true},
	{"مدة الإشعار شهران", "مدة الإشعار أسبوعان.", false},
	{"قيمة الغرامة ديناران", "قيمة الغرامة 2 دينار.", true},
	{"نسبة الزيادة 5%", "مبلغ الزيادة 5 ريالات.", false},
	{"نسبة الخصم ٥ في المئة", "نسبة الخصم 5%.", true},
	{"لا يفتح المكتب يوم الجمعة", "يفتح المكتب يوم الجمعة.", false},
	{"يقدم الطلب قبل نهاية الشهر", "يقدم الطلب بعد نهاية الشهر.", false},
	{"عدد الطوابق أكثر من 40", "عدد الطوابق أقل من 40.", false},
	{"عدد الموظفين أقل من 100", "عدد الموظفين 80.", true},
	{"أحمد مدير سارة", "سارة مديرة أحمد.", false},
	{"يحصل المدير على 20 يوماً", "يحصل المتدرب على 20 يوماً.", false},
	{"The law was passed on 2024-03-05", "The law was passed on 5 March 2024.", true},
	{"The law was passed on 5 March 2024", "The law was passed on 2024-03-05.", true},
	{"The law was passed on 2024-03-05", "The law was passed on 5 April 2024.", false},
	{"صدر القانون في ٥ مارس ٢٠٢٤", "صدر القانون بتاريخ 2024-03-05.", true},
	{"صدر القانون في ٥ مارس ٢٠٢٤", "صدر القانون بتاريخ 2024-03-06.", false},
	{"The law was passed on March 5, 2024", "The law was passed on 5 March 2024.", true},
	{"The company was founded in the 1940s", "The company was founded in 1947.", true},
	{"The company was founded in the 1940s", "The company was founded in the 1940s.", true},
	{"The company was founded in the 1940s", "The company was founded in 1953.", false},
	{"صدر النظام في 10 رمضان 1445", "صدر النظام في ١٠ رمضان ١٤٤٥ هـ.", true},
	{"صدر النظام في 10 شعبان 1445", "صدر النظام في ١٠ رمضان ١٤٤٥ هـ.", false},
	{"The tour costs 50 lira", "The tour costs 50 dollars.", false},
	{"The tour costs 50 Kuwaiti dinars", "The tour costs KWD 50.", true},
	{"The choir has at least 20 members", "The choir has at most 20 members.", false},
	{"The choir has at least 20 members", "The choir has at least 20 members.", true},
	{"تكلفة الرحلة 50 ليرة", "تكلفة الرحلة 50 دولاراً.", false},
	{"مدة الدورة يومان", "مدة الدورة 2 يوم.", true},
	{"صدر القرار في ١٥ شوال ١٤٤٥", "صدر القرار بتاريخ 1445-10-15.", true},
	{"صدر القرار في ١٥ آذار ٢٠٢٤", "صدر القرار في 15 مارس 2024.", true},
	{"The festival began in the 1990s", "The festival began in the 1980s.", false},
	{"Layla audits Omar", "Omar audits Layla.", false},
	{"Layla audits Omar", "Omar is audited by Layla.", true},
	{"صدر القانون في ٥ أيار ٢٠٢٤", "صدر القانون في 5 مايو 2024.", true},
	{"صدر القرار في 3 ذي الحجة 1445", "صدر القرار في ٣ ذي القعدة ١٤٤٥.", false},
	{"صدر القرار في 3 ذي الحجة 1445", "صدر القرار بتاريخ 1445-12-03.", true},
	{"Receipts must be submitted within 30 days of return", "Receipts must be submitted within 14 days of return.",
		false},
	{"Receipts must be submitted within 14 days of return", "Receipts must be submitted within 30 days of return.",
		false},
	{"Receipts must be submitted within 30 days of return", "Receipts must be submitted within 30 days of return.",
		true},
	{"The refund arrives within 30 days", "The refund arrives after 14 days.", true},
	{"The choir has at least 20 members", "The choir has at least 30 members.", false},
	{"The prize is up to 400 dinars", "The prize is up to 300 dinars.", false},
	{"يجب تقديم الإيصالات خلال 30 يوماً من العودة", "يجب تقديم الإيصالات خلال 14 يوماً من العودة.", false},
	{"يجب تقديم الإيصالات خلال 14 يوماً من العودة", "يجب تقديم الإيصالات خلال ١٤ يوماً من العودة.", true},
	{"عدد الموظفين أقل من 100", "عدد الموظفين أقل من 80.", false},
	{"The law was passed on 5/3/2024", "The law was passed on 5/3/2024.", true},
	{"The law was passed on 6 March 2024", "The law was passed on 5/3/2024.", false},
	{"The law was passed on 25/3/2024", "The law was passed on 25 March 2024.", true},
	{"The law was passed on 25 March 2024", "The law was passed on 3/25/2024.", true},
	{"صدر القرار في 3 ربيع الأول 1445", "صدر القرار في ٣ ربيع الأول ١٤٤٥ هـ.", true},
	{"صدر القرار في 3 ربيع الأول 1445", "صدر القرار في 3 ربيع الآخر 1445.", false},
	{"صدر القرار في 3 ربيع الآخر 1445", "صدر القرار في 3 ربيع الثاني 1445.", true},
	{"صدر القرار في 3 جمادى الأولى 1445", "صدر القرار في 3 جمادى الآخرة 1445.", false},
	{"صدر القرار في 3 جمادى الآخرة 1445", "صدر القرار في 3 جمادى الثانية 1445.", true},
	{"صدر القرار في 3 ذو القعدة 1445", "صدر القرار في 3 ذي الحجة 1445.", false},
	{"صدر القرار في 3 ذو الحجة 1445", "صدر القرار في 3 ذي الحجة 1445.", true},
	{"صدر القرار في 3 ربيع الأول 1445", "صدر القرار بتاريخ 1445-03-03.", true},
	{"صدر القرار في 3 ربيع الآخر 1445", "صدر القرار بتاريخ 1445-03-03.", false},
	{"صدر القرار في 3 جمادى الأولى 1445", "صدر القرار بتاريخ 1445-06-03.", false},
}

// A date in digits that may be two days neither supports nor contradicts what is said of one of them.
func TestOpenDatesAreWeak(t *testing.T) {
	for _, c := range [][2]string{
		{"The law was passed on 5/3/2024", "The law was passed on 5 March 2024."},
		{"The law was passed on 5/3/2024", "The law was passed on 3 May 2024."},
		{"The law was passed on 5/3/2024", "The law was passed on 3/5/2024."},
		{"The law was passed on 5/3/2024", "The law was passed on 2024-03-05."},
		{"The law was passed on 5 March 2024", "The law was passed on 5/3/2024."},
		{"The law was passed on May 3, 2024", "The law was passed on 5/3/2024."},
		{"صدر القانون في 5/3/2024", "صدر القانون في 5 مارس 2024."},
		{"صدر القانون في 5 مارس 2024", "صدر القانون في 3/5/2024."},
	} {
		got := judge.JudgeRow(row(c[0], c[1]), judge.NewLexical())
		require.NotNil(t, got.Verdict, c[0])
		require.Equal(t, ledger.Weak, *got.Verdict, "%q by %q: %+v", c[0], c[1], got)
	}
}

func TestPairs(t *testing.T) {
	for _, c := range pairs {
		t.Run(c.claim+" by "+c.evidence, func(t *testing.T) {
			got := judge.JudgeRow(row(c.claim, c.evidence), judge.NewLexical())
			require.NotNil(t, got.Verdict, c.claim)
			require.Equal(t, c.supported, *got.Verdict == ledger.Supported, "%+v", got)
			requireHonest(t, row(c.claim, c.evidence), got)
		})
	}
}
