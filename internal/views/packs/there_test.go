package packs

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
	"sanad/internal/views/ui"
	"sanad/internal/views/viewtest"
)

// brokenBy breaks one rule of Validate each, by its number.
var brokenBy = map[int]func(k *pack.Content){
	1:  func(k *pack.Content) { k.Sources[0].Source = "" },
	2:  func(k *pack.Content) { k.Sources[0].URI = "" },
	3:  func(k *pack.Content) { k.Sources[0].Excerpt = "" },
	4:  func(k *pack.Content) { k.Sources[0].RetrievedAt = "" },
	5:  func(k *pack.Content) { k.Sources[0].Confidence = nil },
	6:  func(k *pack.Content) { k.Sources[0].Excerpt = strings.Repeat("x", pack.MaxExcerpt+1) },
	7:  func(k *pack.Content) { k.Sources[0].Excerpt = "not in the stored document" },
	8:  func(k *pack.Content) { k.Sources[0].ExcerptHash = pack.Hash([]byte("other")) },
	9:  func(k *pack.Content) { k.ToolCalls[0].IntendedAction = "" },
	10: func(k *pack.Content) { k.ToolCalls[0].ActualAction = "" },
	11: func(k *pack.Content) { k.Memo.TitleAR = "" },
	12: func(k *pack.Content) { k.Memo.ExecutiveSummaryEN = strings.Repeat("word ", pack.MaxSummaryWords+1) },
	13: func(k *pack.Content) { k.Memo.BodyAR = strings.Repeat("كلمة ", pack.MaxBodyWords+1) },
	14: func(k *pack.Content) { k.Memo.BodyEN = "No evidence." },
	15: func(k *pack.Content) { k.Sources = nil },
	16: func(k *pack.Content) { k.Sources[0].RetrievedAt = "2026-11-10T09:00:00Z" },
	17: func(k *pack.Content) {
		k.Ledger = entries(pack.Entry{ClaimID: "c9", Number: 9, ClaimText: "A claim", Verdict: ledger.Unjudged, State: ledger.Unreviewed})
	},
	18: func(k *pack.Content) { k.Sources[0].SensitivityClass = "S3" },
	19: func(k *pack.Content) { k.Sources[0].RetrievedAt = "2026-11-20T09:30:00Z" },
	20: func(k *pack.Content) { k.Sources[0].ContentHash = "" },
	21: func(k *pack.Content) { k.Memo.BodyEN += " [E99]" },
	22: func(k *pack.Content) { k.LedgerSessionID, k.Ledger = "s9", nil },
	23: func(k *pack.Content) { k.ToolCalls[0].ActualAction = "deleted 1" },
	24: func(k *pack.Content) { k.StatementAR, k.StatementEN = "", "" },
	25: func(k *pack.Content) { k.StatementAR, k.ApprovalClass = "", "A1" },
	26: func(k *pack.Content) {
		k.ToolCalls[0].ActualAction = "fetched 1"
		k.ToolCalls[0].Departure = &pack.Departure{Result: judge.ActionUnclear}
	},
	27: func(k *pack.Content) {
		k.Memo.ExecutiveSummaryAR = "ملخص the quick brown fox jumps over the lazy dog and runs away from it"
	},
	28: func(k *pack.Content) {
		k.ToolCalls[0].IntendedAction = "fetch the record of contact 457 today"
		k.Memo.BodyEN += " “fetch the record of contact 456 today”"
	},
	29: func(k *pack.Content) {
		k.Ledger = entries(pack.Entry{ClaimID: "c9", Number: 9, ClaimText: "The hospital has 320 beds in use",
			Verdict: ledger.Supported, State: ledger.Confirmed})
		k.Memo.BodyAR += " «The hospital has 310 beds in use»"
	},
}

func entries(all ...pack.Entry) *pack.Ledger { return &pack.Ledger{SessionID: "s9", Entries: all} }

