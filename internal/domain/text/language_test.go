package text

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLanguage names a language where the words are English or Arabic, and none where the script alone would.
func TestLanguage(t *testing.T) {
	for words, want := range map[string]string{
		"Municipal fees":           "en",
		"Annual leave is 30 days.": "en",
		"The notice period is 30 days, as the café's résumé of the règlement says.": "en",
		"رسوم البلدية 12":                         "ar",
		"كم عدد الأيام؟":                          "ar",
		"الإجازة السنوية 30 يوماً.":               "ar",
		"محمد بن راشد":                            "ar",
		"عقد إيجار":                               "ar",
		"تطلق OpenAI نموذج GPT-4 في السوق":        "ar",
		"Frais de scolarité":                      "",
		"Le congé annuel est de 30 jours.":        "",
		"Contrat de travail":                      "",
		"Der Jahresurlaub beträgt 30 Tage.":       "",
		"Cuti tahunan adalah 30 hari.":            "",
		"Yıllık izin 30 gündür.":                  "",
		"Likizo lipwa siku thelathini kila mwaka": "",
		"مرخصی سالانه ۳۰ روز است.":                "",
		"این کتاب":                                "",
		"سالانہ چھٹی 30 دن ہے۔":                   "",
		"חופשה שנתית":                             "",
		"年假为30天":                                  "",
		"12 – 14":                                 "",
		"":                                        "",
	} {
		require.Equal(t, want, Language(words), words)
	}
}
