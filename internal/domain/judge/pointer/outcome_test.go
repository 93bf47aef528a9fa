package pointer_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/evidence"
	"sanad/internal/domain/judge"
	"sanad/internal/domain/judge/pointer"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// read reads an answer of an unmeasured model.
func read(q *pointer.Question, said string) (pointer.Outcome, error) {
	return q.Read(said, judge.NewLexical(), pointer.Trust{})
}

func TestAnswersThatCount(t *testing.T) {
	q := asked(t, "Employees get 30 days of annual leave.", policy)
	id := q.Objects[0].PointerID
	good := say(q, "supported", id)
	for name, said := range map[string]string{
		"plain":     good,
		"fenced":    "```json\n" + good + "\n```",
		"in prose":  "Let me see. The set {a, b} is no answer. Here it is: " + good + " I hope that helps.",
		"thoughts":  "<think>maybe " + say(q, "contradicted", id) + "</think>\n" + good,
		"more keys": strings.Replace(good, "{", `{"reasoning":"because",`, 1),
	} {
		o, err := read(q, said)
		require.NoError(t, err, name)
		require.Equal(t, ledger.Supported, o.Said, name)
		require.Equal(t, ledger.Weak, verdictOf(o), "%s: a model that was not measured", name)
		require.Equal(t, "Model says: supported.", o.Matches[0].Note)
		require.Equal(t, judge.Carried, o.Opinion)
		require.InDelta(t, 0.97, *o.Stated, 1e-9)
		require.NotContains(t, o.Matches[0].Note, "97")
	}
	o, err := q.Read(good, judge.NewLexical(), measured)
	require.NoError(t, err)
	require.Equal(t, ledger.Supported, verdictOf(o))
	require.Equal(t, "Employees get 30 days of annual leave.", o.Matches[0].Snippet)
}

func TestAnswersThatDoNotCount(t *testing.T) {
	q := asked(t, "Employees get 30 days of annual leave.", policy)
	id := q.Objects[0].PointerID
	good := say(q, "supported", id)
	for name, c := range map[string]struct{ said, cause string }{
		"nothing":         {" \n", "returned an empty answer"},
		"thoughts only":   {"<think>" + good, "returned an empty answer"},
		"refusal":         {"I'm sorry, but I can't help with that.", "declined"},
		"Arabic refusal":  {"عذرًا، لا أستطيع الإجابة عن هذا.", "declined"},
		"prose":           {"The claim is supported by the first sentence.", "no verdict in the form"},
		"cut":             {good[:len(good)-20], "no verdict in the form"},
		"two answers":     {good + "\n" + say(q, "contradicted", id), "several answers"},
		"twice the same":  {good + good, "several answers"},
		"another claim":   {strings.Replace(good, q.ClaimID, "C100", 1), "another claim"},
		"unknown verdict": {strings.Replace(good, `"supported"`, `"probably"`, 1), "an unknown verdict"},
		"wrong type":      {strings.Replace(good, `["`+id+`"]`, `"`+id+`"`, 1), "not in the form"},
		"no ids field":    {`{"claim":"` + q.ClaimID + `","verdict":"supported"}`, "not in the form"},
		"key twice":       {strings.Replace(good, "{", `{"verdict":"weak",`, 1), "no verdict in the form"},
		"too long":        {good + strings.Repeat(" ", pointer.MaxAnswer), "too long"},
		"deep":            {strings.Repeat(`{"verdict":`, 5_000), "no verdict in the form"},
		"unknown id":      {say(q, "supported", id, "E9"), `that it was not given: "E9"`},
		"id in brackets":  {say(q, "supported", "["+id+"]"), "that it was not given"},
	} {
		o, err := read(q, c.said)
		require.ErrorContains(t, err, c.cause, name)
		require.Empty(t, o.Matches, name)
	}
}

func TestViolationsAreNamed(t *testing.T) {
	q := asked(t, "Employees get 30 days of annual leave.", policy)
	other := asked(t, "Leave is approved by the head of department.", policy)
	o, err := read(q, say(q, "supported", q.Objects[0].PointerID, other.Objects[1].PointerID, "E7", "E7"))
	require.Error(t, err)
	require.Equal(t, []evidence.Violation{
		{Code: pointer.OtherClaimsID, PointerID: other.Objects[1].PointerID},
		{Code: evidence.UnknownEvidenceID, PointerID: "E7"},
	}, o.Violations)
}

func TestAVerdictWithoutEvidenceIsNotFound(t *testing.T) {
	q := asked(t, "Employees get 30 days of annual leave.", policy)
	for _, verdict := range []string{"supported", "weak", "contradicted"} {
		o, err := read(q, say(q, verdict))
		require.NoError(t, err)
		require.True(t, o.Baseless)
		require.Equal(t, ledger.NotFound, verdictOf(o))
	}
	o, err := read(q, say(q, "not_found", q.Objects[0].PointerID))
	require.NoError(t, err)
	require.False(t, o.Baseless)
	require.Equal(t, ledger.NotFound, verdictOf(o))
}