// inForms finds the fields and the foldable parts of a page, with their ids.
func inForms(page string) map[string]string {
	out := map[string]string{}
	for _, m := range regexp.MustCompile(`<(input|textarea|select|section)\s[^>]*?\bid="([^"]+)"`).FindAllStringSubmatch(page, -1) {
		out[m[2]] = m[1]
	}
	return out
}

// TestEveryRuleLeadsSomewhere breaks every rule there is, one after the other: it is said in both languages, names its
// place in words, and "take me there" leads to a field that is there, to a claim, or to a section of the pack.
func TestEveryRuleLeadsSomewhere(t *testing.T) {
	for _, rule := range pack.Rules {
		t.Run(fmt.Sprint(rule.Number, " ", rule.Name), func(t *testing.T) {
			breaks := brokenBy[rule.Number]
			require.NotNil(t, breaks, "the rule is new: break it here, and give it a place in there.go")
			x := onPack(pack.Draft)
			breaks(&x.Content)
			faults := x.Content.Validate(map[int]string{0: "310 beds and more"})
			found := false
			for _, f := range faults {
				if f.Rule != rule {
					continue
				}
				found = true
				leads(t, x, f, faults)
			}
			require.True(t, found, "nothing breaks the rule")
		})
	}
}

// leads follows a fault from the form of the memo and from that of the evidence.
func leads(t *testing.T, x *pack.Pack, f pack.Fault, all []pack.Fault) {
	t.Helper()
	home := "/packs/" + x.Content.PackID
	said := map[string]string{}
	for _, lang := range []string{"en", "ar"} {
		c := viewtest.ChromeAt(lang, home+"/edit")
		c.May = ui.May{DraftPack: true, DecidePack: true}
		edit := viewtest.Html(t, Edit(NewEditPage(c, EditInput{Pack: x, Faults: all})))
		mend := viewtest.Html(t, Mend(NewMendPage(c, MendInput{Pack: x, Broken: all})))
		v := faultView(&c, f, &x.Content, home+"/edit")
		said[lang] = v.Text
		require.NotContains(t, v.Text, "rule.", "it has no sentence")
		require.NotRegexp(t, `\{\{|<no value>|%!`, v.Text)
		require.NotEmpty(t, v.Where)
		require.NotRegexp(t, `_|\w\[\d`, strings.NewReplacer(x.Content.ToolCalls[0].ToolName, "").Replace(v.Where),
			"a place is named in words, not by its path")
		require.Contains(t, edit, `href="`+v.Href+`"`)
		require.Contains(t, viewtest.ByID(t, edit, "faults"), c.T("pk_there"))
		page, field, _ := strings.Cut(v.Href, "#")
		switch page {
		case "": // the form of the memo itself
			require.Contains(t, inForms(edit), field)
			require.NotEqual(t, "section", inForms(edit)[field], "a field takes the caret")
			require.Contains(t, mend, home+"/edit#faults\"", "from the other form too")
		case home + "/mend":
			require.Contains(t, inForms(mend), field)
			require.NotEqual(t, "section", inForms(mend)[field], "a field takes the caret")
			require.Contains(t, mend, `href="#`+field+`"`, "from its own form")
		case home + "/session":
			choose := viewtest.Html(t, Session(NewSessionPage(c, SessionInput{Pack: x})))
			require.Equal(t, "input", inForms(choose)[field], "a field takes the caret")
		case home:
			show := viewtest.Html(t, Show(NewPage(c, Input{Pack: x})))
			require.Equal(t, "section", inForms(show)[field])
		default:
			require.Equal(t, "/sessions/s9/claims/9", v.Href)
		}
	}
	require.NotEqual(t, said["en"], said["ar"])
}

