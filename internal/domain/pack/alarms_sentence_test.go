package pack

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What a call intended and did can be set apart in the sentence of its alarm; the sentence itself stays as it is.
func TestSentenceOfAlarmSetsQuotationsApart(t *testing.T) {
	c := &Content{ToolCalls: []ToolCallRecord{{ToolName: "mail.send", IntendedAction: "draft  it", ActualAction: "sent"}}}
	a := Alarm{Kind: CallDeparted, Object: CallID(0)}
	marked := a.Sentence(c, "ar", func(s string) string { return "<" + s + ">" })
	require.Contains(t, marked, "«<draft it>»")
	require.Contains(t, marked, "«<sent>»")
	require.NotContains(t, a.Text(c, "ar"), "<")
	require.Contains(t, a.Text(c, "ar"), "«draft it»")
}
