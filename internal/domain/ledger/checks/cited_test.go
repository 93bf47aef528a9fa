package checks_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/claims"
	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/ledger/checks"
)

// answered is a session of an answer over documents, one passage each, judged by the embedded judge. In the answer
// {KEY} stands for the anchor of a document.
func answered(t *testing.T, answer string, documents ...ledger.Document) *ledger.Session {
	t.Helper()
	s := &ledger.Session{Lang: "en"}
	for i := range documents {
		d := &documents[i]
		d.Position, d.Status = i, ledger.Ready
		for j := range d.Chunks {
			d.Chunks[j].Position, d.Chunks[j].Hash = j, ledger.ChunkHash(d.Chunks[j].Text)
			answer = strings.ReplaceAll(answer, "{"+d.Key+"}", "[cite:"+d.Chunks[0].Hash[:8]+"]")
		}
	}
	s.Answer, s.Documents = answer, documents
	s.Claims = claims.Of(answer)
	judge.Run(s, judge.NewLexical(), time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC))
	s.ResolveCitations(nil)
	judge.CheckAnswer(s, judge.NewLexical())
	return s
}

func source(key string, texts ...string) ledger.Document {
	d := ledger.Document{Key: key, Filename: key + ".txt", Title: key}
	for _, x := range texts {
		d.Chunks = append(d.Chunks, ledger.Chunk{Text: x})
	}
	return d
}

var (
	leave  = "Full-time employees receive 30 days of annual leave for each year of service."
	sick   = "Employees who fall ill must inform their manager before ten o'clock in the morning."
	travel = "Flights that take longer than eight hours may be booked in business class."
)

func TestCitationCheck(t *testing.T) {
	docs := func() []ledger.Document {
		return []ledger.Document{source("leave", leave), source("sick", sick), source("travel", travel)}
	}
	list := "\n\nReferences\n\n[1] leave.txt\n[2] sick.txt\n[3] a page that nobody has\n"
	for _, x := range []struct{ name, answer, want string }{
		{"holds", leave + " {leave}", "cite holds"},
		{"in part", "Full-time employees receive 30 days of annual leave and a bonus for each year of service. {leave}",
			"cite in_part"},
		{"miscited", leave + " {sick}", "cite elsewhere"},
		{"both", leave + " {leave} {sick}", "cite holds, cite elsewhere"},
		{"nothing", "The canteen serves lunch to all visitors at noon. {sick}", "cite does_not_hold"},
		{"unknown", leave + " [cite:00000000]", "cite unresolved"},
		{"number", leave + " [1]" + list, "[1] holds"},
		{"number before the stop", leave[:len(leave)-1] + " [1]." + list, "[1] holds"},
		{"two numbers", leave[:len(leave)-1] + " [1, 2]." + list, "[1] holds, [2] elsewhere"},
		{"wrong number", leave + " [2]" + list, "[2] elsewhere"},
		{"number of nothing", leave + " [3]" + list, "[3] unresolved"},
		{"number without an entry", leave + " [9]" + list, ""},
		{"number without a list", leave + " [1]", ""},
		{"round", leave[:len(leave)-1] + " (2)." + list, "(2) elsewhere"},
		{"round inside", "Employees (1) receive 30 days of annual leave for each year of service." + list, ""},
		{"raised", leave[:len(leave)-1] + "²." + list, "² elsewhere"},
		{"squared", "The room of 30 m² is cleaned daily.", ""},
	} {
		t.Run(x.name, func(t *testing.T) {
			s := answered(t, x.answer, docs()...)
			var got []string
			for _, c := range s.Claims[0].Checks.Citations {
				anchor := c.Anchor
				if strings.HasPrefix(anchor, "[cite:") {
					anchor = "cite"
				}
				got = append(got, anchor+" "+string(c.Status))
			}
			require.Equal(t, x.want, strings.Join(got, ", "))
		})
	}
}

