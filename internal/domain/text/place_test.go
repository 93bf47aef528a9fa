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
		{desc: "exact", quote: "paid annual leave", source: policy, kind: text.Exact, found: "paid annual leave"},
		{
			desc: "quotation marks are no part of it", quote: "“paid annual leave”", source: policy,
			kind: text.Exact, found: "paid annual leave",
		},
		{
			desc: "case and spacing", quote: "Paid  ANNUAL\nleave.", source: policy, kind: text.Normalised,
			found: "paid annual leave.",
		},
		{desc: "Arabic exact", quote: "مدفوعة الأجر", source: سياسة, kind: text.Exact, found: "مدفوعة الأجر"},
		{
			desc:  "Arabic without tashkeel, with other digits",
			quote: "اجازة سنوية مدفوعه الاجر مدتها 15 يوما", source: سياسة, kind: text.Normalised,
			found: "إجازةً سنويةً مدفوعة الأجر مدتها ١٥ يوماً",
		},
		{
			desc: "elided", quote: "All permanent employees … annual leave", source: policy, kind: text.Fuzzy,
			found: "All permanent employees shall receive 15 days of paid annual leave",
		},
		{
			desc: "elided with dots in brackets", quote: "Unused annual leave [...] department head.",
			source: policy, kind: text.Fuzzy,
			found: "Unused annual leave may be carried over at the discretion of the department head",
		},
		{
			desc: "elided in front", quote: "...may be carried over at the discretion", source: policy,
			kind: text.Fuzzy, found: "may be carried over at the discretion",
		},
		{
			desc: "elided in the wrong order", quote: "department head … Unused annual leave", source: policy,
			kind: text.NotPlaced,
		},
		{
			desc: "elided over a negation", quote: "the agency is … required to reply",
			source: "Under rule 4, the agency is not always required to reply.", kind: text.NotPlaced,
		},
		{
			desc: "elided over an exception", quote: "وتدفع الرسوم … عند التسليم",
			source: "وتدفع الرسوم باستثناء ما نص عليه القرار عند التسليم.", kind: text.NotPlaced,
		},
		{
			desc: "elided over a sentence that negates", quote: "The fee is due … by bank transfer",
			source: "The fee is due in March. It is not refunded. Members pay by bank transfer.", kind: text.Fuzzy,
			found: "The fee is due in March. It is not refunded. Members pay by bank transfer",
		},
		{desc: "elided inside words", quote: "perm … emp … loy", source: policy, kind: text.NotPlaced},
		{
			desc:   "a word left out",
			quote:  "Unused annual leave may carried over at the discretion of the department head",
			source: policy, kind: text.Fuzzy,
			found: "Unused annual leave may be carried over at the discretion of the department head",
		},
		{
			desc:   "a word changed",
			quote:  "Unused annual leave may be carried over at the choice of the department head",
			source: policy, kind: text.Fuzzy,
			found: "Unused annual leave may be carried over at the discretion of the department head",
		},
		{
			desc:  "another number is another statement",
			quote: "All permanent employees shall receive 20 days of paid annual leave", source: policy,
			kind: text.NotPlaced,
		},
		{
			desc:  "a negation left out is another statement",
			quote: "Employees must share passwords with anyone outside the company", source: policy,
			kind: text.NotPlaced,
		},
		{
			desc: "Arabic fuzzy", quote: "يجوز ترحيل الإجازة غير المستخدمة بموافقة مدير القسم", source: سياسة,
			kind: text.Fuzzy, found: "يجوز ترحيل الإجازة غير المستخدمة بموافقة رئيس القسم",
		},
		{desc: "invented", quote: "The company pays for travel", source: policy, kind: text.NotPlaced},
		{desc: "empty", source: policy, kind: text.NotPlaced},
		{desc: "only marks", quote: "“ ”", source: policy, kind: text.NotPlaced},
		{desc: "empty source", quote: "x", kind: text.NotPlaced},
		{
			desc: "ligature in the source", quote: "محمد صلي", source: "قال ﷺ: محمد صلى",
			kind: text.Normalised, found: "محمد صلى",
		},
		{desc: "part of a ligature", quote: "صلي الله", source: "قال ﷺ نعم", kind: text.Normalised, found: "ﷺ"},
	}
	for _, c := range cases {
		got := text.Place(c.quote, c.source)
		require.Equal(t, c.kind, got.Kind, c.desc)
		require.Equal(t, c.found, text.Slice(c.source, got.Span), c.desc)
	}
}

// TestPlaceHostile shows that sources full of near misses do not take quadratic time.
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
