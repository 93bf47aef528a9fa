package pack_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
	"sanad/internal/words"
)

// sound returns a draft that breaks no rule and causes no warning.
func sound(t testing.TB) pack.Content {
	t.Helper()
	d := hospital()
	d.ToolCalls = d.ToolCalls[:1]
	d.LedgerSessionID = "s1"
	c := draftOf(d, session(3))
	require.Empty(t, c.Validate(nil))
	return c
}

func seen(faults []pack.Fault) []string {
	out := []string{}
	for _, f := range faults {
		out = append(out, fmt.Sprintf("%d %s", f.Rule.Number, f.Path))
	}
	return out
}

func english(n int) string { return strings.Repeat("word ", n) + "[E1] [E2] [E4]" }
func arabic(n int) string  { return strings.Repeat("كلمة ", n) + "[E1] [E2] [E4]" }

func sealedSource(c *pack.Content) {
	s := &c.Sources[2]
	s.SensitivityClass, s.Quote = "S3", pack.Quote{ExcerptHash: pack.Hash([]byte("salted"))}
}

// broken breaks each rule once, warnings included.
var broken = []struct {
	name   string
	change func(c *pack.Content)
	want   []string // rule and path
}{
	{"source without name", func(c *pack.Content) { c.Sources[1].Source = " \t" }, []string{"1 sources[1].source"}},
	{"neither uri nor reference", func(c *pack.Content) { c.Sources[0].URI = "" }, []string{"2 sources[0].uri"}},
	{"a reference is enough", func(c *pack.Content) { c.Sources[0].URI, c.Sources[0].InternalRef = "", "crm/456" },
		nil},
	{"no excerpt", func(c *pack.Content) { c.Sources[0].Excerpt, c.Sources[0].ExcerptHash = "", pack.Hash(nil) },
		[]string{"3 sources[0].excerpt"}},
	{"no timestamp", func(c *pack.Content) { c.Sources[0].RetrievedAt = "" }, []string{"4 sources[0].retrieved_at"}},
	{"not a timestamp", func(c *pack.Content) { c.Sources[0].RetrievedAt = "yesterday" },
		[]string{"4 sources[0].retrieved_at"}},
	{"no confidence", func(c *pack.Content) { c.Sources[2].Confidence = nil }, []string{"5 sources[2].confidence"}},
	{"confidence over 1", func(c *pack.Content) { c.Sources[0].Confidence = ptr(1.01) },
		[]string{"5 sources[0].confidence"}},
	{"confidence under 0", func(c *pack.Content) { c.Sources[2].Confidence = ptr(-0.01) },
		[]string{"5 sources[2].confidence"}},
	{"excerpt at the limit", func(c *pack.Content) { excerpt(c, strings.Repeat("ع", 2000)) }, nil},
	{"excerpt over it", func(c *pack.Content) { excerpt(c, strings.Repeat("ع", 2001)) },
		[]string{"6 sources[0].excerpt"}},
	{"excerpt not hashed", func(c *pack.Content) { c.Sources[0].Excerpt += "!" },
		[]string{"8 sources[0].excerpt_hash"}},
	{"no intended action", func(c *pack.Content) { c.ToolCalls[0].IntendedAction = "" },
		[]string{"9 tool_calls[0].intended_action"}},
	{"no actual action", func(c *pack.Content) { c.ToolCalls[0].ActualAction = "" },
		[]string{"10 tool_calls[0].actual_action"}},
	{"white space is no contradiction",
		func(c *pack.Content) { c.ToolCalls[0].ActualAction = "\n retrieve\u00a0contact \t456" }, nil},
	{"tense is no contradiction", func(c *pack.Content) { c.ToolCalls[0].ActualAction = "Retrieved contact 456." }, nil},
	{"a contradiction", func(c *pack.Content) { c.ToolCalls[0].ActualAction = "retrieve contact 465" },
		[]string{"23 tool_calls[0].actual_action"}},
	{"nobody can tell", func(c *pack.Content) { c.ToolCalls[0].ActualAction = "fetched contact 456" },
		[]string{"26 tool_calls[0].actual_action"}},
	{"an Arabic summary in English", func(c *pack.Content) {
		c.Memo.ExecutiveSummaryAR = "الملخص: " + c.Memo.ExecutiveSummaryEN
	}, []string{"27 memo.executive_summary_ar"}},
	{"the statement in one language, A2", func(c *pack.Content) { c.StatementAR = "" }, []string{"24 statement_ar"}},
	{"the statement in one language, A1", func(c *pack.Content) { c.ApprovalClass, c.StatementAR = "A1", "" },
		[]string{"25 statement_ar"}},
	{"the statement in Arabic alone", func(c *pack.Content) { c.Statement, c.StatementAR = c.StatementAR, "" },
		[]string{"24 statement_en"}},
	{"an Arabic statement with its English", func(c *pack.Content) {
		c.Statement, c.StatementAR, c.StatementEN = c.StatementAR, "", c.Statement
	}, nil},
	{"no statement", func(c *pack.Content) { c.Statement, c.StatementAR = "", "" }, []string{"24 statement"}},
	{"title in one language", func(c *pack.Content) { c.Memo.TitleAR = "" }, []string{"11 memo.title_ar"}},
	{"one memo in both places", func(c *pack.Content) { c.Memo.ExecutiveSummaryAR = c.Memo.ExecutiveSummaryEN },
		[]string{"11 memo.executive_summary_ar"}},
	{"no Arabic in the Arabic summary", func(c *pack.Content) { c.Memo.ExecutiveSummaryAR = "The hospital fits." },
		[]string{"11 memo.executive_summary_ar"}},
	{"no English in the English title", func(c *pack.Content) { c.Memo.TitleEN = "مذكرة 12" },
		[]string{"11 memo.title_en"}},
	{"120 words", func(c *pack.Content) {
		c.Memo.ExecutiveSummaryEN, c.Memo.ExecutiveSummaryAR = english(120), arabic(120)
	}, nil},
	{"121 words in English", func(c *pack.Content) { c.Memo.ExecutiveSummaryEN = english(121) },
		[]string{"12 memo.executive_summary_en"}},
	{"121 words in Arabic", func(c *pack.Content) { c.Memo.ExecutiveSummaryAR = arabic(121) },
		[]string{"12 memo.executive_summary_ar"}},
	{"600 words", func(c *pack.Content) { c.Memo.BodyEN, c.Memo.BodyAR = english(600), arabic(600) }, nil},
	{"601 words in English", func(c *pack.Content) { c.Memo.BodyEN = english(601) }, []string{"13 memo.body_en"}},
	{"601 words in Arabic", func(c *pack.Content) { c.Memo.BodyAR = arabic(601) }, []string{"13 memo.body_ar"}},
	{"a top source not referred to", func(c *pack.Content) { c.Memo.BodyAR = "كلمة [E1] [E2] [E3]" },
		[]string{"14 memo.body_ar"}},
	{"a reference that is escaped", func(c *pack.Content) { c.Memo.BodyEN = `word \[E1] [E2] [E4]` },
		[]string{"14 memo.body_en"}},
	{"a reference behind a backslash", func(c *pack.Content) { c.Memo.BodyEN = `word \\[E1] [E2] [E4]` }, nil},
	{"a reference to nothing", func(c *pack.Content) { c.Memo.TitleEN = "Title [E5]" }, []string{"21 memo.title_en"}},
	{"nothing but the model's prose", func(c *pack.Content) {
		for i := range c.Sources {
			c.Sources[i].Kind = pack.ModelOutput
		}
	}, []string{"15 sources"}},
	{"one source that is not", func(c *pack.Content) {
		for i := range c.Sources[1:] {
			c.Sources[i+1].Kind = pack.ModelOutput
		}
	}, nil},
	{"no source at all", func(c *pack.Content) {
		c.Sources = nil
		c.Memo.BodyEN, c.Memo.BodyAR = "word", "كلمة"
	}, []string{"15 sources"}},
	{"at the border of freshness", func(c *pack.Content) { c.Sources[0].RetrievedAt = "2026-02-28T12:00:00+03:00" },
		nil},
	{"a second over it", func(c *pack.Content) { c.Sources[0].RetrievedAt = "2026-02-28T11:59:59+03:00" },
		[]string{"16 sources[0].retrieved_at"}},
	{"no window", func(c *pack.Content) { c.FreshnessWindowHours, c.Sources[0].RetrievedAt = nil, "1990-01-01T00:00:00Z" }, nil},
	{"a window of nothing", func(c *pack.Content) {
		c.FreshnessWindowHours = ptr(0)
		for i := range c.Sources {
			c.Sources[i].RetrievedAt = c.DecidedAt
		}
		c.Sources[3].RetrievedAt = "2026-03-01T08:59:59Z"
	}, []string{"16 sources[3].retrieved_at"}},
	{"retrieved after the decision", func(c *pack.Content) { c.Sources[0].RetrievedAt = "2026-03-01T09:00:01Z" },
		[]string{"19 sources[0].retrieved_at"}},
	{"an unjudged claim", func(c *pack.Content) { unjudged(c, ledger.Unreviewed) }, []string{"17 ledger.entries[1]"}},
	{"one that is reviewed", func(c *pack.Content) { unjudged(c, ledger.Wanting) }, nil},
	{"no ledger", func(c *pack.Content) { c.Ledger = nil }, []string{"22 ledger"}},
	{"no hash of the content", func(c *pack.Content) { c.Sources[0].ContentHash = "" },
		[]string{"20 sources[0].content_hash"}},
	{"a sealed S3 source", sealedSource, nil},
	{"S3 text", func(c *pack.Content) { c.Sources[2].SensitivityClass = "S3" }, []string{"18 sources[2].excerpt"}},
	{"an S3 source without URI", func(c *pack.Content) {
		sealedSource(c)
		c.Sources[2].URI, c.Sources[2].InternalRef = "", "x"
	}, []string{"18 sources[2].excerpt"}},
	{"an S3 source without hash", func(c *pack.Content) {
		sealedSource(c)
		c.Sources[2].ExcerptHash = ""
	}, []string{"18 sources[2].excerpt"}},
	{"a quotation of what was mended", func(c *pack.Content) {
		c.ToolCalls[0].Error = "no answer within ten seconds"
		c.Memo.BodyEN += " “no answer within nine seconds”"
	}, []string{"28 memo.body_en"}},
	{"a quotation of a claim that was mended", func(c *pack.Content) {
		l := *c.Ledger
		l.Entries = append([]pack.Entry{}, l.Entries...)
		l.Entries[1].ClaimText = "Carried over leave is five days at most"
		c.Ledger = &l
		c.Memo.BodyAR += " «Carried over leave is ten days at most»"
	}, []string{"29 memo.body_ar"}},
	{"S3 outputs", func(c *pack.Content) { c.ToolCalls[0].SensitivityClass = "S3" },
		[]string{"18 tool_calls[0].outputs"}},
	{"S3 inputs", func(c *pack.Content) {
		c.ToolCalls[0].SensitivityClass, c.ToolCalls[0].Inputs, c.ToolCalls[0].Outputs = "S3", json.RawMessage(`"text"`), nil
	}, []string{"18 tool_calls[0].inputs"}},
}