// TestPlaceCites takes a section or a page that the documents have for a citation, by its number as their headings and
// lines have it. Only a passage of that place makes the claim supported.
func TestPlaceCites(t *testing.T) {
	lease := source("lease", "1. Scope\n1.1 The tenant pays rent each month.\n1.2 The tenant insures the flat.\n2. Term\n2.1 Notice is three months.")
	policy := source("policy", "6.1 "+leave, "6.2 "+sick, travel)
	policy.Title = "Travel and Leave Policy"
	policy.Chunks[2].HeadingPath, policy.Chunks[2].Page = []string{"7 Travel"}, 3
	law := source("law", "يستحق الموظف إجازة سنوية مدتها ثلاثون يوماً عن كل سنة خدمة.",
		"يبلغ الموظف رئيسه قبل العاشرة صباحاً إذا مرض.", "البند ٢-١: تُسلَّم النسخ خلال عشرين يوماً من التوقيع.")
	law.Chunks[0].HeadingPath, law.Chunks[1].HeadingPath = []string{"المادة ١٠"}, []string{"المادة (11): المرض"}
	for _, x := range []struct{ answer, want string }{
		{"Under section 6.1, full-time employees receive 30 days of annual leave for each year of service.", "supported: section 6.1 holds"},
		{"Under section 6.1, full-time employees receive 20 days of annual leave for each year of service.", "contradicted: section 6.1 does_not_hold"},
		{"Full-time employees receive 30 days of annual leave for each year of service (section 6).", "supported: section 6 holds"},
		{"Full-time employees receive 30 days of annual leave for each year of service (see Sec. 6.1(a)).", "supported: Sec. 6.1(a) holds"},
		{"Under clause 6.2, full-time employees receive 30 days of annual leave for each year of service.", "weak: clause 6.2 elsewhere"},
		{"Under clause 2.1, notice is three months.", "supported: clause 2.1 holds"},
		{"Under clause 1.1, notice is three months.", "weak: clause 1.1 elsewhere"},
		{"Notice is three months (clause 1.2).", "weak: clause 1.2 elsewhere"},
		{"Section 2.1 states that notice is three months.", "supported: Section 2.1 holds"},
		{"Under section 6.1 of the leave policy, full-time employees receive 30 days of annual leave for each year of service.",
			"supported: section 6.1 holds"},
		{"Flights that take longer than eight hours may be booked in business class (p. 3).", "supported: p. 3 holds"},
		{"Flights that take longer than eight hours may be booked in business class (pp. 2–4).", "supported: pp. 2–4 holds"},
		{"Flights that take longer than eight hours may be booked in business class (Article 7).", "supported: Article 7 holds"},
		{"بموجب المادة 10 يستحق الموظف إجازة سنوية مدتها ثلاثون يوماً عن كل سنة خدمة.", "supported: المادة 10 holds"},
		{"بموجب المادة ١١ يستحق الموظف إجازة سنوية مدتها ثلاثون يوماً عن كل سنة خدمة.", "weak: المادة ١١ elsewhere"},
		{"تُسلَّم النسخ خلال عشرين يوماً من التوقيع (البند ٢-١).", "supported: البند ٢-١ holds"},
	} {
		t.Run(x.answer, func(t *testing.T) {
			s := answered(t, x.answer, lease, policy, law)
			l := ledger.Assess(s, ledger.DefaultFreshness)
			got := string(l.Entries[0].Verdict) + ":"
			for _, c := range s.Claims[0].Checks.Citations {
				got += " " + c.Anchor + " " + string(c.Status)
			}
			require.Equal(t, x.want, got)
		})
	}
	for _, none := range []string{
		"Flights that take longer than eight hours may be booked in business class (section 9).", // no document has it
		"Flights may be booked in business class if the conditions in section 7 are met.",
		"Section 6.1 was replaced in 2020 by the board.",
		"Under Article 7 of the GDPR, flights that take longer than eight hours may be booked in business class.",
		"بموجب المادة 10 من نظام العمل، يستحق الموظف إجازة سنوية مدتها ثلاثون يوماً عن كل سنة خدمة.",
	} {
		s := answered(t, none, lease, policy, law)
		require.Empty(t, s.Claims[0].Checks.Citations, none)
	}
	flat := answered(t, "Under section 6.1, employees who fall ill must inform their manager.", source("flat", leave, sick))
	require.Empty(t, flat.Claims[0].Checks.Citations, "no document numbers its sections")
}

// TestGivenMatchesStayWherePlacesAreCited leaves the verdict that a caller gave, and says that the citation is wrong.
func TestGivenMatchesStayWherePlacesAreCited(t *testing.T) {
	s := answered(t, "Under clause 6.2, full-time employees receive 30 days of annual leave for each year of service.",
		source("policy", "6.1 "+leave, "6.2 "+sick))
	s.Claims[0].Given, s.Claims[0].Judge = true, "given"
	s.Claims[0].Matches = []ledger.Match{{Support: ledger.Full, Similarity: 0.95, Snippet: leave}}
	judge.CheckAnswer(s, judge.NewLexical())
	l := ledger.Assess(s, ledger.DefaultFreshness)
	require.Equal(t, ledger.Supported, l.Entries[0].Machine)
	require.Equal(t, ledger.Elsewhere, s.Claims[0].Checks.Citations[0].Status)
}