// Where a measured model says supported and the embedded judge sees nothing, or the reverse, the verdict is weak.
func TestJudgesDisagree(t *testing.T) {
	const source = "Employees get 30 days of annual leave. The canteen is closed on Fridays."
	for _, c := range []struct {
		claim, says string
		at          int
		opinion     judge.Opinion
		verdict     ledger.Verdict
		disagree    bool
	}{
		{
			claim: "Employees get 30 days of annual leave.", says: "supported", at: 0,
			opinion: judge.Carried, verdict: ledger.Supported, disagree: false,
		},
		{
			claim: "Employees get 30 days of annual leave.", says: "supported", at: 1,
			opinion: judge.Nothing, verdict: ledger.Weak, disagree: true,
		},
		{
			claim: "Employees get 25 days of annual leave.", says: "supported", at: 0,
			opinion: judge.Against, verdict: ledger.Weak, disagree: true,
		},
		{
			claim: "Employees get 25 days of annual leave.", says: "contradicted", at: 0,
			opinion: judge.Against, verdict: ledger.Contradicted, disagree: false,
		},
		{
			claim: "Employees get 30 days of annual leave.", says: "contradicted", at: 0,
			opinion: judge.Carried, verdict: ledger.Contradicted, disagree: true,
		},
		{
			claim: "Employees get 30 days of annual leave.", says: "weak", at: 0,
			opinion: judge.Carried, verdict: ledger.Weak, disagree: false,
		},
		{
			claim: "يحصل الموظفون على ثلاثين يوما من الإجازة السنوية.", says: "supported", at: 0,
			opinion: judge.Carried, verdict: ledger.Supported, disagree: false,
		},
		{
			claim: "يحصل الموظفون على إجازة سنوية طويلة.", says: "supported", at: 0,
			opinion: judge.Unread, verdict: ledger.Supported, disagree: false,
		},
	} {
		q := asked(t, c.claim, source)
		o, err := q.Read(say(q, c.says, q.Objects[c.at].PointerID), judge.NewLexical(), measured)
		require.NoError(t, err)
		require.Equal(t, c.opinion, o.Opinion, "%s %s", c.claim, c.says)
		require.Equal(t, c.verdict, verdictOf(o), "%s %s", c.claim, c.says)
		require.Equal(t, c.disagree, o.Disagree)
		require.Equal(t, c.disagree, strings.Contains(o.Matches[0].Note, "judges disagree"))
	}
}

// The snippets are the words of the source at their places, in code points; neighbours are one passage.
func TestSnippetsComeFromTheSource(t *testing.T) {
	const source = "يستحق الموظف إجازة سنوية. مدتها ثلاثون يوما. يقدم الطلب إلى الرئيس. تسقط الإجازة في مارس."
	s, x := index(source)
	q, err := pointer.Ask(&ledger.Claim{Text: "مدة الإجازة السنوية للموظف ثلاثون يوما."}, x)
	require.NoError(t, err)
	require.Len(t, q.Objects, 4)
	o, err := read(q, say(q, "supported", q.Objects[1].PointerID, q.Objects[3].PointerID, q.Objects[0].PointerID))
	require.NoError(t, err)
	require.Len(t, o.Matches, 2)
	require.Equal(t, "يستحق الموظف إجازة سنوية. مدتها ثلاثون يوما.", o.Matches[0].Snippet)
	for _, m := range o.Matches {
		require.Equal(t, m.Snippet, text.Slice(s.Chunk(m.Chunk).Text, m.Quote.Span))
		require.Equal(t, text.Exact, m.Quote.Kind)
	}
}

func TestDiffersIsShownAsTheModelsWord(t *testing.T) {
	q := asked(t, "Employees get 25 days of annual leave.", policy)
	said := strings.Replace(say(q, "contradicted", q.Objects[0].PointerID), `"differs":""`,
		`"differs":"30 days,\n not 25`+strings.Repeat(" x", 500)+`"`, 1)
	o, err := read(q, said)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(o.Matches[0].Note, "Model says: contradicted (30 days, not 25 x"))
	require.Less(t, text.Len(o.Matches[0].Note), 260)
}

// FuzzRead reads any text as an answer: never a panic, and never a match that the source does not have.
func FuzzRead(f *testing.F) {
	q := asked(f, "Employees get 30 days of annual leave.", policy)
	f.Add(say(q, "supported", q.Objects[0].PointerID))
	f.Add("```json\n{\"claim\":\"\",\"verdict\":\"weak\",\"evidence_ids\":[\"E1\"]}")
	own := judge.NewLexical()
	f.Fuzz(func(t *testing.T, said string) {
		o, err := q.Read(said, own, measured)
		if err != nil && len(o.Matches) > 0 {
			t.Fatal("matches of an answer that does not count")
		}
		for _, m := range o.Matches {
			if !strings.Contains(policy, m.Snippet) {
				t.Fatalf("%q is not in the source", m.Snippet)
			}
		}
	})
}
