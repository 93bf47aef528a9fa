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
		{"French", "Les employés ont droit à 15 jours de congé annuel", "", false},
		{"French without marks", "Le conge est de 15 jours par an pour les employes", "", false},
		{"German", "Die Mitarbeiter haben Anspruch auf 15 Tage Urlaub und der Antrag ist nicht nötig", "", false},
		{"short German", "Der Urlaub ist nicht bezahlt", "", false},
		{"German nouns", "Mitarbeiter erhalten 15 Urlaubstage pro Jahr", "", false},
		{"Spanish", "Los empleados tienen derecho a 15 días de vacaciones que se pagan", "", false},
		{"Italian", "I dipendenti hanno diritto a 15 giorni di ferie che sono pagate", "", false},
		{"Portuguese", "Os funcionários têm direito a 15 dias de férias por ano", "", false},
		{"Turkish", "Çalışanlar yılda 15 gün ücretli izin hakkına sahiptir", "", false},
		{"Dutch", "De werknemers hebben recht op 15 dagen verlof en het wordt betaald", "", false},
		{"Indonesian", "Karyawan berhak atas cuti tahunan yang dibayar untuk 15 hari", "", false},
		{"Swedish", "De anställda har rätt till 15 dagar och det är betalt", "", false},
		{"Vietnamese", "Nhân viên được nghỉ phép 15 ngày trong một năm", "", false},
		{"Persian", "کارمندان سالانه از پانزده روز مرخصی برخوردار هستند که این حق است", "", false},
		{"Urdu", "ملازمین کو سالانہ پندرہ دن کی چھٹی کا حق ہے", "", false},
		{"Russian", "Сотрудники имеют право на отпуск", "", false},
		{"Chinese", "员工每年有十五天年假", "", false},
		{"stated French", "15 jours", "fr-CA", false},
		{"stated Persian", "مدت مرخصی سالانه", "fa", false},

		{"English", "Employees are entitled to 15 days of annual leave", "", true},
		{"English without function words", "Unused annual leave expires December 31", "", true},
		{"title", "The Girl with the Dragon Tattoo", "", true},
		{"French title", "Les Misérables opened at the Palace Theatre in Los Angeles", "", true},
		{"names", "Ursula von der Leyen met Rosa de la Torre", "", true},
		{"names with marks", "Müller Straße café visits São Paulo", "", true},
		{"figures", "SAR 2,500 15% 14 days 3 kg", "", true},
		{"Spanish street names", "El Camino Real, La Jolla, Los Altos", "", true},
		{"product terms", "Supports SSO, SCIM, audit logs, role-based access control", "", true},
		{"die and on", "Most patients die within two years on dialysis", "", true},
		{"on and as", "As an adult, he reigned as the emperor, on land as well as on water", "", true},
		{"a Spanish title", `"Más respeto que soy tu madre" is a stage production`, "", true},
		{"stated English", "Deductible per plan year", "en-GB", true},
		{"a language that is not told", "Employees receive 15 days of leave", "und", true},
		{"Arabic", "يستحق الموظف إجازة سنوية مدتها 21 يوما", "", true},
		{"Arabic with a Persian yeh", "ترحیل الاجازة فی السنة التالیة غیر جائز", "", true},
		{"Arabic with a foreign name", "زار الرئيس الپاكستاني مدينة كراچي أمس", "", true},
		{"stated Arabic", "يستحق الموظف إجازة", "ar-SA", true},
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
