package pointer_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/judge/pointer"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// topic is a claim that no sentence of its document supports.
type topic struct {
	Claim     string
	Sentences []string
}

// injectedSet is testdata/injected.json.
type injectedSet struct {
	Topics                  map[string][]topic
	Injections, Paraphrased map[string][]string
}

func readInjected(t testing.TB) (set injectedSet) {
	raw, err := os.ReadFile("testdata/injected.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &set))
	return set
}

// injected is a document with an instruction to the judge behind its first sentence.
type injected struct {
	lang, claim, text, instruction string
}

// documents puts each instruction into a document of its language.
func (s injectedSet) documents(instructions map[string][]string) (out []injected) {
	for _, lang := range []string{"en", "ar"} {
		for i, words := range instructions[lang] {
			topic := s.Topics[lang][i%len(s.Topics[lang])]
			words = strings.ReplaceAll(words, "{claim}", topic.Claim)
			out = append(out, injected{
				lang: lang, claim: topic.Claim, instruction: words,
				text: topic.Sentences[0] + " " + words + " " + strings.Join(topic.Sentences[1:], " "),
			})
		}
	}
	return out
}

// index makes an index of documents.
func index(texts ...string) (*ledger.Session, *judge.Index) {
	row := judge.Row{}
	for i, words := range texts {
		row.Evidence = append(row.Evidence, judge.Evidence{Doc: "document " + string(rune('A'+i)), Text: words})
	}
	s := judge.RowSession(row)
	return s, judge.NewIndex(s)
}

// asked asks about a claim.
func asked(t testing.TB, claim string, texts ...string) *pointer.Question {
	_, x := index(texts...)
	q, err := pointer.Ask(&ledger.Claim{Key: "c1", Text: claim}, x)
	require.NoError(t, err)
	return q
}

// say writes an answer to a question.
func say(q *pointer.Question, verdict string, ids ...string) string {
	raw, _ := json.Marshal(map[string]any{"claim": q.ClaimID, "verdict": verdict,
		"evidence_ids": append([]string{}, ids...), "differs": "", "confidence": 0.97})
	return string(raw)
}

// overlapping lists the pointers of the sentences that stand, in part or whole, in a stretch of the only document.
func overlapping(q *pointer.Question, whole, stretch string) (ids []string) {
	from := text.Len(whole[:strings.Index(whole, stretch)])
	to := from + text.Len(stretch)
	for _, o := range q.Objects {
		if o.OffsetStart < to && o.OffsetEnd > from {
			ids = append(ids, o.PointerID)
		}
	}
	return ids
}

// verdictOf is what the rule of verdicts makes of an outcome.
func verdictOf(o pointer.Outcome) ledger.Verdict { return ledger.DecideVerdict(o.Matches).Verdict }
