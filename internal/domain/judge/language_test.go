package judge_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/ledger/checks"
	"sanad/internal/domain/text"
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

// TestSourceInAnotherLanguage leaves unjudged what no passage in a language that is read can say, whether its documents
// state their language or not; a sentence in a language that is read is read all the same.
func TestSourceInAnotherLanguage(t *testing.T) {
	t.Parallel()
	const (
		english = "Employees are entitled to 15 days of annual leave."
		arabic  = "يستحق الموظف إجازة سنوية مدتها خمسة عشر يومًا."
		french  = "Les employés ont droit à 15 jours de congé annuel. La demande est adressée au supérieur hiérarchique."
		urdu    = "ملازمین کو سالانہ پندرہ دن کی چھٹی کا حق ہے۔ درخواست مینیجر کو دی جاتی ہے۔"
		persian = "کارمندان سالانه از پانزده روز مرخصی برخوردار هستند. درخواست باید به مدیر داده شود."
	)
	for _, c := range []struct {
		desc, claim, want string
		sources           []string
	}{
		{desc: "French", claim: english, sources: []string{french}, want: "sources' language"},
		{desc: "German", claim: english, want: "sources' language",
			sources: []string{"Der Antrag ist schriftlich einzureichen. Die Frist beträgt 15 Tage nach dem Erhalt der Mitteilung."}},
		{desc: "Urdu", claim: english, sources: []string{urdu}, want: "sources' language"},
		{desc: "Chinese", claim: english, sources: []string{"员工每年有15天年假。申请须提交给经理。"}, want: "sources' language"},
		{desc: "Arabic over Persian", claim: arabic, sources: []string{persian}, want: "sources' language"},
		{desc: "Arabic over Urdu", claim: arabic, sources: []string{urdu}, want: "sources' language"},
		{desc: "French over French", claim: "Les employés ont droit à 15 jours de congé annuel.", sources: []string{french},
			want: "claim's language"},
		{desc: "English beside French", claim: english, sources: []string{french, english}},
		{desc: "an English sentence in a French passage", claim: english, sources: []string{french + " " + english}},
		{desc: "names and titles of other languages", claim: "Ursula von der Leyen opened the Musée du quai Branly.",
			sources: []string{"Ursula von der Leyen opened the Musée du quai Branly in Paris on Monday."}},
	} {
		t.Run(c.desc, func(t *testing.T) {
			t.Parallel()
			got := judge.JudgeRow(row(c.claim, c.sources...), judge.NewLexical())
			if c.want == "" {
				require.Empty(t, got.Unjudged)
				require.NotEmpty(t, got.Matches)
				return
			}
			require.Contains(t, got.Unjudged, c.want)
			require.Empty(t, got.Matches)
		})
	}
}

// TestCitedInAnotherLanguage leaves a claim unjudged that cites a passage which nobody reads, unless another one carries
// or contradicts it, and calls no such citation wrong.
func TestCitedInAnotherLanguage(t *testing.T) {
	t.Parallel()
	const (
		french  = "Les employés ont droit à 15 jours de congé annuel. La demande est adressée au supérieur hiérarchique."
		claim   = "Employees are entitled to 15 days of annual leave."
		canteen = "The canteen is open every day from eight to five."
	)
	for _, c := range []struct {
		desc, other string
		cite        int
		want        ledger.Verdict
		status      ledger.CitationStatus
	}{
		{desc: "nothing else speaks of it", other: canteen, want: ledger.Unjudged, status: ledger.NotRead},
		{desc: "another passage carries it", other: claim, want: ledger.Supported, status: ledger.NotRead},
		{desc: "another passage contradicts it", other: "Employees are entitled to 10 days of annual leave.",
			want: ledger.Contradicted, status: ledger.NotRead},
		{desc: "the other passage is cited", other: canteen, cite: 1, want: ledger.NotFound, status: ledger.DoesNotHold},
	} {
		t.Run(c.desc, func(t *testing.T) {
			t.Parallel()
			s := &ledger.Session{Claims: []ledger.Claim{{Text: claim, Span: &text.Span{End: text.Len(claim)}}}}
			for i, words := range []string{french, c.other} {
				s.Documents = append(s.Documents, ledger.Document{Position: i, Key: fmt.Sprint("d", i), Status: ledger.Ready,
					Chunks: []ledger.Chunk{{Text: words, Hash: ledger.TextDigest(words)}}})
			}
			s.Answer = claim + " [cite:" + s.Documents[c.cite].Chunks[0].Hash[:ledger.HashDigits] + "]"
			judge.Run(s, judge.NewLexical(), at)
			s.ResolveCitations(nil)
			cited := judge.Cited(s, judge.NewLexical())
			checks.TakeCited(s, cited)
			checks.LeaveUnread(s)
			checks.Run(s, cited)
			l := ledger.Assess(s, ledger.DefaultFreshness)
			require.Equal(t, c.want, l.Entries[0].Verdict)
			require.Len(t, s.Claims[0].Checks.Citations, 1)
			require.Equal(t, c.status, s.Claims[0].Checks.Citations[0].Status)
			require.NotNil(t, s.Claims[0].Checks.Citations[0].Cited, "the cited passage is known")
			if c.want == ledger.Unjudged {
				require.Equal(t, ledger.CitedLanguage, s.Claims[0].UnjudgedSaid.ID)
				require.Equal(t, 1, l.Summary.Unjudged)
				require.Equal(t, ledger.ChunkRef{}, *s.Claims[0].UnreadPassage())
			}
		})
	}
}
