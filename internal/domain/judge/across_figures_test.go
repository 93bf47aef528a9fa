package judge

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/text/quantity"
)

// Words that only say what a figure measures, its place in an Arabic sentence and the sign before a law's number turn
// nothing; another owner or another measure does.
func TestStandAcross(t *testing.T) {
	for _, c := range []struct {
		claim, source string
		want          quantity.Relation
	}{
		{"The nurse measured 120/80 mmHg.", "قاس الممرض ضغطاً قدره ١٢٠ على ٨٠ ملم زئبق.", quantity.Same},
		{"The nurse measured 120/80 mmHg.", "قاس الممرض ضغطاً قدره ٨٠ على ١٢٠ ملم زئبق.", quantity.Unlike},
		{"The oven temperature is 75 °C.", "درجة حرارة الفرن ٧٥ مئوية.", quantity.Same},
		{"The oven temperature is 75 °C.", "درجة حرارة الفرن ٧٦ مئوية.", quantity.Other},
		{"The water boils at 100 °C.", "يغلي الماء عند درجة حرارة ١٠٠ مئوية.", quantity.Same},
		{"The city has 1.4 million residents.", "يبلغ عدد سكان المدينة ١٫٤ مليون نسمة.", quantity.Same},
		{"The city has 1.4 million residents.", "يبلغ عدد سكان المدينة ١٫٥ مليون نسمة.", quantity.Other},
		{"The decrease is 5%.", "الانخفاض ٥٪.", quantity.Same},
		{"The decrease is 5%.", "الارتفاع ٥٪.", quantity.Unlike},
		{"The licence was granted under Law No. 6 of 2018.", "مُنحت الرخصة بموجب القانون رقم ٦ لسنة ٢٠١٨.", quantity.Same},
		{"The licence was granted under Law No. 6 of 2018.", "مُنحت الرخصة بموجب القانون رقم ٦ لسنة ٢٠١٩.", quantity.Unlike},
		{"The deposit equals 2 months' rent.", "أولاً: تعادل الوديعة إيجار شهرين.", quantity.Same},
	} {
		got, _, _ := itemsAcross(c.claim).stand(itemsAcross(c.source))
		require.Equal(t, c.want, got, "%s | %s", c.claim, c.source)
	}
}
