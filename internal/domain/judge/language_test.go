package judge_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
)

func TestLanguages(t *testing.T) {
	cases := []struct {
		desc, claim, lang string
		covered           bool
	}{
		{desc: "French", claim: "Les employés ont droit à 15 jours de congé annuel"},
		{desc: "French without marks", claim: "Le conge est de 15 jours par an pour les employes"},
		{desc: "German", claim: "Die Mitarbeiter haben Anspruch auf 15 Tage Urlaub und der Antrag ist nicht nötig"},
		{desc: "short German", claim: "Der Urlaub ist nicht bezahlt"},
		{desc: "German nouns", claim: "Mitarbeiter erhalten 15 Urlaubstage pro Jahr"},
		{desc: "Spanish", claim: "Los empleados tienen derecho a 15 días de vacaciones que se pagan"},
		{desc: "Italian", claim: "I dipendenti hanno diritto a 15 giorni di ferie che sono pagate"},
		{desc: "Portuguese", claim: "Os funcionários têm direito a 15 dias de férias por ano"},
		{desc: "Turkish", claim: "Çalışanlar yılda 15 gün ücretli izin hakkına sahiptir"},
		{desc: "Dutch", claim: "De werknemers hebben recht op 15 dagen verlof en het wordt betaald"},
		{desc: "Indonesian", claim: "Karyawan berhak atas cuti tahunan yang dibayar untuk 15 hari"},
		{desc: "Swedish", claim: "De anställda har rätt till 15 dagar och det är betalt"},
		{desc: "Vietnamese", claim: "Nhân viên được nghỉ phép 15 ngày trong một năm"},
		{desc: "Persian", claim: "کارمندان سالانه از پانزده روز مرخصی برخوردار هستند که این حق است"},
		{desc: "Urdu", claim: "ملازمین کو سالانہ پندرہ دن کی چھٹی کا حق ہے"},
		{desc: "Russian", claim: "Сотрудники имеют право на отпуск"},
		{desc: "Chinese", claim: "员工每年有十五天年假"},
		{desc: "stated French", claim: "15 jours", lang: "fr-CA"},
		{desc: "stated Persian", claim: "مدت مرخصی سالانه", lang: "fa"},

		{desc: "English", claim: "Employees are entitled to 15 days of annual leave", covered: true},
		{desc: "English without function words", claim: "Unused annual leave expires December 31", covered: true},
		{desc: "title", claim: "The Girl with the Dragon Tattoo", covered: true},
		{desc: "French title", claim: "Les Misérables opened at the Palace Theatre in Los Angeles", covered: true},
		{desc: "names", claim: "Ursula von der Leyen met Rosa de la Torre", covered: true},
		{desc: "names with marks", claim: "Müller Straße café visits São Paulo", covered: true},
		{desc: "figures", claim: "SAR 2,500 15% 14 days 3 kg", covered: true},
		{desc: "Spanish street names", claim: "El Camino Real, La Jolla, Los Altos", covered: true},
		{desc: "product terms", claim: "Supports SSO, SCIM, audit logs, role-based access control", covered: true},
		{desc: "die and on", claim: "Most patients die within two years on dialysis", covered: true},
		{
			desc: "on and as", claim: "As an adult, he reigned as the emperor, on land as well as on water",
			covered: true,
		},
		{desc: "a Spanish title", claim: `"Más respeto que soy tu madre" is a stage production`, covered: true},
		{desc: "stated English", claim: "Deductible per plan year", lang: "en-GB", covered: true},
		{
			desc: "a language that is not told", claim: "Employees receive 15 days of leave", lang: "und",
			covered: true,
		},
		{desc: "Arabic", claim: "يستحق الموظف إجازة سنوية مدتها 21 يوما", covered: true},
		{desc: "Arabic with a Persian yeh", claim: "ترحیل الاجازة فی السنة التالیة غیر جائز", covered: true},
		{desc: "Arabic with a foreign name", claim: "زار الرئيس الپاكستاني مدينة كراچي أمس", covered: true},
		{desc: "stated Arabic", claim: "يستحق الموظف إجازة", lang: "ar-SA", covered: true},
	}
	for _, c := range cases {
		t.Run(c.desc, func(t *testing.T) {
			r := row(c.claim, c.claim, leavePolicy, arabicPolicy)
			r.Lang = c.lang
			got := judge.JudgeRow(r, judge.NewLexical())
			require.Equal(t, c.covered, got.Unjudged == "", "%s", got.Unjudged)
			if !c.covered {
				require.Contains(t, got.Unjudged, "language is not covered")
			}
		})
	}
}

// TestSourceLanguage shows that sources which all state another language are not compared.
func TestSourceLanguage(t *testing.T) {
	s := session("Leave is granted by the line manager")
	for i := range s.Documents {
		s.Documents[i].Lang = "de"
	}
	judge.Run(s, judge.NewLexical(), at)
	require.Contains(t, s.Claims[0].Unjudged, "sources' language")
	s.Documents[0].Lang = ""
	judge.Run(s, judge.NewLexical(), at)
	require.Empty(t, s.Claims[0].Unjudged)
	require.Equal(t, ledger.Full, s.Claims[0].Matches[0].Support)
}

// TestTwoLanguagesInOnePassage shows that a sentence is compared with claims in its own language, whatever the language
// of the passage around it, and that a claim which no such sentence speaks of stays unjudged.
func TestTwoLanguagesInOnePassage(t *testing.T) {
	const (
		minutes = "Minutes of the meeting\n\nThe committee met in March and agreed to renew the lease of the warehouse. " +
			"The tenant keeps the keys and pays for repairs.\n\nتُسلَّم النسخ خلال عشرين يوماً.\n\n" +
			"The next meeting takes place in the head office."
		summary = "محضر الاجتماع\n\nاتفقت اللجنة على تجديد عقد إيجار المستودع، ويتحمل المستأجر نفقات الصيانة كاملة.\n\n" +
			"Copies are due within 20 days.\n\nيُعقد الاجتماع القادم في المكتب الرئيسي."
	)
	cases := []struct {
		desc, claim, source string
		want                ledger.Verdict
	}{
		{desc: "said in the other language", claim: "تُسلَّم النسخ خلال 20 يوماً", source: minutes, want: ledger.Supported},
		{desc: "with another figure", claim: "تُسلَّم النسخ خلال 50 يوماً", source: minutes, want: ledger.Contradicted},
		{desc: "not spoken of", claim: "ينتهي عقد الحراسة في الصيف", source: minutes, want: ledger.Unjudged},
		{desc: "said in English", claim: "Copies are due within twenty days", source: summary, want: ledger.Supported},
		{desc: "not spoken of in English", claim: "Guards change at noon", source: summary, want: ledger.Unjudged},
	}
	for _, c := range cases {
		t.Run(c.desc, func(t *testing.T) {
			got := judge.JudgeRow(row(c.claim, c.source), judge.NewLexical())
			if c.want == ledger.Unjudged {
				require.Contains(t, got.Unjudged, "different languages")
				return
			}
			require.Empty(t, got.Unjudged)
			require.Equal(t, c.want, *got.Verdict)
		})
	}
}
