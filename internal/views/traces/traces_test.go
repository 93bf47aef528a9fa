package traces

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/live"
	"sanad/internal/domain/pack"
	"sanad/internal/views/say"
	"sanad/internal/views/viewtest"
)

// What keeps a trace from becoming a decision is said in the reader's language, fault by fault, each behind its place.
func TestFaultsOfADecisionAreSaid(t *testing.T) {
	wrong := 2.0
	d := pack.Decision{Header: pack.Header{DecisionID: "d\n1", EntityID: "e", AgentName: "a", Title: "T", Statement: "S.",
		DecidedAt: "noon", ApprovalClass: "A9", ReversibilityClass: "R1", SensitivityClass: "S1", Confidence: &wrong},
		Evidence: []pack.EvidenceSource{{Quote: pack.Quote{ExcerptHash: "x"}}}}
	note := ""
	for _, f := range d.Validate() {
		note += f.Error() + " "
	}
	note += "And 3 more."
	row := func(lang, note string) string {
		in := Input{Traces: []live.Trace{{ID: "t", State: live.Failed, Cause: live.Unreadable, Note: note}}}
		return NewPage(viewtest.ChromeAt(lang, "/traces"), in).Rows[0].Why
	}
	require.Equal(t, "What it holds cannot become that: "+note, row("en", note))
	at := func(place string) string { return say.Isolated(place) + ": " }
	require.Equal(t, "محتواه لا يصلح لذلك: "+
		at("decision_id")+"احذف فواصل الأسطر والرموز غير المرئية والمسافات في أول النص وآخره. "+
		at("decided_at")+"اكتب الوقت بصيغة RFC 3339، مثل \u20662026-03-01T09:30:00Z\u2069. "+
		at("approval_class")+"اختر إحدى القيم: "+say.Isolated("A0, A1, A2, A3")+". "+
		at("confidence")+"اكتب عددًا من 0 إلى 1. "+
		at("evidence[0].excerpt_hash")+"اكتب بصمة SHA-256 من 64 خانة ست عشرية. و3 أخطاء أخرى.", row("ar", note))
	const unknown = "sanad.confidence: Give a number from 0 to 1. title: Words of a newer program."
	require.Equal(t, "محتواه لا يصلح لذلك: "+at("sanad.confidence")+"اكتب عددًا من 0 إلى 1. "+
		at("title")+say.Isolated("Words of a newer program."), row("ar", unknown))
	const known = "There is another decision with this decision_id; a decision never changes."
	require.Equal(t, "محتواه لا يصلح لذلك: يوجد قرار آخر بهذا المعرّف (decision_id)، والقرار لا يتغير بعد حفظه.", row("ar", known))
	require.Equal(t, "محتواه لا يصلح لذلك: Words of somebody.", row("ar", "Words of somebody."))
}
