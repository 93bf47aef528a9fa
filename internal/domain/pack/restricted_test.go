package pack_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/pack"
)

// Words of an S3 text may not be stored beside it either: the decision is refused by each place (rule P-10).
func TestDecisionThatRepeatsS3Texts(t *testing.T) {
	const long = "the applicant earns eighteen thousand five hundred riyals each month at the ministry of health"
	tests := map[string]struct {
		change func(d *pack.Decision)
		want   []string
	}{
		"nothing": {func(*pack.Decision) {}, nil},
		"memo": {func(d *pack.Decision) {
			d.Memo = &pack.BilingualMemo{BodyEN: "Note: **Patient Ahmed, ID ١٠١٠١٠١٠١٠ has Diabetes**."}
		}, []string{"memo.body_en"}},
		"side effects and error": {func(d *pack.Decision) {
			d.ToolCalls[1].SideEffects = []string{"wrote a note", "wrote: " + patient}
			d.ToolCalls[1].Error = patient
		}, []string{"tool_calls[1].error", "tool_calls[1].side_effects[1]"}},
		"statement and title": {func(d *pack.Decision) { d.Title, d.Statement = patient, patient },
			[]string{"title", "statement"}},
		"outputs of another call": {func(d *pack.Decision) {
			d.ToolCalls[1].SensitivityClass, d.ToolCalls[1].Inputs = "", nil
			d.ToolCalls[1].Outputs = json.RawMessage(`{"rows":[{"note":"` + patient + `"}]}`)
		}, []string{"tool_calls[1].outputs"}},
		"eight words of S3 outputs": {func(d *pack.Decision) {
			d.ToolCalls[0].Outputs = json.RawMessage(`{"note":"` + long + `"}`)
			d.ToolCalls[0].SideEffects = []string{"eighteen thousand five hundred riyals each month at"}
		}, []string{"tool_calls[0].side_effects[0]"}},
		"seven words of them": {func(d *pack.Decision) {
			d.ToolCalls[0].Outputs = json.RawMessage(`{"note":"` + long + `"}`)
			d.ToolCalls[0].SideEffects = []string{"eighteen thousand five hundred riyals each month"}
		}, nil},
		"a short value among data": {func(d *pack.Decision) {
			d.ToolCalls[0].Inputs = json.RawMessage(`{"name":"Al Noor Trading"}`)
			d.Title = "Al Noor Trading"
		}, nil},
		"a short word as excerpt": {func(d *pack.Decision) { d.Evidence[0].Excerpt, d.Title = "No", "No" }, nil},
	}
	for desc, tt := range tests {
		t.Run(desc, func(t *testing.T) {
			d := sensitive()
			d.ToolCalls[1].Inputs, d.ToolCalls[1].Outputs = nil, nil
			tt.change(d)
			var got []string
			for _, f := range d.Validate() {
				require.Equal(t, domain.Invalid, f.Kind)
				require.NotContains(t, f.Error(), "Ahmed", "the message repeats nothing either")
				got = append(got, f.Path)
			}
			require.Equal(t, tt.want, got)
		})
	}
}

// Prints find the words again once the texts are gone, in a memo that is typed and in a call that arrives apart.
func TestPrintsFindS3Texts(t *testing.T) {
	d := sensitive()
	prints := pack.PrintsOf(d, secret)
	data, err := json.Marshal(prints)
	require.NoError(t, err)
	require.NotContains(t, string(data), "Ahmed")
	pack.SealRestricted(d, secret)
	c := draftOf(d, session(2))
	require.NoError(t, c.CheckRestricted(prints, secret))
	c.Memo.BodyAR += " " + strings.ToUpper(patient)
	err = c.CheckRestricted(prints, secret)
	var told *domain.Error
	require.ErrorAs(t, err, &told)
	require.Equal(t, "memo.body_ar", told.Path)
	require.Contains(t, told.Error(), "evidence[0].excerpt")
	require.NoError(t, c.CheckRestricted(prints, []byte("another tenant's secret")), "prints verify no guess without it")

	call := &pack.ToolCallRecord{ID: "c9", IntendedAction: "note", ActualAction: "note", SideEffects: []string{patient}}
	require.ErrorAs(t, prints.CheckCall(d.DecisionID, call, secret), &told)
	require.Equal(t, "side_effects[0]", told.Path)
	call.SideEffects = nil
	require.NoError(t, prints.CheckCall(d.DecisionID, call, secret))
	own := &pack.ToolCallRecord{ID: "c9", SensitivityClass: "S3", ActualAction: "one two three four five six seven eight",
		Outputs: json.RawMessage(`["one two three four five six seven eight"]`)}
	require.ErrorAs(t, prints.CheckCall(d.DecisionID, own, secret), &told)
	require.Equal(t, "actual_action", told.Path)
	of := pack.PrintsOfCall(d.DecisionID, own, secret)
	require.Equal(t, "tool_calls[c9].outputs", of[0].Place)
}

// A draft into which an S3 excerpt is written is compared with it before it is sealed.
func TestDraftThatRepeatsItsS3Excerpt(t *testing.T) {
	c := draftOf(hospital(), session(2))
	c.Sources[0].SensitivityClass, c.Sources[0].Excerpt = "S3", patient
	require.NoError(t, c.CheckRestricted(nil, secret))
	c.Memo.ExecutiveSummaryEN = patient
	var told *domain.Error
	require.ErrorAs(t, c.CheckRestricted(nil, secret), &told)
	require.Equal(t, "memo.executive_summary_en", told.Path)
}

// The caller's own flag is told as the caller's word where neither words nor a person find a departure.
func TestAlarmOfACallersOwnFlag(t *testing.T) {
	d := hospital()
	d.ToolCalls[0].IntendedAction, d.ToolCalls[0].ActualAction, d.ToolCalls[0].ContradictionFlag = "a b c", "a b c", true
	c := draftOf(d, session(2))
	a := pack.Alarm{ID: pack.CallDeparted + ":T1", Kind: pack.CallDeparted, Object: "T1"}
	require.Contains(t, a.Text(&c, "en"), "The caller reports that T1")
	require.Contains(t, a.Text(&c, "ar"), "أفادت الجهة المرسلة")
	d.ToolCalls[0].IntendedAction, d.ToolCalls[0].ActualAction = "release 10 units", "release 12 units"
	c = draftOf(d, session(2))
	require.NotContains(t, a.Text(&c, "en"), "The caller reports", "the words say so too")
}
