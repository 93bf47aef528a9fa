package exporttest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

var boardWords = map[string][]string{
	"en": strings.Fields(`the agreement supplier bank shall may not within thirty days of receipt invoice notice written clause services data
		personal breach customer audit penetration report quarterly annual certificate insurance liability capped per cent fees contract year
		renewal termination convenience regulator approval outsourcing subcontractor consent encryption keys region backup recovery hours
		availability credits maintenance window incident severity response resolution escalation committee board policy procedure exception
		employee leave entitlement carry manager approval calendar unused payment currency conversion rate index review price increase cap`),
	"ar": strings.Fields(`تلتزم الشركة المورّدة بإشعار البنك خلال ثلاثين يومًا من تاريخ استلام الفاتورة ويجوز للعميل إنهاء العقد بموجب إخطار خطي
		مسبق وفقًا لأحكام هذه الاتفاقية ولا يجوز نقل البيانات الشخصية خارج المملكة إلا بعد موافقة الجهة الرقابية المختصة وتُحفظ السجلات
		والنسخ الاحتياطية مدة لا تقل عن خمس سنوات ويخضع مقدم الخدمة للتدقيق السنوي من لجنة المراجعة ومجلس الإدارة في حدود المسؤولية
		والتأمين والضمان النهائي وشهادة الامتثال ومستوى الخدمة والصيانة الدورية والاستجابة للحوادث والتصعيد والاستثناء والمصادقة`),
}

// boardSources is the number of documents of a board's ledger.
const boardSources = 8

// Board returns a realistic ledger for a board: n claims in either language and with every verdict, no two
// alike, some reviewed.
func Board(n int) *ledger.Ledger {
	r := rand.New(rand.NewPCG(1, 2))
	sentence := func(lang string, least int) string {
		words := make([]string, least+r.IntN(least))
		for i := range words {
			words[i] = boardWords[lang][r.IntN(len(boardWords[lang]))]
		}
		return strings.Join(words, " ") + fmt.Sprintf(" %d.", r.IntN(1000))
	}
	s := ledger.Session{Title: "Cloud vendor due diligence", Query: "May the bank rely on this vendor?", Lang: "en"}
	var answer strings.Builder
	chunks := make([][]string, boardSources)
	for i := range n {
		lang := []string{"en", "en", "ar"}[i%3]
		quote := sentence(lang, 11)
		d := i % boardSources
		chunks[d] = append(chunks[d], fmt.Sprintf("%02d|4>4.%d|%s", 1+i%90, i%9, quote))
		m := Match(d, len(chunks[d])-1, 0.86+r.Float64()*0.14, ledger.Full, quote)
		var matches []ledger.Match
		switch i % 5 {
		case 0:
			m.Support, m.Contradicts, m.Conflicts = ledger.None, true, []ledger.Conflict{{Kind: "number", Claim: "30",
				Evidence: "45"}}
		case 1:
			m.Support, m.Missing = ledger.Partial, strings.Fields(sentence(lang, 2))
		}
		if i%7 == 3 {
			m.Quote = text.Placement{Kind: text.NotPlaced}
		}
		if i%11 != 10 {
			matches = append(matches, m)
		}
		c := Claim(i, sentence(lang, 7), ledger.ClaimTypes[i%4], ledger.Importances[i%3], matches...)
		c.Key = fmt.Sprintf("clm_%04d", i)
		if i%10 == 5 {
			c.Reviews = []ledger.Review{
				{Actor: "Amal Haddad", Role: "reviewer", At: When.Add(time.Duration(i) * time.Minute),
					Action: ledger.NeedsEvidence, Reason: sentence("en", 5)},
				{Actor: "عمر الفارس", Role: "approver", At: When.Add(time.Duration(i) * time.Hour),
					Action: ledger.Override, Verdict: ledger.Verdicts[i/10%4], Reason: sentence(lang, 9)},
			}
		}
		answer.WriteString(c.Text + " [cite:" + ledger.ChunkHash(quote) + "]\n")
		s.Claims = append(s.Claims, c)
	}
	for d, c := range chunks {
		if len(c) > 0 {
			s.Documents = append(s.Documents,
				Document(d, fmt.Sprintf("d%d", d), boardWords["en"][d]+"_agreement.pdf", c...))
		}
	}
	s.Answer = answer.String()
	return Assess(Session(s))
}
