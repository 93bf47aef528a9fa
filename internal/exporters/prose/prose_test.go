package prose

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
)

func TestMarkdownSpans(t *testing.T) {
	for in, want := range map[string]string{
		"":                           "",
		"plain":                      "plain",
		"a **b** c":                  "a [b] c",
		"- a\n- b":                   "• a\n• b",
		"3. a\n4. b":                 "3. a\n4. b",
		"# H\n\ntext":                "[H]\ntext",
		"[x](http://e.example)":      "x (http://e.example)",
		"![i](http://e.example/x)":   "i (http://e.example/x)",
		"`c` d":                      "`c` d",
		"> q":                        "› q",
		"<b>x</b>":                   "<b>x</b>",
		"<div>\nx\n</div>":           "<div>\nx\n</div>",
		"```\nx\ny\n```":             "`x`\n`y`",
		"one\ntwo":                   "one two",
		`a\_b \*c\*`:                 "a_b *c*",
		"a &amp; b &lt; c &#34;":     `a & b < c "`,
		`[x](http://e.example/a\_b)`: "x (http://e.example/a_b)",
		"`a\\_b &amp;`":              "`a\\_b &amp;`",
		"[a]: http://only.a.target":  "[a]: http://only.a.target",
	} {
		got := ""
		for _, s := range Spans(in) {
			switch {
			case s.Bold:
				got += "[" + s.Text + "]"
			case s.Code:
				got += "`" + s.Text + "`"
			default:
				got += s.Text
			}
		}
		require.Equal(t, want, got, "%q", in)
	}
}

func TestTextLang(t *testing.T) {
	for _, x := range []struct{ text, belongs, want string }{
		{"", "ar", ""},
		{"42 (7%)", "ar", ""},
		{"Staff get 15 days", "ar", "en"},
		{"يستحق الموظف ١٥ يومًا", "en", "ar"},
		{"يجب تطبيق ISO 27001 سنويًا", "en", "ar"},
		{"The Arabic text provides that «تُحفظ البيانات داخل المملكة العربية السعودية»", "en", "en"},
		{"The Arabic text provides that «تُحفظ البيانات»", "", "en"},
		{"IFRS 9 في الخليج", "ar-SA", "ar"},
		{"IFRS 9 في الخليج", "fr", "en"},
		{"«تُحفظ البيانات» says the Arabic text", "en-GB", "en"},
	} {
		require.Equal(t, x.want, TextLang(x.text, x.belongs), x.text)
	}
}

// TestInOriginal: only English in the Arabic part and Arabic in the English one are said; no id of a message is ever shown.
func TestInOriginal(t *testing.T) {
	for _, x := range []struct{ text, en, ar string }{
		{"The fee is waived.", "", " (بالإنجليزية في الأصل)"},
		{"تُلغى الرسوم.", " (in Arabic in the original)", ""},
		{"✓", "", ""}, {"2026-11-30", "", ""}, {"", "", ""},
		{"یہ فیس معاف ہے", "", ""}, {"Плата отменена.", "", ""},
	} {
		for i, want := range []string{x.en, x.ar} {
			got := ""
			for _, span := range Langs[i].InOriginal(x.text) {
				got += span.Text
			}
			require.Equal(t, want, got, "%q in %s", x.text, Langs[i].Code)
		}
	}
}

func TestInline(t *testing.T) {
	for in, want := range map[string]string{
		"":                                     "",
		"HR_Policy.pdf":                        "HR_Policy.pdf",
		"Leave Policy Q&A":                     "Leave Policy Q&A",
		"_em_":                                 `\_em\_`,
		"a\n\tb\u2028c":                        "a b c",
		"1. x":                                 "1. x",
		"# x #":                                `# x \#`,
		"C# and F#":                            "C# and F#",
		"&lt;":                                 `\&lt;`,
		"a & b":                                "a & b",
		"x\u202Ey":                             "x⟨U+202E⟩y",
		"a\x00b":                               "a⟨U+0000⟩b",
		"\xff":                                 "\uFFFD",
		"من 10% إلى ٢٠٪":                       "من 10% إلى ٢٠٪",
		"https://x.y www.z.y a@b.c":            `https\://x.y www\.z.y a\@b.c`,
		"- a":                                  "- a",
		"👩‍👩‍👧":                                "👩‍👩‍👧",
		"Employees get 15 days, e.g. in 2024.": "Employees get 15 days, e.g. in 2024.",
	} {
		require.Equal(t, want, Inline(in))
	}
}

