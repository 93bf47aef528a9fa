package importers

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/words"
)

// The sources of a decision in the form of the founding example are its evidence.
func TestDecisionWithSources(t *testing.T) {
	const head = `{"decision_id":"dec_1","entity_id":"lead_1","agent_name":"icp","decided_at":"2026-03-01T10:00:00Z",
	 "title":"Fit","statement":"It fits.","approval_class":"A1","reversibility_class":"R1","sensitivity_class":"S1",
	 "confidence":0.9,`
	const source = `"sources":[{"source":"crm.contact","uri":"crm://contacts/456","excerpt":"Company size: 120 employees"}]}`
	d, warnings, err := ReadDecision([]byte(head + source))
	require.NoError(t, err)
	require.Len(t, d.Evidence, 1)
	require.Equal(t, "crm.contact", d.Evidence[0].Source)
	require.Len(t, warnings, 1)
	require.Equal(t, words.Msg("warning_decision_sources"), warnings[0].Said)
	d, warnings, err = ReadDecision([]byte(head + `"evidence":[{"source":"own","excerpt":"x"}],` + source))
	require.NoError(t, err)
	require.Equal(t, "own", d.Evidence[0].Source)
	require.Equal(t, words.Msg("warning_decision_both"), warnings[0].Said)
	_, _, err = ReadDecision([]byte(strings.Replace(head, `"decision_id":"dec_1",`, "", 1) + source))
	require.Error(t, err)
}
