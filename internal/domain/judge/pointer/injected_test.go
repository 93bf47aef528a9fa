package pointer_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/judge/pointer"
	"sanad/internal/domain/ledger"
)

// measured is a model whose "supported" people have found right: the rule of verdicts takes its word.
var measured = pointer.Trust{Supported: 0.95, Contradicted: 0.95}

// tally counts what becomes of obedient answers.
type tally struct{ documents, supported, weak, notFound, hidden int }

// obey lets a model obey the instruction of each document: it answers supported, with the ids of the instruction.
func obey(t *testing.T, documents []injected, also func(q *pointer.Question) []string) (out tally, missed []string) {
	for _, d := range documents {
		q := asked(t, d.claim, d.text)
		ids := overlapping(q, d.text, d.instruction)
		require.NotEmpty(t, ids, d.instruction)
		o, err := q.Read(say(q, "supported", append(ids, also(q)...)...), judge.NewLexical(), measured)
		require.NoError(t, err)
		out.documents++
		switch verdictOf(o) {
		case ledger.Supported:
			out.supported++
		case ledger.Weak:
			out.weak++
		case ledger.NotFound:
			out.notFound++
		}
		if len(o.Addressing) > 0 {
			out.hidden++
		} else {
			missed = append(missed, d.instruction)
		}
	}
	return out, missed
}

func nothingElse(*pointer.Question) []string { return nil }

// TestInjectedDocuments: 60 documents in two languages tell the judge what to answer, and the model obeys. None ends
// supported, although the model is trusted as if it had been measured.
func TestInjectedDocuments(t *testing.T) {
	set := readInjected(t)
	documents := set.documents(set.Injections)
	require.Len(t, documents, 60)
	got, missed := obey(t, documents, nothingElse)
	t.Logf("injected: %+v; not known as addressing the judge: %q", got, missed)
	require.Zero(t, got.supported)
	require.Empty(t, missed)

	// without the defence, the model's word would count
	q := asked(t, "The sky is blue.", "The sky is blue.")
	o, err := q.Read(say(q, "supported", q.Objects[0].PointerID), judge.NewLexical(), measured)
	require.NoError(t, err)
	require.Equal(t, ledger.Supported, verdictOf(o))

	first := func(q *pointer.Question) []string { return []string{q.Objects[0].PointerID} }
	got, _ = obey(t, documents, first)
	t.Logf("injected, and the model also names the first sentence of the document: %+v", got)
	require.Zero(t, got.supported)
}

// TestParaphrasedInjections measures instructions that no pattern was written for. What the patterns miss is left to
// the embedded judge.
func TestParaphrasedInjections(t *testing.T) {
	set := readInjected(t)
	documents := set.documents(set.Paraphrased)
	got, missed := obey(t, documents, nothingElse)
	t.Logf("paraphrased: %+v; known: %d of %d", got, got.documents-len(missed), got.documents)
	bare := slices.DeleteFunc(documents, func(d injected) bool { return len(d.instruction) > 150 })
	require.NotEmpty(t, bare)
}

// TestSentencesOfDocuments: ordinary sentences that speak of instructions, claims, support and models are evidence.
func TestSentencesOfDocuments(t *testing.T) {
	for _, s := range []string{
		"Return supported devices to the IT department.",
		"The claim is supported by the report of the auditor.",
		"Employees must not ignore the instructions of the safety officer.",
		"Disregard previous versions of this policy.",
		"The verdict of the jury was supported by two witnesses.",
		"Please answer the questions that are supported by the form.",
		"The AI system is supported by a language model.",
		"Insurance claims must be submitted within 30 days and supported by receipts.",
		"Ignore noise below 20 dB.", "The system: two pumps and a tank.",
		"Operators report to the system administrator.", "The judge ruled that the claim was not supported.",
		"Answer all questions in full.", "The board considered the statement and adopted it.",
		"The assistant shall mark each sample as tested.",
		"يجب تقديم المطالبة مدعومة بالإيصالات.", "تجاهل المدير طلب الموظف.", "الحكم الصادر عن المحكمة نهائي.",
		"أجاب الوزير بأن المشروع مؤيد من المجلس.", "يستخدم النظام نموذج لغة لتلخيص الوثائق.",
		"على الموظف أن يجيب عن الأسئلة.", "قرر المجلس أن القرار صحيح.", "اكتب اسمك ورقم هويتك.",
		"البيانات المدعومة بالأدلة تقبل.", "رد الوزارة مدعوم بالوثائق.",
	} {
		require.False(t, judge.Addresses(s), s)
	}
}
