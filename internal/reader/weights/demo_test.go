package weights_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/cmd/web/demo"
	"sanad/internal/app"
	"sanad/internal/domain/ledger"
)

// judgedFile is the demo's file of verdicts, from here.
const judgedFile = "../../../cmd/web/demo/" + demo.JudgedFile

// TestDemoIsJudgedAsStored judges the demo's sessions by the shipped judge and compares what it and its reader say, to
// the bit, with what is stored. If it differs, look at the verdicts before you commit the new file: no text of the demo
// is changed to please the judge.
func TestDemoIsJudgedAsStored(t *testing.T) {
	const mend = "the shipped judge says something else of the demo than " + demo.JudgedFile + ": run " + demo.Renew
	own := shipped()
	require.NoError(t, own.Fault())
	recording, answers := own.Recording()
	now := &demo.Judgement{Verdicts: verdicts(t, recording), Answers: answers}
	if *update {
		data, err := json.MarshalIndent(now, "", " ")
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(judgedFile, append(data, '\n'), 0o600))
		return
	}
	was := demo.Judged()
	require.Equal(t, answers.Reader, was.Answers.Reader, "another reader: "+mend)
	require.Equal(t, now.Verdicts, was.Verdicts, mend)
	require.Equal(t, answers.Unknown, was.Answers.Unknown, mend)
	require.Equal(t, answers.Pairs, was.Answers.Pairs, mend)
}

// TestDemoReadsNothing: what is stored is all that the demo needs to be judged.
func TestDemoReadsNothing(t *testing.T) {
	own := shipped()
	if *update || own.Judge().Parameters()[ledger.ReaderParameter] != demo.Judged().Answers.Reader {
		return // TestDemoIsJudgedAsStored says what to do
	}
	asked, rest := own.Recording()
	require.Equal(t, demo.Judged().Verdicts, verdicts(t, asked.Remembering(demo.Judged().Answers)))
	require.Empty(t, rest.Pairs)
	require.Empty(t, rest.Unknown)
}

// verdicts judges each file of the demo.
func verdicts(t *testing.T, by *app.Embedded) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	for _, name := range demo.Judges() {
		for _, e := range judged(t, by, name, func(*ledger.Claim) {}) {
			out[name] = append(out[name], string(e.Machine))
		}
	}
	return out
}