// TestEveryPolicyRuleLeadsSomewhere: so does each rule of the sign-off policy, with and without a ledger.
func TestEveryPolicyRuleLeadsSomewhere(t *testing.T) {
	for _, name := range pack.PolicyRules {
		for _, objects := range [][]string{nil, {"c9"}} {
			x := onPack(pack.Draft)
			o := pack.RuleOutcome{Rule: name, Level: pack.Must, Outcome: pack.Unmet, Objects: objects}
			home := "/packs/" + x.Content.PackID
			want := home + "/session#session-q" // the only way to a ledger
			if name == pack.CallsAcknowledged {
				want = home + "#sec-tools"
			}
			require.Equal(t, want, ruleHref(&x.Content, &o), name)
			x.Content.Ledger = entries(pack.Entry{ClaimID: "c9", Number: 9, Verdict: ledger.NotFound})
			c := viewtest.ChromeAt("en", home+"/edit")
			page := viewtest.Html(t, Edit(NewEditPage(c, EditInput{Pack: x, Rules: []pack.RuleOutcome{o}})))
			v := ruleView(&c, &x.Content, &o, home+"/edit")
			require.Contains(t, page, `href="`+v.Href+`"`, name)
			if place, field, ok := strings.Cut(v.Href, "#"); ok {
				require.Equal(t, home, place, name)
				require.Contains(t, viewtest.Html(t, Show(NewPage(c, Input{Pack: x}))), `id="`+field+`"`, name)
			} else {
				require.Regexp(t, "^/sessions/s9(/claims/9)?$", v.Href, name)
			}
		}
	}
}

// TestReturnIsPinned: what a return says stands beside the field that it speaks of, in both forms; what it says of the
// whole stands on top, with a way to each place.
func TestReturnIsPinned(t *testing.T) {
	r := &pack.Return{Actor: "u2", Name: "Sara", At: "2026-11-20T10:00:00Z", Reason: pack.ReturnReasons("Not yet.",
		[]pack.ReturnNote{{Place: "memo.body_en", Text: "Say who decided."}, {Place: "sources[1]", Text: "Too old."},
			{Place: "tool_calls", Text: "One is missing."}, {Place: "statement", Text: "Vague."},
			{Place: "claims", Text: "Look at claim 4 <script>."}})}
	for _, lang := range []string{"en", "ar"} {
		x := onPack(pack.Draft)
		c := viewtest.ChromeAt(lang, "/packs/"+x.Content.PackID+"/edit")
		edit := viewtest.Html(t, Edit(NewEditPage(c, EditInput{Pack: x, Return: r})))
		require.Contains(t, viewtest.ByID(t, edit, "f-body_en-r"), "Say who decided.")
		require.Contains(t, edit, "f-body_en-w f-body_en-r", "and is read with the field")
		require.NotContains(t, edit, `id="f-body_ar-r"`)
		top := viewtest.ByID(t, edit, "returned")
		for _, want := range []string{"Sara", "Not yet.", "Too old.", "Look at claim 4 <script>."} {
			require.Contains(t, top, want)
		}
		require.Contains(t, edit, `href="#f-body_en"`)
		require.Contains(t, edit, `/mend#sources-1-source"`)
		mend := viewtest.Html(t, Mend(NewMendPage(c, MendInput{Pack: x, Return: r})))
		require.Contains(t, viewtest.ByID(t, mend, "sources-1-r"), "Too old.")
		require.Contains(t, viewtest.ByID(t, mend, "tool_calls-r"), "One is missing.")
		require.Contains(t, viewtest.ByID(t, mend, "statement-r"), "Vague.")
		require.Contains(t, mend, `/edit#f-body_en"`)
		require.NotContains(t, edit+mend, "<script>.")
	}
	old := &pack.Return{Actor: "u2", At: "2026-11-20T10:00:00Z", Reason: "All of it."}
	x := onPack(pack.Draft)
	edit := viewtest.Html(t, Edit(NewEditPage(viewtest.ChromeAt("en", "/"), EditInput{Pack: x, Return: old,
		Names: map[string]string{"u2": "Sara Al-Otaibi"}})))
	require.Contains(t, viewtest.ByID(t, edit, "returned"), "\u2068Sara Al-Otaibi\u2069 returned the previous version")
	require.NotContains(t, edit, `class="pinned"`)
}
