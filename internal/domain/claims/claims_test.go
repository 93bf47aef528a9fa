package claims_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/claims"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// Each case is an answer and its claims as "type importance: text".
var claimCases = []struct {
	name, answer string
	want         []string
}{
	{"the reference example",
		"Employees are entitled to 15 days of annual leave [cite:a1b2c3d4]. Leave requests must be submitted 2 weeks in advance [cite:00ff00ff]. Unused leave can be carried forward to next year. Maximum carryover is 5 days.",
		[]string{
			"policy critical: Employees are entitled to 15 days of annual leave",
			"policy critical: Leave requests must be submitted 2 weeks in advance",
			"policy material: Unused leave can be carried forward to next year",
			"numeric critical: Maximum carryover is 5 days",
		}},
	{"empty", "", nil},
	{"white space", " \n\n\t ", nil},
	{"greeting and offer", "Hello! I hope this helps. Let me know if you have questions.", nil},
	{"announcement", "Sure! Here is a summary of the policy:", nil},
	{"announcement of what was found", "Here is what I found in the documents. Employees get 15 days of leave.",
		[]string{"numeric critical: Employees get 15 days of leave"}},
	{"a sentence that a list ends", "The key points are:\n- Employees get 15 days of leave.",
		[]string{"numeric critical: Employees get 15 days of leave"}},
	{"a sentence that says how many follow", "There are two exceptions:\n- Employees get 15 days of leave.",
		[]string{"fact minor: There are two exceptions", "numeric critical: Employees get 15 days of leave"}},
	{"إعلان", "إليك ما وجدته في المستندات. يستحق الموظف 15 يومًا من الإجازة.",
		[]string{"policy critical: يستحق الموظف 15 يومًا من الإجازة"}},
	{"announcement with the answer behind it", "Sure, here is the answer: Employees get 15 days.",
		[]string{"numeric critical: Employees get 15 days"}},
	{"question", "What is annual leave? Who may take it?", nil},
	{"quoted question", `The form asks "Is it paid?"`, nil},
	{"one word", "Yes.", nil},
	{"nothing to check", "It depends.", nil},
	{"heading", "# Annual leave\n\nEmployees receive 15 days.",
		[]string{"numeric critical: Employees receive 15 days"}},
	{"setext heading", "Annual leave rules\n===\n\nLeave is paid.", []string{"fact material: Leave is paid"}},
	{"bold line as heading", "**Annual leave rules**\n\nLeave is paid.", []string{"fact material: Leave is paid"}},
	{"line with a colon as heading", "Annual leave rules:\n\n- Leave is paid.",
		[]string{"fact material: Leave is paid"}},
	{"Arabic line with a colon as heading", "أحكام الإجازة السنوية:\n\n- الإجازة مدفوعة الأجر.",
		[]string{"fact material: الإجازة مدفوعة الأجر"}},
	{"title line", "Parking Rules of the Harbour\n\nVisitors park on deck two. Parking is free.",
		[]string{"fact material: Visitors park on deck two", "fact material: Parking is free"}},
	{"a first line that asks", "What the lease of Warehouse 14 says\n\nThe lease runs for five years.",
		[]string{"numeric critical: The lease runs for five years"}},
	{"a first line that asks, in Arabic", "ما تنص عليه سياسة السفر رقم 14\n\nتصرف المنشأة بدل سفر للموظف.",
		[]string{"fact material: تصرف المنشأة بدل سفر للموظف"}},
	{"a first line that states", "What you pay is set by the table\n\nThe table is in the annex.",
		[]string{"fact material: What you pay is set by the table", "fact material: The table is in the annex"}},
	{"Arabic title line", "أحكام وقوف المركبات في الميناء\n\nيقف الزوار في الطابق الثاني.",
		[]string{"fact material: يقف الزوار في الطابق الثاني"}},
	{"Arabic title line above a list", "أحكام وقوف المركبات\n\n- يقف الزوار في الطابق الثاني",
		[]string{"fact material: يقف الزوار في الطابق الثاني"}},
	{"lines without stops", "Harbour Police patrol daily\n\nVisitors park on deck two",
		[]string{"fact material: Harbour Police patrol daily", "fact material: Visitors park on deck two"}},
	{"sentence without a stop above sentences", "Guards patrol the harbour at night\n\nVisitors park on deck two.",
		[]string{"fact material: Guards patrol the harbour at night", "fact material: Visitors park on deck two"}},
	{"Arabic verb without a stop above sentences", "وافق المجلس على اللائحة\n\nيقف الزوار في الطابق الثاني.",
		[]string{"fact material: وافق المجلس على اللائحة", "fact material: يقف الزوار في الطابق الثاني"}},
	{"sentence with a colon", "Employees must carry identity cards:",
		[]string{"policy minor: Employees must carry identity cards"}},
	{"Arabic facts at a semicolon", "يستحق الموظف 21 يوماً في السنة؛ ويجب تقديم الطلب قبل أسبوعين.",
		[]string{"policy critical: يستحق الموظف 21 يوماً في السنة", "policy critical: ويجب تقديم الطلب قبل أسبوعين"}},
	{"Arabic reason at a semicolon", "يستحق الموظف إجازة سنوية؛ لأنه أتم عاماً.",
		[]string{"policy critical: يستحق الموظف إجازة سنوية؛ لأنه أتم عاماً"}},
	{"bold sentence", "**Leave is always paid.**", []string{"fact material: Leave is always paid"}},
	{"emphasis", "Employees receive **15 days** of *paid* leave.",
		[]string{"numeric critical: Employees receive 15 days of paid leave"}},
	{"list", "- Employees receive 15 days.\n- Leave is paid.\n  - Nested items count too.",
		[]string{"numeric critical: Employees receive 15 days", "fact material: Leave is paid",
			"fact material: Nested items count too"}},
	{"numbered list", "1. Apply 14 days before leave starts.\n2. Wait for approval from HR.",
		[]string{"numeric critical: Apply 14 days before leave starts", "fact material: Wait for approval from HR"}},
	{"list under an announcement",
		"The following conditions apply:\n\n- The employee has worked one year.\n- The manager agrees.",
		[]string{"numeric critical: The employee has worked one year", "fact material: The manager agrees"}},
	{"task list", "- [x] Approve the leave form", []string{"fact material: Approve the leave form"}},
	{"label", "- **Carry-over:** Up to 5 days.", []string{"numeric critical: Carry-over: Up to 5 days"}},
	{"code block", "```\nthis is code. It runs.\n```\n\nThe code prints a number.",
		[]string{"fact material: The code prints a number"}},
	{"indented code", "    let x = 15 days\n\nThe code prints a number.",
		[]string{"fact material: The code prints a number"}},
	{"inline code", "Run `a.b! c. D` before the audit. Then stop the service.",
		[]string{"fact material: Run a.b! c. D before the audit", "fact material: Then stop the service"}},
	{"decimals", "The fee is SAR 5,000.50 per year. It grew 3.5% in 2024.",
		[]string{"numeric critical: The fee is SAR 5,000.50 per year", "numeric critical: It grew 3.5% in 2024"}},
	{"abbreviations", "Dr. Saleh heads the U.S. office. He joined Acme Inc.",
		[]string{"fact material: Dr. Saleh heads the U.S. office", "fact material: He joined Acme Inc."}},
	{"link", "The [HR policy](https://hr.example/policy) governs leave.",
		[]string{"fact material: The HR policy governs leave"}},
	{"bare link", "The policy stands at https://example.com/a.b?c=d. Leave is paid.",
		[]string{"fact material: The policy stands at https://example.com/a.b?c=d", "fact material: Leave is paid"}},
	{"autolink", "The policy stands at <https://hr.example/x.y> for all staff.",
		[]string{"fact material: The policy stands at https://hr.example/x.y for all staff"}},
	{"escapes and entities", `Tom &amp; Jerry Ltd. pays a \*fixed\* salary.`,
		[]string{"fact material: Tom & Jerry Ltd. pays a *fixed* salary"}},
	{"line break tag", "Leave is paid<br>by the company.", []string{"fact material: Leave is paid by the company"}},
	{"anchor behind the stop", "Leave is 15 days. [cite:a1b2c3d4] Leave is paid.",
		[]string{"numeric critical: Leave is 15 days", "fact material: Leave is paid"}},
	{"footnotes", "Leave is 15 days.[1] Leave is paid.[2]",
		[]string{"numeric critical: Leave is 15 days", "fact material: Leave is paid"}},
	{"quotation", "> The policy grants 15 days to everyone.",
		[]string{"numeric critical: The policy grants 15 days to everyone"}},
	{"table", "| Type | Days | Carry-over |\n|---|---|---|\n| Annual leave | 15 | 5 days |\n| Sick leave | 30 | none |",
		[]string{"numeric critical: Annual leave: 15 Days; 5 days", "numeric critical: Sick leave: 30 Days; none"}},
	{"table with sentences", "| Rule | Text |\n|---|---|\n| 4.1 | Employees must apply before leave starts. |",
		[]string{"policy critical: Employees must apply before leave starts"}},
	{"two facts that stand alone", "Employees have 15 days of leave, and managers have 20 days.",
		[]string{"numeric critical: Employees have 15 days of leave", "numeric critical: managers have 20 days"}},
	{"two facts at a semicolon", "Sick leave is 30 days; the employee must bring a certificate.",
		[]string{"numeric critical: Sick leave is 30 days", "policy critical: the employee must bring a certificate"}},
	{"a part without subject", "Employees receive 15 days, and can carry over 5.",
		[]string{"numeric critical: Employees receive 15 days, and can carry over 5"}},
	{"a part with a pronoun", "The rate is 5%, and it was 4% before.",
		[]string{"numeric critical: The rate is 5%, and it was 4% before"}},
	{"a condition", "If leave is refused, the manager must explain, and the employee may appeal.",
		[]string{"policy critical: If leave is refused, the manager must explain, and the employee may appeal"}},
	{"a plain list of words", "Employees, managers, and contractors must comply.",
		[]string{"policy critical: Employees, managers, and contractors must comply"}},
	{"definition", "Annual leave means paid time off work.",
		[]string{"definition material: Annual leave means paid time off work"}},
	{"definition outweighs number", `"Year" is defined as a period of 12 months.`,
		[]string{`definition material: "Year" is defined as a period of 12 months`}},
	{"no definition", "This means that unused days lapse.",
		[]string{"fact material: This means that unused days lapse"}},
	{"prohibition", "Employees may not work on holidays.",
		[]string{"policy critical: Employees may not work on holidays"}},
	{"permission", "Employees may work from home.", []string{"policy material: Employees may work from home"}},
	{"hedge", "Leave is generally approved within a week.",
		[]string{"fact minor: Leave is generally approved within a week"}},
	{"guess", "Symptoms may include fever and headache.",
		[]string{"fact minor: Symptoms may include fever and headache"}},
	{"counts", "The port handled 4.2 million containers. About 1,350 people work there. The rail line runs 72 kilometres inland.",
		[]string{"numeric critical: The port handled 4.2 million containers",
			"numeric critical: About 1,350 people work there",
			"numeric critical: The rail line runs 72 kilometres inland"}},
	{"Arabic counts", "يعمل في الميناء 1,350 شخصاً. ناول الميناء 4.2 مليون حاوية.",
		[]string{"numeric critical: يعمل في الميناء 1,350 شخصاً", "numeric critical: ناول الميناء 4.2 مليون حاوية"}},
	{"numbers of names", "Article 5 covers dredging. Work on phase 2 begins soon. The Boeing 747 lands here. The 2023 report covers dredging. تنظم المادة 5 أعمال التكريك.",
		[]string{"fact material: Article 5 covers dredging", "fact material: Work on phase 2 begins soon",
			"fact material: The Boeing 747 lands here", "fact material: The 2023 report covers dredging",
			"fact material: تنظم المادة 5 أعمال التكريك"}},
	{"year", "The company moved to Riyadh in 2019.", []string{"fact material: The company moved to Riyadh in 2019"}},
	{"Arabic", "يستحق الموظف إجازة سنوية مدتها ١٥ يوماً [cite:a1b2c3d4]. يجب تقديم الطلب قبل أسبوعين.",
		[]string{"policy critical: يستحق الموظف إجازة سنوية مدتها ١٥ يوماً",
			"policy critical: يجب تقديم الطلب قبل أسبوعين"}},
	{"Arabic greeting", "مرحباً، إليك الإجابة:\n\nآمل أن يكون هذا مفيداً. لا تتردد في السؤال.", nil},
	{"Arabic announcement with the answer", "إليك الإجابة: تبلغ الإجازة 15 يوماً.",
		[]string{"numeric critical: تبلغ الإجازة 15 يوماً"}},
	{"Arabic question", "هل يحق للموظف ترحيل الإجازة؟", nil},
	{"Arabic prohibition", "لا يجوز العمل في العطل الرسمية.",
		[]string{"policy critical: لا يجوز العمل في العطل الرسمية"}},
	{"Arabic permission", "يجوز ترحيل الإجازة إلى السنة التالية.",
		[]string{"policy material: يجوز ترحيل الإجازة إلى السنة التالية"}},
	{"Arabic definition", "يُقصد بالإجازة السنوية أيام الراحة المدفوعة.",
		[]string{"definition material: يُقصد بالإجازة السنوية أيام الراحة المدفوعة"}},
	{"Arabic limit", "الحد الأقصى للترحيل هو 5 أيام.", []string{"numeric critical: الحد الأقصى للترحيل هو 5 أيام"}},
	{"Arabic hedge", "قد تتأخر الموافقة عادةً أسبوعاً.", []string{"fact minor: قد تتأخر الموافقة عادةً أسبوعاً"}},
	{"Arabic pair", "يستحق الموظف 21 يوماً في السنة، والحد الأقصى للترحيل هو 5 أيام.",
		[]string{"policy critical: يستحق الموظف 21 يوماً في السنة", "numeric critical: الحد الأقصى للترحيل هو 5 أيام"}},
	{"Arabic pair without own subject", "يعمل الموظف 8 ساعات، ويحصل على 15 يوماً.",
		[]string{"numeric critical: يعمل الموظف 8 ساعات، ويحصل على 15 يوماً"}},
	{"Arabic heading and list", "## الإجازات\n\n- تبلغ الإجازة المرضية 30 يوماً.\n- الإجازة مدفوعة الأجر.",
		[]string{"numeric critical: تبلغ الإجازة المرضية 30 يوماً", "fact material: الإجازة مدفوعة الأجر"}},
	{"Arabic abbreviation", "يرأس د. صالح الوحدة الجديدة. وهو مدير سابق.",
		[]string{"fact material: يرأس د. صالح الوحدة الجديدة", "fact material: وهو مدير سابق"}},
}

