package text_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/text"
)

func TestRightToLeft(t *testing.T) {
	for s, want := range map[string]bool{
		"":                       false,
		"12,500 %":               false,
		"٤٢٪":                    true,
		"SAP نظام تخطيط الموارد": true,
		"أُرسلت الدفعة by mistake to a client":          false,
		"استُدعيت payments.release وlist_open_invoices": true,
		"The law نظام العمل applies here":               false,
		"עברית SAP":      true,
		"(1) Кириллица":  false,
		"1. ٢٠٢٤ Annual": false,
	} {
		require.Equal(t, want, text.RightToLeft(s), s)
	}
}

func TestRuns(t *testing.T) {
	for _, c := range []struct {
		s       string
		rtl     bool
		foreign []string
	}{
		{"استُدعيت الأداة payments.release(draft=true) بمبلغ 12,500.00 USD.", true,
			[]string{"payments.release(draft=true)", "12,500.00"}},
		{"بين 2024-2026 وما بعدها", true, []string{"2024-2026"}},
		{"The law «نظام العمل» (2024) applies, نعم.", false, []string{"نظام العمل", "نعم"}},
		{"no letters: 12", false, nil},
		{"", true, nil},
	} {
		var all, foreign []string
		for _, r := range text.Runs(c.s, c.rtl) {
			all = append(all, r.Text)
			if r.Foreign {
				foreign = append(foreign, r.Text)
			}
		}
		require.Equal(t, c.s, strings.Join(all, ""))
		require.Equal(t, c.foreign, foreign, c.s)
	}
}