// TestCitedPassageIsJudged cites a passage that retrieval leaves out, as many others are nearer by their words.
func TestCitedPassageIsJudged(t *testing.T) {
	docs := []ledger.Document{source("leave", leave)}
	for range 12 {
		docs = append(docs, source("copy"+string(rune('a'+len(docs))), leave))
	}
	s := answered(t, leave+" {leave}", docs...)
	require.Equal(t, ledger.Holds, s.Claims[0].Checks.Citations[0].Status)
}

// TestReferencesInArabic resolves Arabic numbers by an Arabic list.
func TestReferencesInArabic(t *testing.T) {
	words := "يستحق الموظف إجازة سنوية مدتها ثلاثون يوماً عن كل سنة خدمة."
	s := answered(t, words+" [٢]\n\nالمراجع:\n\n[١] sick.txt\n[٢] leave.txt\n", source("sick", "يبلغ الموظف رئيسه قبل العاشرة صباحاً إذا مرض."),
		source("leave", words))
	require.Len(t, s.Claims[0].Checks.Citations, 1)
	require.Equal(t, ledger.Holds, s.Claims[0].Checks.Citations[0].Status)
}

// TestFlagsOfChecks raises one flag for each check, of a severity that a critical claim raises.
func TestFlagsOfChecks(t *testing.T) {
	s := answered(t, leave+" {sick}\n\nThe policy says: \"Nobody may ever take a day off in summer.\"",
		source("leave", leave), source("sick", sick))
	l := ledger.Assess(s, 24)
	found := map[ledger.RiskType]ledger.RiskFlag{}
	for _, f := range l.Flags {
		found[f.Type] = f
	}
	require.Equal(t, 1, found[ledger.Miscitation].Count)
	require.Equal(t, 1, found[ledger.InventedQuotation].Count)
	require.Equal(t, ledger.High, found[ledger.InventedQuotation].Severity)
	s.RuleSet = 1
	for _, f := range ledger.Assess(s, 24).Flags {
		require.NotContains(t, []ledger.RiskType{ledger.Miscitation, ledger.InventedQuotation}, f.Type)
	}
}

// TestGivenSnippetThatIsNotInItsSource lowers the support of a quotation that the caller made up, and marks one that
// contradicts.
func TestGivenSnippetThatIsNotInItsSource(t *testing.T) {
	give := func(m ledger.Match, text string) ledger.Entry {
		s := &ledger.Session{Answer: leave, Documents: []ledger.Document{source("leave", text)}}
		s.Documents[0].Status, s.Documents[0].Chunks[0].Hash = ledger.Ready, ledger.ChunkHash(text)
		s.Claims = claims.Of(leave)
		s.Claims[0].Given, s.Claims[0].Matches = true, []ledger.Match{m}
		judge.Run(s, judge.NewLexical(), time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC))
		checks.Run(s, nil)
		return ledger.Assess(s, 24).Entries[0]
	}
	invented := "Employees receive sixty days of paid holiday."
	e := give(ledger.Match{Similarity: 0.95, Support: ledger.Full, Snippet: invented}, leave)
	require.Equal(t, ledger.Weak, e.Machine)
	require.Contains(t, e.Notes(), "not in the source")
	require.Contains(t, e.Flags, ledger.InventedQuotation)
	require.True(t, e.Absent())
	require.Equal(t, ledger.ByCaller, e.Source)

	e = give(ledger.Match{Similarity: 0.95, Support: ledger.None, Contradicts: true, Snippet: invented}, leave)
	require.Equal(t, ledger.Contradicted, e.Machine)
	require.Contains(t, e.Flags, ledger.InventedQuotation)

	e = give(ledger.Match{Similarity: 0.95, Support: ledger.Full, Snippet: "30 days of annual leave"}, leave)
	require.Equal(t, ledger.Supported, e.Machine)
	require.NotContains(t, e.Flags, ledger.InventedQuotation)

	e = give(ledger.Match{Similarity: 0.95, Support: ledger.Full, Snippet: invented}, " ")
	require.Equal(t, ledger.Supported, e.Machine)
	require.Contains(t, e.Notes(), "not checked")
	require.NotContains(t, e.Flags, ledger.InventedQuotation)
}
