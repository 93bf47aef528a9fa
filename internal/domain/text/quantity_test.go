package text_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/text"
)

func TestQuantities(t *testing.T) {
	cases := map[string]string{
		"two weeks":                             "14 day",
		"14 days":                               "14 day",
		"14 calendar days":                      "14 day",
		"15%":                                   "0.15 %",
		"15 %":                                  "0.15 %",
		"15 percent":                            "0.15 %",
		"15 per cent":                           "0.15 %",
		"0.15":                                  "0.15",
		"SAR 5,000":                             "5000 SAR",
		"SAR5,000":                              "5000 SAR",
		"5,000 SAR":                             "5000 SAR",
		"5,000 Saudi riyals":                    "5000 SAR",
		"$1,250.50 and €3":                      "1250.5 USD; 3 EUR",
		"$5 million":                            "5e+06 USD",
		"3 million dollars":                     "3e+06 USD",
		"twenty-one days":                       "21 day",
		"a 30-day notice":                       "30 day",
		"two hundred and fifty thousand riyals": "250000 SAR",
		"10-15 days":                            "10 day; 15 day",
		"10 to 15%":                             "0.1 %; 0.15 %",
		"two to three weeks":                    "14 day; 21 day",
		"SAR 5,000 to 7,000":                    "5000 SAR; 7000 SAR",
		"one of them":                           "",
		"one week":                              "7 day",
		"in 2024":                               "2024",
		"on 2024-01-15 at 10:30":                "",
		"the 1940s and 5 March 1945":            "1940 decade; 5; 1945",
		"30 dinars":                             "30 dinar",
		"30 Kuwaiti dinars":                     "30 dinar",
		"KWD 30":                                "30 KWD",
		"ديناران":                               "2 dinar",
		"the 14th day":                          "",
		"version 1.2.3":                         "",
		"-5% growth":                            "-0.05 %",
		"48 hours or 3 months":                  "48 hour; 3 month",
		"–4 to +4, (−3) and -$2":                "-4; 4; -3; -2 USD",
		"درجة الحرارة -٤ أو \u200f−٣":                    "-4; -3",
		"10 -15 days, pre-5 and 3 - 2":                   "10 day; 15 day; 5; 3; 2",
		".5 days, 2,5% and ٫٢٥":                          "0.5 day; 0.025 %; 0.25",
		"five ten":                                       "5; 10",
		"half an hour, a quarter of an hour, half a day": "0.5 hour; 0.25 hour; 0.5 day",
		"half a percent or two and a half hours":         "0.005 %; 2.5 hour",
		"half of the staff, a quarter later, half a loaf and two and a half of a cake": "2",
		"no numbers":           "",
		"١٥ يوماً":             "15 day",
		"15 يوما":              "15 day",
		"خمسة أيام":            "5 day",
		"وخمسة أيام":           "5 day",
		"خمسة عشر يوماً":       "15 day",
		"بخمسة وعشرين ديناراً": "25 dinar",
		"لثلاثة أيام":          "3 day",
		"أحد عشر يوماً وإحدى وعشرون ساعة": "11 day; 21 hour",
		"أحد الموظفين أو إحدى الدول":      "",
		"إحدى عشرة دولة":                  "11",
		"لست طبيباً":                      "",
		"خمسة وعشرون يوماً":               "25 day",
		"مئة وخمسون ريالاً":               "150 SAR",
		"5 آلاف ريال":                     "5000 SAR",
		"٥٬٠٠٠ ريال سعودي":                "5000 SAR",
		"ثلاثة آلاف ريال":                 "3000 SAR",
		"أسبوعين":                         "14 day",
		"شهران وسنتان":                    "2 month; 2 year",
		"١٥٪":                             "0.15 %",
		"٣٫٥ في المئة":                    "0.035 %",
		"15 بالمئة":                       "0.15 %",
		"يوم واحد":                        "1 day",
		"من 10 إلى 15 يوماً":              "10 day; 15 day",
		"ساعتين":                          "2 hour",
		"مليون ريال":                      "1e+06 SAR",
	}
	for s, want := range cases {
		var got []string
		for _, q := range text.Quantities(s) {
			got = append(got, strings.TrimSpace(fmt.Sprintf("%g %s", q.Value, q.Unit)))
			require.Equal(t, q.Raw, text.Slice(s, q.Span), s)
		}
		require.Equal(t, want, strings.Join(got, "; "), s)
	}
}

func TestQuantitiesCount(t *testing.T) {
	of := func(s string) string { return text.Quantities(s)[0].Of }
	require.Equal(t, text.Stem("engineers"), of("a team of 12 engineers"))
	require.Equal(t, text.Stem(text.Fold("مهندسين")), of("فريق من 12 مهندسين"))
	for _, s := range []string{"12 of them", "12. Engineers", "12 days", "paid 12 monthly", "12"} {
		require.Empty(t, of(s), s)
	}
}
