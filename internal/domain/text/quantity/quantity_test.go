package quantity_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/text"
	"sanad/internal/domain/text/quantity"
)

func written(s string) string {
	var got []string
	for _, q := range quantity.Read(s) {
		if q.IsFigure() {
			got = append(got, quantity.Write(q))
		}
	}
	return strings.Join(got, "; ")
}

func TestRead(t *testing.T) {
	for s, want := range map[string]string{
		"two weeks":                             "1209600 seconds",
		"14 days":                               "1209600 seconds",
		"15%":                                   "15%",
		"15 %":                                  "15%",
		"15 percent":                            "15%",
		"15 per cent":                           "15%",
		"0.15":                                  "0.15",
		"SAR 5,000":                             "5000 SAR",
		"SAR5,000":                              "5000 SAR",
		"5,000 SAR":                             "5000 SAR",
		"5,000 Saudi riyals":                    "5000 SAR",
		"$1,250.50 and €3":                      "1250.5 USD; 3 EUR",
		"$5 million":                            "5000000 USD",
		"3 million dollars":                     "3000000 USD",
		"a 30-day notice":                       "2592000 seconds",
		"two hundred and fifty thousand riyals": "250000 SAR",
		"10 to 15%":                             "10%; 15%",
		"SAR 5,000 to 7,000":                    "5000 SAR; 7000 SAR",
		"one of them":                           "",
		"in 2024":                               "2024",
		"Between 1 and 5 May 2024 in 3 rows":    "2024-05-01; 2024-05-05; 3",
		"من 3 إلى 9 مارس 2025":                  "2025-03-03; 2025-03-09",
		"card 4111 1111 1111 1111":              "No. 4111111111111111",
		"12 500 000 tonnes, 10 20 30":           "12500000000 kg; 10; 20; 30",
		"1920 by 1080 in 2020":                  "1920; 1080; 2020",
		"no later than 14 days before it":       "≥ 1209600 seconds",
		"not later than two weeks in advance":   "≥ 1209600 seconds",
		"no earlier than a month prior to it":   "≤ 1 months",
		"free until 24 hours before it":         "≥ 86400 seconds",
		"up to two days in advance":             "≤ 172800 seconds",
		"مجانا حتى 24 ساعة قبل الموعد":                                                 "≥ 86400 seconds",
		"يجوز تخزين أكثر من 200 كيلوغرام":                                              "> 200 kg",
		"لا يجوز تخزين أكثر من 200 كيلوغرام":                                           "≤ 200 kg",
		"no later than 14 days after it":                                               "≤ 1209600 seconds",
		"within 14 days before it":                                                     "≤ 1209600 seconds",
		"no later than 5 May 2024":                                                     "≤ 2024-05-05",
		"في موعد لا يتجاوز 14 يوما قبل الاجتماع":                                       "≥ 1209600 seconds",
		"لا تتجاوز 14 يوما قبل الاجتماع":                                               "≤ 1209600 seconds",
		"won by three goals to one":                                                    "3; 1",
		"three-quarters of an hour":                                                    "2700 seconds",
		"لا تتجاوز قيمة المخالفة 800 درهم":                                             "≤ 800 AED",
		"زادت على 100 ريال ولم تتجاوز مليون ريال":                                      "> 100 SAR; ≤ 1000000 SAR",
		"ولم تزد على 50 كيلوغراما":                                                     "≤ 50 kg",
		"فلا تتجاوز 50 كيلوغراما":                                                      "≤ 50 kg",
		"لم يزد عدد الركاب على 50":                                                     "≤ 50",
		"ولن تقل عن 50 كيلوغراما":                                                      "≥ 50 kg",
		"لا يزيد عدد الركاب على 50":                                                    "≤ 50",
		"تجاوز الفريق خصومه في 3 مباريات":                                              "3",
		"تصل الغرامة إلى 5 دنانير كحد أقصى":                                            "≤ 5 dinar",
		"لما يصل إلى 50 راكباً":                                                        "≤ 50",
		"بأربعة أهداف مقابل هدفين":                                                     "4; 2",
		"ضغطه ١٥٠ على ٩٥ ملم زئبق":                                                     "150 mmHg; 95 mmHg",
		"٧٠ ملغم/ديسيلتر عند ٣٠ مئوية":                                                 "0.7 kg/m3; 30 °C",
		"نقطة مئوية واحدة":                                                             "1 percentage points",
		"on 2024-01-15 at 10:30":                                                       "2024-01-15; 10:30:00",
		"the 1940s and 5 March 1945":                                                   "1940s; 1945-03-05",
		"30 dinars":                                                                    "30 dinar",
		"30 Kuwaiti dinars":                                                            "30 KWD",
		"KWD 30":                                                                       "30 KWD",
		"ديناران":                                                                      "2 dinar",
		"the 14th day":                                                                 "14th",
		"under § 5.20 and §7":                                                          "No. 5.20; No. 7",
		"version 1.2.3":                                                                "No. 1.2.3",
		"-5% growth":                                                                   "-5%",
		"48 hours or 3 months":                                                         "172800 seconds; 3 months",
		"–4 to +4, (−3) and -$2":                                                       "-4; 4; -3; -2 USD",
		"درجة الحرارة -٤ أو \u200f−٣":                                                  "-4; -3",
		"10 -15 days, pre-5 and 3 - 2":                                                 "864000 seconds; 1296000 seconds; 5; 3; 2",
		".5 days, 2,5% and ٫٢٥":                                                        "43200 seconds; 2.5%; 0.25",
		"five ten":                                                                     "5; 10",
		"half an hour, a quarter of an hour, half a day":                               "1800 seconds; 900 seconds; 43200 seconds",
		"half a percent or two and a half hours":                                       "0.5%; 9000 seconds",
		"half of the staff, a quarter later, half a loaf and two and a half of a cake": "50%; 2",
		"a quarter of the budget and three-fifths of all voters":                       "25%; 60%",
		"the first half of the year, a third of the season, half of the season":        "1th",
		"more than half of the members":                                                "> 50%",
		"ثلثا الأعضاء وثلث الناخبين":                                                   "66.6666666666%; 33.3333333333%",
		"خُمس السكان، بثلاثة أرباع المقاعد، أربعة أخماس المدن": "20%; 75%; 80%",
		"a third of the staff and two-thirds of all voters":    "33.3333333333%; 66.6666666666%",
		"خمس المدن وثمن البيت وثلث الساعة":                     "5",
		"رصيد الهاتف 45 درهماً":                                "45 AED",
		"وديعة الحساب 12,500":                                  "12500",
		"the phone bill of account 2 million dirhams":          "2000000 AED",
		"phone 04 123 4567 and account 88231 AED 500":          "No. 041234567; No. 88231; 500 AED",
		"a spread of 225 bps":                                  "225 basis points",
		"a charge of USD 12 and a minimum order of USD 90":     "12 USD; 90 USD",
		"a charge of USD 12 and at most USD 15":                "12 USD; ≤ 15 USD",
		"رسم قدره 12 دولاراً بحد أقصى 15 دولاراً":              "12 USD; ≤ 15 USD",
		"12 dollars or more, 15 dollars for each at most":      "≥ 12 USD; ≤ 15 USD",
		"ربع الميزانية، نصف الموظفين":                          "25%; 50%",
		"ربع النهائي ونصف السنة ونصف":                          "",
		"Law No. 6 of the year 2018":                           "No. 6; 2018",
		"أولاً: تعادل الوديعة إيجار شهرين":                     "2 months",
		"Second: the deposit is 5 days":                        "432000 seconds",
		"First, it takes 5 days":                               "432000 seconds",
		"no numbers":                                           "",
		"١٥ يوماً":                                             "1296000 seconds",
		"خمسة أيام":                                            "432000 seconds",
		"وخمسة أيام":                                           "432000 seconds",
		"خمسة عشر يوماً":                                       "1296000 seconds",
		"بخمسة وعشرين ديناراً":                                 "25 dinar",
		"أحد عشر يوماً وإحدى وعشرون ساعة":                      "1026000 seconds",
		"أحد الموظفين أو إحدى الدول":                           "",
		"إحدى عشرة دولة":                                       "11",
		"مئة وأحد عشر ريالاً وألف وإحدى عشرة دولة":             "111 SAR; 1011",
		"مئة وواحد وعشرون ريالاً":                              "121 SAR",
		"مليونان ومئتان وخمسون ألف ريال":                       "2250000 SAR",
		"ألفان وخمسمائة ريال، مليون وألفان":                    "2500 SAR; 1002000",
		"لست طبيباً":                                           "",
		"مئة وخمسون ريالاً":                                    "150 SAR",
		"5 آلاف ريال":                                          "5000 SAR",
		"٥٬٠٠٠ ريال سعودي":                                     "5000 SAR",
		"ثلاثة آلاف ريال":                                      "3000 SAR",
		"شهران وسنتان":                                         "2 months; 24 months",
		"٣٫٥ في المئة":                                         "3.5%",
		"15 بالمئة":                                            "15%",
		"يوم واحد":                                             "86400 seconds",
		"من 10 إلى 15 يوماً":                                   "864000 seconds; 1296000 seconds",
		"ساعتين":                                               "7200 seconds",
		"مليون ريال":                                           "1000000 SAR",
	} {
		require.Equal(t, want, written(s), s)
		for _, q := range quantity.Read(s) {
			require.Equal(t, q.Raw, text.Slice(s, q.Span), s)
		}
	}
}