func excerpt(c *pack.Content, s string) {
	c.Sources[0].Excerpt, c.Sources[0].ExcerptHash = s, pack.Hash([]byte(s))
}

func unjudged(c *pack.Content, state ledger.ReviewState) {
	l := *c.Ledger
	l.Entries = append([]pack.Entry{}, l.Entries...)
	l.Entries[1].Verdict, l.Entries[1].MachineVerdict, l.Entries[1].State = ledger.Unjudged, ledger.Unjudged, state
	c.Ledger = &l
}

func TestEachRuleAlone(t *testing.T) {
	rules := map[int]bool{7: true} // TestVerbatim
	for _, tt := range broken {
		t.Run(tt.name, func(t *testing.T) {
			c := sound(t)
			tt.change(&c)
			faults := c.Validate(nil)
			require.ElementsMatch(t, tt.want, seen(faults))
			stops := false
			for _, f := range faults {
				rules[f.Rule.Number] = true
				stops = stops || f.Rule.Number <= 18 || f.Rule.Number == 24
				for _, lang := range words.Langs {
					said := f.Text(lang, f.Args...)
					require.NotContains(t, said, "{{", "the fault has every argument of the message")
					for i := 1; i < len(f.Args); i += 2 {
						require.Contains(t, said, fmt.Sprint(f.Args[i]), "the message uses every argument of the fault")
					}
				}
			}
			require.Equal(t, stops, pack.Broken(faults), "rules 1 to 18 and 24 prevent submission, the others warn")
		})
	}
	require.Len(t, rules, len(pack.Rules), "each rule is broken by a row")
}

