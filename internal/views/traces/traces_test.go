package traces

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
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
	faults := d.Validate()
	row := func(lang string, faults []*domain.Error) string {
		in := Input{Traces: []live.Trace{{ID: "t", State: live.Failed, Cause: live.Unreadable, Said: live.NoteOf(faults)}}}
		return NewPage(viewtest.ChromeAt(lang, "/traces"), in).Rows[0].Why
	}
	note := ""
	for _, f := range faults {
		note += " " + f.Error()
	}
	require.Equal(t, "Its content is unsuitable:"+note, row("en", faults))
	at := func(place string) string { return say.Isolated(place) + ": " }
	require.Equal(t, "محتواه لا يصلح لذلك: "+
		at("decision_id")+"احذف فواصل الأسطر والرموز غير المرئية والمسافات في أول النص وآخره. "+
		at("decided_at")+"اكتب الوقت بصيغة RFC 3339، مثل \u20662026-03-01T09:30:00Z\u2069. "+
		at("approval_class")+"اختر إحدى القيم: "+"\u2068A0\u2069، \u2068A1\u2069، \u2068A2\u2069، \u2068A3\u2069. "+
		at("confidence")+"اكتب عددًا من 0 إلى 1. "+
		at("evidence[0].excerpt_hash")+"اكتب بصمة SHA-256 من 64 خانة ست عشرية.", row("ar", faults))
	require.Contains(t, row("ar", slices.Repeat(faults, 3)), " و5 أخطاء أخرى.")
	require.Contains(t, row("en", slices.Repeat(faults, 3)), " And 5 more.")
}
