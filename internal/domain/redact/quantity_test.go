package redact_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/redact"
	"sanad/internal/domain/text/quantity"
)

// TestNumbersOfPeopleAreNames: what redaction takes for an IBAN, a card or a telephone number, the one reading of
// figures takes for a name, in the digits of both scripts, so that no judge compares it as an amount.
func TestNumbersOfPeopleAreNames(t *testing.T) {
	r, err := redact.New(nil)
	require.NoError(t, err)
	for number, kind := range map[string]string{
		"AE07 0331 2345 6789 0123 456": redact.IBAN, "SA0380000000608010167519": redact.IBAN,
		"4111 1111 1111 1111": redact.Card, "5500-0000-0000-0004": redact.Card, "4111111111111111": redact.Card,
		"٤١١١ ١١١١ ١١١١ ١١١١": redact.Card,
		"+971 50 123 4567":    redact.Phone, "050 123 4567": redact.Phone, "٠٥٠ ١٢٣ ٤٥٦٧": redact.Phone, "00966 50 123 4567": redact.Phone,
	} {
		s := "Phone or card or IBAN: " + number + ", she said."
		out, counts := r.Text(s)
		require.Equal(t, redact.Counts{kind: 1}, counts, s)
		require.Contains(t, out, redact.Mask(kind))
		for _, q := range quantity.Read(s) {
			require.Equal(t, quantity.Identifier, q.Kind, "%s: %s", s, q.Raw)
			require.Equal(t, strings.Trim(number, "+"), q.Raw)
		}
	}
}

// TestAmountsAreNotRedacted: what the one reading takes for an amount with its unit stays.
func TestAmountsAreNotRedacted(t *testing.T) {
	r, err := redact.New(nil)
	require.NoError(t, err)
	for _, s := range []string{"The budget is 5551234567 riyals.", "الميزانية ٥٥٥١٢٣٤٥٦٧ ريال.", "Revenue was 971501234567 USD.",
		"The plant sold 4,111,111,111,111,111 kWh.",
		"The plant made 920012345 kWh.", "Revenue was 966501234567 riyals.", "Revenue was $966501234567.",
		"Phone sales were 5551234567 dollars.", "The phone costs 1234567 riyals.", "Mobile revenue: 9876543 USD",
		"The port handled 920056789 tonnes.", "A debt of 966512345678 US dollars.", "They pumped 920012345 barrels.",
		"A phone bill of 1,234,567.50 SAR", "Turnover fell to EUR 920012345.", "The GDP is 2222222222 dollars.",
		"It paid 966111234567 Saudi riyals.", "The reservoir has 920045678 litres.", "A loss of 920012345 pounds.",
		"الإيرادات 966501234567 ريال", "بلغت الميزانية 920012345 درهماً", "بلغت الكلفة ٩٢٠٠١٢٣٤٥ دولار.",
		"هاتف بسعر 1234567 ريال", "هواتف بقيمة ٩٨٧٦٥٤٣ درهم", "أنتج الحقل ٩٢٠٠١٢٣٤٥ برميل.", "باع المصنع 920056789 طناً.",
		"الدين ٩٦٦٥١٢٣٤٥٦٧٨ ريالاً سعودياً.", "استهلكت المدينة 920045678 لتر.", "قيمة العقد 2222222222 ديناراً.",
		"بلغت الأصول ٩٦٦١١١٢٣٤٥٦٧ جنيه.", "خسارة قدرها 920012345 يورو.", "سعة السد ٩٢٠٠١٢٣٤٥ متر مكعب.",
		"المبيعات 920098765 دولار أمريكي.", "رأس المال 966501234567 درهم."} {
		require.Equal(t, quantity.Amount, quantity.Read(s)[0].Kind, s)
		out, _ := r.Text(s)
		require.Equal(t, s, out)
	}
}

// TestUnitsDoNotHideNumbersOfPeople: a word that says whose number it is, a zero or plus before it, or a letter that
// may be no unit keep it a telephone number.
func TestUnitsDoNotHideNumbersOfPeople(t *testing.T) {
	r, err := redact.New(nil)
	require.NoError(t, err)
	for _, s := range []string{"Phone 966501234567 dollars", "هاتف 920012345 ريال", "Pay 0501234567 riyals", "+966501234567 USD",
		"920012345 m", "Call 920012345, 20 riyals a minute", "اتصل على ٩٢٠٠١٢٣٤٥ مقابل ريال", "966501234567 five riyals"} {
		_, counts := r.Text(s)
		require.Equal(t, redact.Counts{redact.Phone: 1}, counts, s)
	}
}