func TestAllRulesAtOnce(t *testing.T) {
	c := draftOf(hospital(), nil)
	c.LedgerSessionID = "s1"
	none := pack.EvidenceSource{Kind: pack.ModelOutput}
	s3 := pack.EvidenceSource{Kind: pack.ModelOutput, SensitivityClass: "S3"}
	s3.Excerpt = "a name"
	long := source("x", "", strings.Repeat("x", 2001), 2)
	long.Kind, long.RetrievedAt, long.ExcerptHash, long.ContentHash = pack.ModelOutput, "2020-01-01T00:00:00Z", "sha256:0", ""
	c.Sources = []pack.EvidenceSource{none, s3, long}
	c.ToolCalls = []pack.ToolCallRecord{{},
		{IntendedAction: "a", SensitivityClass: "S3", Inputs: json.RawMessage(`1`), Outputs: json.RawMessage(`{}`)}}
	c.Memo = pack.BilingualMemo{ExecutiveSummaryEN: english(121), BodyAR: strings.Repeat("كلمة ", 601) + "[E9]"}
	c.Ledger = &pack.Ledger{Entries: []pack.Entry{{State: ledger.Unreviewed}}}
	require.Equal(t, []string{
		"1 sources[0].source", "2 sources[0].uri", "4 sources[0].retrieved_at", "5 sources[0].confidence",
		"20 sources[0].content_hash", "3 sources[0].excerpt", "8 sources[0].excerpt_hash",
		"1 sources[1].source", "2 sources[1].uri", "4 sources[1].retrieved_at", "5 sources[1].confidence",
		"18 sources[1].excerpt",
		"2 sources[2].uri", "16 sources[2].retrieved_at", "5 sources[2].confidence", "20 sources[2].content_hash",
		"6 sources[2].excerpt", "7 sources[2].excerpt", "8 sources[2].excerpt_hash",
		"15 sources",
		"9 tool_calls[0].intended_action", "10 tool_calls[0].actual_action",
		"10 tool_calls[1].actual_action", "18 tool_calls[1].inputs",
		"18 tool_calls[1].outputs",
		"11 memo.title_en", "11 memo.title_ar", "12 memo.executive_summary_en", "21 memo.executive_summary_en",
		"11 memo.executive_summary_ar", "11 memo.body_en", "14 memo.body_en",
		"13 memo.body_ar", "14 memo.body_ar", "21 memo.body_ar",
		"17 ledger.entries[0]",
	}, seen(c.Validate(map[int]string{2: "another text"})))
}