func TestClaims(t *testing.T) {
	for _, c := range claimCases {
		t.Run(c.name, func(t *testing.T) {
			list := claims.Of(c.answer)
			var got []string
			for _, x := range list {
				got = append(got, fmt.Sprintf("%s %s: %s", x.Type, x.Importance, x.Text))
			}
			require.Equal(t, c.want, got)
			requireSound(t, c.answer, list)
		})
	}
}

// requireSound checks what holds of the claims of any answer.
func requireSound(t *testing.T, answer string, list []ledger.Claim) {
	t.Helper()
	length := text.Len(answer)
	for i, c := range list {
		require.Equal(t, i, c.Position)
		require.Equal(t, fmt.Sprintf("clm_%03d", i+1), c.Key)
		require.True(t, c.RequiresCitation)
		require.True(t, c.Type.Valid())
		require.True(t, c.Importance.Valid())
		require.NotEmpty(t, strings.TrimSpace(c.Text))
		require.NotNil(t, c.Span)
		require.Less(t, c.Span.Start, c.Span.End)
		require.LessOrEqual(t, c.Span.End, length)
	}
}

func TestClaimSpans(t *testing.T) {
	cases := []struct{ answer, want string }{
		{"Ja é. **Leave** is `15` days [cite:a1b2c3d4].", "**Leave** is `15` days"},
		{"- ✓ مرحبا\n- تبلغ الإجازة **15** يوماً.", "تبلغ الإجازة **15** يوماً"},
		{"[HR policy](https://hr.example/a) governs `all`.", "[HR policy](https://hr.example/a) governs `all`"},
		{"Leave [cite:a1b2c3d4] is paid [cite:00ff00ff].", "Leave [cite:a1b2c3d4] is paid"},
		{"| A | B |\n|---|---|\n| Annual leave | 15 days |", "Annual leave | 15 days"},
		{"See: leave\nis paid in 𝔘nicode.", "is paid in 𝔘nicode"},
	}
	for _, c := range cases {
		list := claims.Of(c.answer)
		require.NotEmpty(t, list, c.answer)
		last := list[len(list)-1]
		require.Contains(t, text.Slice(c.answer, *last.Span), c.want)
	}
}

// TestClaimsKeepAnchors shows that the ledger gives each anchor to the claim it stands with.
func TestClaimsKeepAnchors(t *testing.T) {
	s := ledger.Session{Answer: "Leave is 15 days [cite:a1b2c3d4]. Leave is paid. [cite:00ff00ff] Sick leave is unpaid."}
	s.Claims = claims.Of(s.Answer)
	s.ResolveCitations(nil)
	require.Len(t, s.Claims, 3)
	require.Equal(t, "a1b2c3d4", s.Claims[0].Citations[0].Hash)
	require.Equal(t, "00ff00ff", s.Claims[1].Citations[0].Hash)
	require.Empty(t, s.Claims[2].Citations)
}

func FuzzOf(f *testing.F) {
	for _, c := range claimCases {
		f.Add(c.answer)
	}
	f.Add("[a](b \xff) `\x00` &amp; \\")
	f.Fuzz(func(t *testing.T, answer string) {
		requireSound(t, answer, claims.Of(answer))
	})
}
