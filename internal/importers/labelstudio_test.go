package importers

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// Label Studio's exports other than JSON have the results beside the data, one row for each annotation.
func TestLabelStudioRows(t *testing.T) {
	const list = `[{"id":7,"question":"What is the fee?","answer":"The fee is 5 dinars. It is due in May.",
		"context":["The fee is 9 dinars.","It is due in May."],"part":[{"start":0,"end":20,"text":"The fee is 5 dinars.","labels":["Wrong"]}],
		"verdict":"Bad","faults":{"choices":["Tone","Facts"]},"stars":[{"rating":2}],"annotator":"a@b.c","annotation_id":70,
		"lead_time":3.2}]`
	const table = "\"id\",\"question\",\"answer\",\"context\",\"part\",\"verdict\",\"faults\",\"stars\",\"annotator\"," +
		"\"annotation_id\",\"lead_time\"\n" +
		`7,What is the fee?,The fee is 5 dinars. It is due in May.,"[""The fee is 9 dinars."",""It is due in May.""]",` +
		`"[{""start"":0,""end"":20,""text"":""The fee is 5 dinars."",""labels"":[""Wrong""]}]",Bad,` +
		`"{""choices"":[""Tone"",""Facts""]}","[{""rating"":2}]",a@b.c,70,3.2` + "\n"
	for _, src := range []string{list, table} {
		r, err := Read([]byte(src), Options{})
		require.NoError(t, err)
		require.Equal(t, "label-studio", r.Format)
		require.Equal(t, "7", r.Session.ExternalID)
		require.Equal(t, "What is the fee?", r.Session.Query)
		require.Len(t, r.Session.Documents, 2)
		said := ""
		for _, s := range r.Session.UpstreamWhole().Scores {
			said += fmt.Sprintf("%s=%s%s ", s.Name, s.Value, s.Label)
		}
		require.Equal(t, "faults=Tone, Facts stars=2 verdict=Bad ", said)
		require.Equal(t, 1, r.Placed.Exact)
	}
}

// An answer may stand in what an annotator, or a model before them, wrote; tasks may name predictions by their ids
// alone.
func TestLabelStudioAnswers(t *testing.T) {
	const written = `{"type":"textarea","from_name":"answer","value":{"text":["The fee is 5 dinars."]}}`
	for name, c := range map[string]struct{ src, query, says string }{
		"written": {`{"id":1,"data":{"question":"What is the fee?"},"predictions":[155],` +
			`"annotations":[{"result":[` + written + `]}]}`,
			"What is the fee?", ""},
		"predicted": {`{"data":{"question":"What is the fee?"},"predictions":[{"result":[` + written + `]}]}`, "What is " +
			"the fee?", ""},
		"two": {`{"data":{"question":"What is the fee?"},"annotations":[{"result":[` + written + `]},` +
			`{"result":[` + written + `]}]}`,
			"What is the fee?", "first choice"},
		"chat": {`{"data":{"chat":[]},"annotations":[{"result":[
			{"type":"chatmessage","from_name":"chat","value":{"chatmessage":{"role":"user","content":"What is the fee?"}}},
			{"type":"chatmessage","from_name":"chat","value":{"chatmessage":{"role":"assistant","content":"The fee is 5 dinars."}}}]}]}`,
			"What is the fee?", ""},
		"pair": {`{"data":{"prompt":"What is the fee?","response_a":"The fee is 5 dinars.","response_b":"No fee."},` +
			`"annotations":[{"result":[]}]}`,
			"What is the fee?", "first choice"},
		"cancelled": {`{"data":{"question":"What is the fee?","answer":"The fee is 5 dinars."},` +
			`"annotations":[{"was_cancelled":true,"result":[` +
			written + `]}]}`, "What is the fee?", ""},
	} {
		r, err := Read([]byte(c.src), Options{})
		require.NoError(t, err, name)
		require.Equal(t, "The fee is 5 dinars.", r.Session.Answer, name)
		require.Equal(t, c.query, r.Session.Query, name)
		require.Contains(t, fmt.Sprint(r.Warnings), c.says, name)
		if c.says == "" {
			require.NotContains(t, fmt.Sprint(r.Warnings), "first choice", name)
		}
	}
}