func TestVerbatim(t *testing.T) {
	c := sound(t)
	e := c.Sources[0].Excerpt
	for stored, want := range map[string]string{
		"Before. " + e + " After.":                    "exact",
		strings.ReplaceAll(e, " ", " \n "):            "normalised",
		strings.ReplaceAll(e, "employees", "workers"): "",
		strings.ToUpper(e):                            "",
		"":                                            "",
	} {
		require.Equal(t, want, string(pack.Verbatim(e, stored)), stored)
		faults := c.Validate(map[int]string{0: stored})
		require.Equal(t, want == "", len(faults) == 1, stored)
		if want == "" {
			require.Equal(t, []string{"7 sources[0].excerpt"}, seen(faults))
		}
	}
	require.Empty(t, pack.Verbatim("ترحيل الإجازة", "ترحيل الاجازة"), "different letters are a different text")
}

func TestRulesHaveNumbersAndBothLanguages(t *testing.T) {
	names := map[string]bool{}
	for i, r := range pack.Rules {
		require.Equal(t, i+1, r.Number)
		for _, lang := range words.Langs {
			require.True(t, words.In(lang).Has("rule."+r.Name), r.Name)
		}
		names[r.Name] = true
	}
	require.Len(t, names, len(pack.Rules))
}

func TestDraftMemoPassesValidation(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 40} {
		d := hospital()
		d.Statement = strings.Repeat("كلمة طويلة جدًا ", 400)
		d.StatementAR, d.StatementEN = "", "Very long words."
		d.Title = strings.Repeat("word ", 90)
		d.Evidence = nil
		for i := range n {
			d.Evidence = append(d.Evidence,
				source(fmt.Sprint("source ", i), "x:y", strings.Repeat("word and word [E99] ", 90), 1-float64(i)/100))
		}
		c := draftOf(d, session(30))
		for _, f := range c.Validate(nil) {
			if f.Rule.Name == "memo_latin" { // the decision's title is in one language, so a person is asked for the other
				require.Equal(t, "memo.title_ar", f.Path)
				continue
			}
			require.NotContains(t, f.Path, "memo.", "%d sources: rule %d", n, f.Rule.Number)
		}
		require.Equal(t, n == 0, pack.Broken(c.Validate(nil)))
	}
}

func TestLaterReviewsDoNotChangeThePack(t *testing.T) {
	l := session(4)
	c := draftOf(hospital(), l)
	before := freeze(t, c)
	_, err := l.Session.AddReview(2,
		ledger.ReviewInput{Action: ledger.Override, Verdict: ledger.Supported, Reason: "I looked.", By: "u8"}, "r9",
		"Name of u8", "reviewer", created)
	require.NoError(t, err)
	after := ledger.Assess(l.Session, 24)
	require.Equal(t, before.Digest, freeze(t, c).Digest)
	changes := pack.CompareLedger(c.Ledger.Entries, pack.Entries(&after, provenance(&after)))
	require.Len(t, changes.Flips, 1)
	require.Equal(t, "clm_003", changes.Flips[0].ClaimID)
	c.CopyLedger(&after, provenance(&after))
	e := c.Ledger.Entries[2]
	require.Equal(t, ledger.NotFound, e.MachineVerdict)
	require.Equal(t, ledger.Supported, e.Verdict)
	require.Len(t, e.Reviews, 2)
	require.Equal(t, pack.Review{Actor: "Name of u8", Role: "reviewer", At: created.Format(time.RFC3339),
		Action: ledger.Override, Verdict: ledger.Supported, Reason: "I looked.", By: "u8", LogIndex: ptr(int64(1)),
		Member: true}, e.Reviews[1])
	require.Equal(t, 6, c.Ledger.Revision)
}
