package e2e

import (
	"context"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"sanad/internal/domain/pack"
)

// TestRefusedDecisionIsMended: a decision that lacks what a tool did, an excerpt and its second language cannot be
// submitted; each fault leads to its field, is mended there, and the pack is signed. The decision stays as received.
func TestRefusedDecisionIsMended(t *testing.T) {
	t.Parallel()
	o := startBureau(t)
	share := 0.9
	d := &pack.Decision{
		Header: pack.Header{DecisionID: "dec_lacking", EntityID: "co_45611", AgentName: "matcher",
			Model: "m", ModelVersion: "1", DecidedAt: "2026-11-18T09:00:00Z", Title: "Fit of company 45611",
			Statement: "Company 45611 fits.", ApprovalClass: "A1", ReversibilityClass: "R1", SensitivityClass: "S1",
			Confidence: &share},
		Evidence: []pack.EvidenceSource{{Source: "crm", URI: "crm://45611", RetrievedAt: "2026-11-18T08:00:00Z",
			Confidence: &share}},
		ToolCalls: []pack.ToolCallRecord{{ToolName: "crm.get", IntendedAction: "retrieve company 45611",
			VerificationStatus: "verified"}},
	}
	_, _, err := o.store.AddDecision(context.Background(), o.people["yousef"], d, nil)
	require.NoError(t, err)

	b := open(t, o.app)
	b.as(o, "yousef")
	b.visit("/packs/new?decision=dec_lacking")
	b.submit(`main form[action="/packs"] .btn-primary`)
	id := strings.Split(strings.TrimPrefix(b.path(), "/packs/"), "/")[0]
	b.submit(`button[formaction$="/submit"]`)
	require.Contains(t, b.text("#faults"), "Rule 10")
	b.visit("/packs/" + id + "/mend")
	b.accessible("mend")
	b.asksForOtherForms()
	b.do(chromedp.SendKeys(chromedp.ID("tool_calls-0-actual_action"), "retrieved company 45611"),
		chromedp.SendKeys(chromedp.ID("sources-0-excerpt"), "120 employees"),
		chromedp.SendKeys(chromedp.ID("statement_ar"), "الشركة 45611 مطابقة."),
		chromedp.SendKeys(chromedp.ID("mend-reason"), "The export cut these off."))
	b.submit(`main form[action$="/mend"] .btn-primary`)
	require.Contains(t, b.text("#mended"), "tool_calls[0].actual_action")
	require.Contains(t, b.text("#edits"), "The export cut these off.")
	b.accessible("mended")
	b.visit("/packs/" + id + "/edit")
	b.submit(`button[formaction$="/submit"]`)
	require.Contains(t, b.text(".stamp"), "In review")

	b.as(o, "sara")
	b.visit("/packs/" + id)
	require.NotContains(t, b.text("#sec-tools"), "something other", "the tense is no departure")
	b.visit("/packs/" + id + "/sign")
	b.acknowledge()
	b.do(chromedp.SendKeys(chromedp.ID("d-p"), officePassword))
	b.submit(`main form[action$="/approve"] .btn-primary`)
	require.Contains(t, b.text(".stamp"), "Signed off")
	require.Contains(t, b.text("#sec-decision"), "sources[0].excerpt")
	got, err := o.store.Decision(context.Background(), o.tenant.ID, "dec_lacking")
	require.NoError(t, err)
	require.Empty(t, got.Decision.ToolCalls[0].ActualAction)
}

// asksForOtherForms checks that a page with several forms asks before one is sent while another holds text, and does not
// when none does. It sends and changes nothing.
func (b *tab) asksForOtherForms() {
	b.t.Helper()
	require.GreaterOrEqual(b.t, eval[int](b, `(() => {
		window.areas = [...new Map([...document.querySelectorAll("form[data-guard] :is(textarea, input[type=text])")].map(a => [a.form, a])).values()];
		window.held = new AbortController();
		areas.forEach(a => { a.form.addEventListener("submit", e => e.preventDefault(), {signal: held.signal}); a.value += "because"; });
		areas[0].form.noValidate = true;
		areas[0].form.requestSubmit();
		return areas.length;
	})()`), 2)
	require.True(b.t, eval[bool](b, leavingAsks))
	require.True(b.t, eval[bool](b, `areas.slice(1).every(a => (a.value = a.defaultValue, true))`))
	require.False(b.t, eval[bool](b, leavingAsks))
	require.True(b.t, eval[bool](b, `(held.abort(), areas[0].value = areas[0].defaultValue, true)`))
}
