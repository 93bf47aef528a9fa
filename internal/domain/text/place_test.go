package text_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/text"
)

const policy = "All permanent employees shall receive 15 days of paid annual leave. Unused annual leave may be carried over at " +
	"the discretion of the department head. Employees must not share passwords with anyone outside the company."

const سياسة = "يستحق جميع الموظفين إجازةً سنويةً مدفوعة الأجر مدتها ١٥ يوماً. يجوز ترحيل الإجازة غير المستخدمة بموافقة رئيس القسم."

func TestPlace(t *testing.T) {
	cases := []struct {
		desc, quote, source string
		kind                text.PlacementKind
		found               string
	}{
		{"exact", "paid annual leave", policy, text.Exact, "paid annual leave"},
		{"quotation marks are no part of it", "“paid annual leave”", policy, text.Exact, "paid annual leave"},
		{"case and spacing", "Paid  ANNUAL\nleave.", policy, text.Normalised, "paid annual leave."},
		{"Arabic exact", "مدفوعة الأجر", سياسة, text.Exact, "مدفوعة الأجر"},
		{"Arabic without tashkeel, with other digits", "اجازة سنوية مدفوعه الاجر مدتها 15 يوما", سياسة, text.Normalised, "إجازةً سنويةً مدفوعة الأجر مدتها ١٥ يوماً"},
		{"elided", "All permanent employees … annual leave", policy, text.Fuzzy, "All permanent employees shall receive 15 days of paid annual leave"},
		{"elided with dots in brackets", "Unused annual leave [...] department head.", policy, text.Fuzzy, "Unused annual leave may be carried over at the discretion of the department head"},
		{"elided in front", "...may be carried over at the discretion", policy, text.Fuzzy, "may be carried over at the discretion"},
		{"elided in the wrong order", "department head … Unused annual leave", policy, text.NotPlaced, ""},
		{"elided inside words", "perm … emp … loy", policy, text.NotPlaced, ""},
		{"a word left out", "Unused annual leave may carried over at the discretion of the department head", policy, text.Fuzzy, "Unused annual leave may be carried over at the discretion of the department head"},
		{"a word changed", "Unused annual leave may be carried over at the choice of the department head", policy, text.Fuzzy, "Unused annual leave may be carried over at the discretion of the department head"},
		{"another number is another statement", "All permanent employees shall receive 20 days of paid annual leave", policy, text.NotPlaced, ""},
		{"a negation left out is another statement", "Employees must share passwords with anyone outside the company", policy, text.NotPlaced, ""},
		{"Arabic fuzzy", "يجوز ترحيل الإجازة غير المستخدمة بموافقة مدير القسم", سياسة, text.Fuzzy, "يجوز ترحيل الإجازة غير المستخدمة بموافقة رئيس القسم"},
		{"invented", "The company pays for travel", policy, text.NotPlaced, ""},
		{"empty", "", policy, text.NotPlaced, ""},
		{"only marks", "“ ”", policy, text.NotPlaced, ""},
		{"empty source", "x", "", text.NotPlaced, ""},
		{"ligature in the source", "محمد صلي", "قال ﷺ: محمد صلى", text.Normalised, "محمد صلى"},
		{"part of a ligature", "صلي الله", "قال ﷺ نعم", text.Normalised, "ﷺ"},
	}
	for _, c := range cases {
		got := text.Place(c.quote, c.source)
		require.Equal(t, c.kind, got.Kind, c.desc)
		require.Equal(t, c.found, text.Slice(c.source, got.Span), c.desc)
	}
}

// TestPlaceHostile shows that near misses without end do not cost their square.
func TestPlaceHostile(t *testing.T) {
	for _, c := range [][2]string{
		{strings.Repeat("ab ", 3000) + "x … y ab", strings.Repeat("ab ", 300_000)},
		{strings.Repeat("a", 5000) + " b … c d e", strings.Repeat("a", 1_000_000)},
		{strings.Repeat("leave may be ", 40) + "so", strings.Repeat("leave may be not ", 60_000)},
		{strings.Repeat("a ... ", 20_000) + "b", strings.Repeat("a x ", 200_000)},
	} {
		require.Equal(t, text.NotPlaced, text.Place(c[0], c[1]).Kind)
	}
}
