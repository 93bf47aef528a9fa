package text_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/text"
)

// Each case is a text with "|" where it must be cut; blanks beside the bar are trimmed.
var sentenceCases = []string{
	// English: plain ends
	"One.", "One. | Two.", "Is it paid? | Yes! | It is.", "No mark at all",
	"It ends here.  | And again.", "Really?! | Yes.", "Stop!!! | Now.",
	"He said \"no.\" | She left.", "(It is so.) | The next.", "“Certificates must be original.” | The policy says so.",
	"Is it \"really?\" he asked.", "is it paid? | yes, it is.",
	// English: abbreviations
	"Dr. Saleh heads the unit. | He is new.", "Mr. and Mrs. Smith came.", "Contact Prof. Alia Hassan.",
	"Use a tool, e.g. Excel, for it.", "The unit (i.e. HR) decides.", "Bring pens, paper, etc. and a bag.",
	"Bring pens, paper, etc. | The room is open.", "See Art. 5 of the law.", "See No. 12 and Sec. IV below.",
	"No. | Employees do not carry leave over.", "The U.S. Government pays.",
	"It is legal in the U.S. | The law says so.",
	"Acme Inc. announced it.", "It was sold to Acme Inc. | The price is secret.", "Open from 9 a.m. to 5 p.m. daily.",
	"It closes at 5 p.m. | Visitors leave then.", "J. R. R. Tolkien wrote it.", "She holds a Ph.D. in law.",
	"approx. 15 days remain.", "Smith et al. (2020) found it.", "Cats vs. Dogs is a film.",
	"Acme Inc. v. Smith was heard. | It ended.", "Smith et al. v. Jones ended.", "In Jan. 2024 it began.",
	"Please contact us. | Managers will answer.", "See p. 12. | Then stop.", "Plan B. | The plan works.",
	"Signed by Dr.\nSaleh.",
	// English: numbers, links, code, anchors, ellipses
	"It costs 3.5 million. | It grew 0.84 points.", "It began in 2024. | The end is near.", "Version 1.2.3 is out.",
	"See https://example.com/a.b?c=d. | The site works.", "Mail a.b@example.com for it. | We answer.",
	"Visit www.x.org! | Now.",
	"Run `a.b! c. D` first. | Then stop.", "An open ` tick. | Next.",
	"Leave is 15 days [cite:a1b2c3d4]. | It is paid.", "Leave is 15 days. [cite:a1b2c3d4] | It is paid.",
	"Leave is 15 days. [cite:a1b2c3d4][cite:00ff00ff] | It is paid.", "See [cite: a. B. c]. | Next.",
	"It is so.[1] | The next.",
	"Leave … may be carried over.", "Leave ... Employees may carry it.", "And so on... | The rest follows.",
	"Wait… | The rest follows.",
	"... and so on. | Then.", "He works for iPhone. | iPhone sells.", "5 kg. | The rest.",
	// English: lines
	"First paragraph\n\n| second paragraph", "- one\n- two",
	"a wrapped line that is long enough to be a wrapped\nline. | Next.",
	"Annual leave\n| Employees receive 15 days.", "The following:\n| annual leave", "Part of the\nMinistry.",
	// Arabic
	"يستحق الموظف إجازة. | يجوز ترحيلها.", "هل يلزم تقرير؟ | نعم، عند الغياب.", "قدم الطلب قبل 14 يوماً! | لا تتأخر.",
	"الإجازة مدفوعة؛ ومدتها 15 يوماً، ولا ترحل.", "يرأس د. صالح الوحدة. | وهو جديد.", "وقع م. أحمد و أ. سارة العقد.",
	"انظر ص. 15 من العقد.", "العنوان ص.ب. 1234 الرياض.", "جمهورية مصر العربية ج.م.ع. القاهرة.",
	"النسبة 3.5 بالمئة. | وهي ثابتة.",
	"النسبة ٣٫٥٪. | وهي ثابتة.", "صدر عام 1445 هـ. | ويسري فوراً.", "صدر عام 2024 م. | ويسري فوراً.",
	"دفع الأجر.| يجوز الترحيل.",
	"قال: «لا يجوز.» | ثم خرج.", "أين العقد؟| هنا.", "الإجازة … مدفوعة الأجر.",
	"الإجازة 15 يوماً. [cite:a1b2c3d4] | وهي مدفوعة.",
	"زر https://example.com/a. | ثم عد.", "الإجازة السنوية\n| يستحق الموظف 15 يوماً.", "فقرة أولى\n\n| فقرة ثانية",
	"نص بلا نقطة",
	"أ.د. محمد حاضر.", "Arabic وعربي. | نعم.",
}

func TestSentences(t *testing.T) {
	for _, c := range sentenceCases {
		var want []string
		for _, part := range strings.Split(c, "|") {
			want = append(want, strings.TrimSpace(part))
		}
		s := strings.ReplaceAll(c, "|", "")
		if strings.HasPrefix(c, "- ") {
			want = []string{"one", "two"}
		}
		require.Equal(t, want, sentences(s), s)
	}
}

// TestSentencesLists shows that a list item is a sentence without its marker.
func TestSentencesLists(t *testing.T) {
	cases := map[string][]string{
		"Rules:\n- one item\n- another item":      {"Rules:", "one item", "another item"},
		"1. First. More.\n2. Second":              {"First.", "More.", "Second"},
		"(a) first\n(b) second":                   {"first", "second"},
		"• أول\n• ثان":                            {"أول", "ثان"},
		"أ) أول\nب) ثان":                          {"أول", "ثان"},
		"١. أول\n٢. ثان":                          {"أول", "ثان"},
		"2024 was good\n* 15 days\n* 20 days":     {"2024 was good", "15 days", "20 days"},
		"one\r\n\r\ntwo":                          {"one", "two"},
		"1.\nFirst item stands on the next line.": {"1.\nFirst item stands on the next line."},
		"":       nil,
		" \n\t ": nil,
	}
	for s, want := range cases {
		require.Equal(t, want, sentences(s), s)
	}
}

func sentences(s string) (out []string) {
	for _, sp := range text.Sentences(s) {
		out = append(out, text.Slice(s, sp))
	}
	return out
}

// The first sentence is the first of all.
func TestFirstSentence(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"", " \n", "One. Two.", "  U.S. law applies. Two", "- a\n- b", "| a | b |\n| c. d |", "واحد. اثنان."} {
		want := text.Span{}
		if all := text.Sentences(s); len(all) > 0 {
			want = all[0]
		}
		if got := text.FirstSentence(s); got != want {
			t.Errorf("%q: %v, want %v", s, got, want)
		}
	}
}
