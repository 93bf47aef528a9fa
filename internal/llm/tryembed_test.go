package llm_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/llm"
)

// TestTryEmbeddings asks for the vectors of three fixed sentences once, and says whether the Arabic one that says the
// same as the English one is the nearer of the two.
func TestTryEmbeddings(t *testing.T) {
	for name, x := range map[string]struct {
		status      int
		body        string
		fault, note string
	}{
		"near":   {body: vectorsOf("[0.9,0.1]", "[0,1]", "[1,0]")},
		"far":    {body: vectorsOf("[0.1,0.9]", "[0.9,0]", "[1,0]"), note: "far"},
		"same":   {body: vectorsOf("[1,0]", "[1,0]", "[1,0]"), note: "far"},
		"widths": {body: vectorsOf("[1,0]", "[1,0,0]", "[1,0]"), fault: "malformed"},
		"few":    {body: vectorsOf("[1,0]"), fault: "malformed"},
		"prose":  {body: "Hm.", fault: "malformed"},
		"inside": {body: `{"error":{"message":"no"}}`, fault: "error inside"},
		"key":    {status: 401, fault: "status 401"},
		"busy":   {status: 429, fault: "status 429"},
	} {
		t.Run(name, func(t *testing.T) {
			asked, sent := 0, ""
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				raw, _ := io.ReadAll(r.Body)
				asked, sent = asked+1, r.URL.RequestURI()+" "+r.Header.Get("Authorization")+" "+string(raw)
				if x.status != 0 {
					w.WriteHeader(x.status)
					return
				}
				_, _ = io.WriteString(w, x.body)
			}))
			defer s.Close()
			c := llm.Config{Kind: "embeddings", Endpoint: s.URL + "/v1?api-version=1", Model: "bge", Key: secret, Allow: loopback,
				Now: time.Now, Jitter: func() float64 { return 0 }}
			tried := llm.TryEmbeddings(context.Background(), c)
			require.Equal(t, []any{x.fault, x.note, 1, "bge"}, []any{tried.Fault, tried.Note, asked, tried.Model})
			if x.fault == "" {
				require.Equal(t, 7, tried.TokensIn)
			}
			require.True(t, strings.HasPrefix(sent, "/v1/embeddings?api-version=1 Bearer "+secret), sent)
			require.Regexp(t, `\["الإجازة السنوية[^"]*","يفتح[^"]*","Annual leave is 15 days\."\]`, sent, "the vectors above stand in this order")
		})
	}
	away := llm.TryEmbeddings(context.Background(), llm.Config{Endpoint: "https://127.0.0.1:9/v1", Model: "m", Now: time.Now,
		Jitter: func() float64 { return 0 }})
	require.Equal(t, "forbidden", away.Fault)
}

func vectorsOf(vectors ...string) string {
	var data []string
	for i, v := range vectors {
		data = append(data, fmt.Sprintf(`{"object":"embedding","index":%d,"embedding":%s}`, i, v))
	}
	raw, _ := json.Marshal(map[string]any{"object": "list", "model": "bge", "usage": map[string]int{"prompt_tokens": 7, "total_tokens": 7}})
	return strings.TrimSuffix(string(raw), "}") + `,"data":[` + strings.Join(data, ",") + "]}"
}