func TestLine(t *testing.T) {
	for in, want := range map[string]string{
		"# x": `\# x`, "- x": `\- x`, "+": `\+`, "12) a": `12\) a`, "1. a": `1\. a`, "1.5 a": "1.5 a", "=": `\=`,
		"> a": `\> a`, "15 days": "15 days",
	} {
		require.Equal(t, want, Line(in))
	}
}

// TestClippedTo checks that a shortened excerpt keeps the words that it is to show, and that no text is cut in a word.
func TestClippedTo(t *testing.T) {
	long := strings.Repeat("word ", 40) + "at most 30 days " + strings.Repeat("more ", 40)
	got := ClippedTo(long, 60, []string{"at most 30 days"})
	require.Contains(t, got, "at most 30 days")
	require.LessOrEqual(t, utf8.RuneCountInString(got), 62)
	require.True(t, strings.HasPrefix(got, "…") && strings.HasSuffix(got, "…"), got)
	require.Equal(t, Clipped(long, 60), ClippedTo(long, 60, nil))
	require.Equal(t, "all incidents are assigned to a…", Clipped("all incidents are assigned to a Priority", 33))
}

// A quotation whose first words point back to the sentence before it takes that with it; any other stays as it is.
func TestLed(t *testing.T) {
	for _, x := range []struct{ passage, quotation, want string }{
		{passage: "Support is given from Amman. Engineers there see data only.", quotation: "Engineers there see data only.", want: "Support is given from Amman. Engineers there see data only."},
		{passage: "First part. Rimal aims at 4 hours.\nThese are targets.", quotation: "These are  targets.", want: "Rimal aims at 4 hours. These are targets."},
		{passage: "تُقدَّم الخدمة من عمّان. وهذه أهداف لا التزامات.", quotation: "وهذه أهداف لا التزامات.", want: "تُقدَّم الخدمة من عمّان. وهذه أهداف لا التزامات."},
		{passage: "First. The fee is 3%.", quotation: "The fee is 3%.", want: "The fee is 3%."},
		{passage: "These are targets.", quotation: "These are targets.", want: "These are targets."},
		{passage: "Another passage.", quotation: "These are targets.", want: "These are targets."},
		{passage: strings.Repeat("long ", 60) + "end. It is so.", quotation: "It is so.", want: "It is so."},
		{passage: "", quotation: "", want: ""},
	} {
		require.Equal(t, x.want, Led(x.quotation, x.passage))
	}
}

// Of a weak claim the words that the passage lacks are named, or it is said that it has them all.
func TestLacking(t *testing.T) {
	for _, x := range []struct {
		claim, passage string
		lacking        []string
		agree          bool
	}{
		{claim: "Riyadh Hospital has 1,240 employees.", passage: "1,240 employees; city: Riyadh", lacking: []string{"Hospital"}, agree: false},
		{claim: "Authentication is mandatory for administrators.", passage: "Authentication is mandatory for every administrator, at no charge.", lacking: nil, agree: true},
		{claim: "A credit must be claimed by ticket.", passage: "The customer claims a credit by ticket.", lacking: []string{"must"}, agree: false},
		{claim: "تُحفظ السجلات 45 يوماً.", passage: "تُحفظ السجلات لمدة 45 يوماً.", lacking: nil, agree: true},
		{claim: "Records are kept.", passage: "تُحفظ السجلات.", lacking: nil, agree: false},
		{claim: "", passage: "Records are kept.", lacking: nil, agree: false},
	} {
		lacking, agree := Lacking(x.claim, x.passage, &ledger.Match{Snippet: x.passage, Support: ledger.Partial})
		require.Equal(t, x.lacking, lacking, x.claim)
		require.Equal(t, x.agree, agree, x.claim)
	}
	require.Equal(t, []string{"nobody"}, Unsaid([]string{"restored", "nobody"}, "They restore it."))
}
