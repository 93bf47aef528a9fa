package llm_test

import (
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/llm"
)

// TestAnswersInTheShapesOfTheMakers reads answers as vLLM, Ollama, llama.cpp, Azure, OpenAI, Anthropic, Text
// Embeddings Inference and KServe document them, with all that stands around what is read. They are written by hand;
// a recorded one may be added to the file as it is.
func TestAnswersInTheShapesOfTheMakers(t *testing.T) {
	raw, err := os.ReadFile("testdata/answers.json")
	require.NoError(t, err)
	var file struct {
		Answers []struct {
			Name, Path, Verdict, Cause, Fault string
			Kind                              llm.Kind
			Status                            int
			Tokens                            [2]int
			Body                              json.RawMessage
		}
	}
	require.NoError(t, json.Unmarshal(raw, &file))
	require.Greater(t, len(file.Answers), 20)
	for _, c := range file.Answers {
		t.Run(c.Name, func(t *testing.T) {
			e := serve(t, func(_ int, w http.ResponseWriter, _ *http.Request, q question) {
				body := string(c.Body)
				if len(q.IDs) > 0 {
					body = strings.NewReplacer("C42", q.ClaimID, "E4201", q.IDs[0]).Replace(body)
				}
				w.Header().Set("Content-Type", "application/json; charset=utf-8")
				w.WriteHeader(c.Status)
				_, _ = w.Write([]byte(body))
			})
			j, rec := judgeAt(t, c.Kind, e.URL+c.Path, measured)
			statement := claim
			if c.Verdict == "contradicted" {
				statement = "Employees get 25 days of annual leave."
			}
			r := judged(j, statement, source)
			require.Equal(t, c.Verdict, verdict(r), r.Unjudged)
			require.Contains(t, r.Unjudged, c.Cause)
			require.Equal(t, c.Fault, rec.calls[0].Fault)
			counted := [2]int{rec.calls[0].TokensIn, rec.calls[0].TokensOut}
			require.Equal(t, c.Tokens, counted)
		})
	}
}
