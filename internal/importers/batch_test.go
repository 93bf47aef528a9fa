package importers

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Each provider's batch has the caller's name of a request in a place of its own, and says of a request that failed
// why.
func TestBatches(t *testing.T) {
	const gemini = `{"candidates":[{"content":{"role":"model","parts":[{"text":"The fee is 5 dinars."}]}}]}`
	const chat = `{"id":"c","choices":[{"message":{"role":"assistant","content":"The fee is 5 dinars."}}]}`
	for name, c := range map[string]struct{ src, id, query, failed string }{
		"OpenAI": {src: `{"custom_id":"n","response":{"status_code":200,"body":` + chat + `},"error":null}
			{"custom_id":"m","response":{"status_code":400,"body":{"error":{"message":"Too long."}}},"error":null}`, id: "n", query: "", failed: "Too long."},
		"expired": {src: `{"custom_id":"n","response":{"status_code":200,"body":` + chat + `}}
			{"custom_id":"m","response":null,"error":{"code":"batch_expired","message":"Too late."}}`, id: "n", query: "", failed: "Too late."},
		"Anthropic": {src: `{"custom_id":"n","result":{"type":"succeeded","message":{"id":"x","type":"message",
			"role":"assistant","content":[{"type":"text","text":"The fee is 5 dinars."}]}}}
			{"custom_id":"m","result":{"type":"errored","error":{"type":"error","error":{"message":"Too long."}}}}`, id: "n", query: "", failed: "Too long."},
		"cancelled": {src: `{"custom_id":"n","result":{"type":"succeeded","message":{"type":"message","content":[{"type":"text",
			"text":"The fee is 5 dinars."}]}}}
			{"custom_id":"m","result":{"type":"canceled"}}`, id: "n", query: "", failed: "canceled"},
		"Gemini": {src: `{"key":"n","response":` + gemini + `}
			{"key":"m","error":{"code":400,"message":"Too long."}}`, id: "n", query: "", failed: "Too long."},
		"Gemini, with the requests": {src: `{"done":true,` +
			`"response":{"inlinedResponses":{"inlinedResponses":[{"metadata":{"key":"n"},"response":` + gemini +
			`},{"error":{"message":"Too long."}}]}}}`, id: "n", query: "", failed: "Too long."},
		"Vertex": {src: `{"status":"","processed_time":"2026-01-01","request":{"contents":[{"role":"user",
			"parts":[{"text":"What is the fee?"}]}]},"response":` + gemini + `}
			{"status":"Too long.","processed_time":"2026-01-01","request":{"contents":[]},"response":{}}`, id: "", query: "What is the fee?", failed: "Too long."},
		"Bedrock": {src: `{"recordId":"n","modelInput":{"messages":[{"role":"user","content":[{"type":"text",
			"text":"What is the fee?"}]}]},
			"modelOutput":{"type":"message","content":[{"type":"text","text":"The fee is 5 dinars."}]}}
			{"recordId":"m","modelInput":{},"error":{"errorCode":400,"errorMessage":"Too long."}}`, id: "n", query: "What is the fee?", failed: "Too long."},
	} {
		b, err := readAll([]byte(c.src), Options{})
		require.NoError(t, err, name)
		require.Len(t, b.Results, 1, name)
		s := &b.Results[0].Session
		require.Equal(t, "batch", b.Results[0].Format, name)
		require.Equal(t, "The fee is 5 dinars.", s.Answer, name)
		require.Equal(t, c.id, s.ExternalID, name)
		require.Equal(t, c.query, s.Query, name)
		require.Len(t, b.Refused, 1, name)
		require.Contains(t, b.Refused[0].Message.String(), c.failed, name)
	}
}
