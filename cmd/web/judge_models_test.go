package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestJudgeByModel judges rows by an endpoint: in order, some at a time, with a record of each call that holds neither
// key nor words.
func TestJudgeByModel(t *testing.T) {
	t.Parallel()
	var now, most, asked atomic.Int32
	e := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for n := now.Add(1); n > most.Load(); {
			most.Store(n)
		}
		defer now.Add(-1)
		asked.Add(1)
		raw, _ := io.ReadAll(r.Body)
		if r.Header.Get("Authorization") != "Bearer sk-test" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		claim := regexp.MustCompile(`Answer for claim (C\d+)`).FindSubmatch(raw)
		id := regexp.MustCompile(`=== (E\d+) \(`).FindSubmatch(raw)
		said, _ := json.Marshal(fmt.Sprintf(`{"claim":%q,"verdict":"supported","evidence_ids":[%q],"differs":"","confidence":1}`,
			claim[1], id[1]))
		fmt.Fprintf(w, `{"choices":[{"message":{"content":%s}}],"usage":{"prompt_tokens":500,"completion_tokens":20}}`, said)
	}))
	defer e.Close()
	key, calls := filepath.Join(t.TempDir(), "key"), filepath.Join(t.TempDir(), "calls.jsonl")
	require.NoError(t, os.WriteFile(key, []byte("sk-test\n"), 0o600))
	var in strings.Builder
	for i := range 40 {
		fmt.Fprintf(&in, `{"id":"%d","claim":"Item %d costs 5 euros.","evidence":[{"doc":"d","text":"Item %d costs 5 euros."}]}`+"\n", i, i, i)
	}
	args := []string{"judge", "--judge", "openai", "--endpoint", e.URL, "--model", "m", "--key-file", key, "--allow", "127.0.0.1",
		"--parallel", "4", "--calls", calls, "--price-in", "2", "--price-out", "10"}
	code, out, errs := call(t, in.String(), append(args, "--trust", "0.93")...)
	require.Zero(t, code, errs)
	for i, row := range lines(t, out) {
		require.Equal(t, fmt.Sprint(i), row.ID)
		require.Equal(t, "supported", *row.Verdict)
	}
	require.EqualValues(t, 40, asked.Load())
	require.LessOrEqual(t, most.Load(), int32(4))
	require.Contains(t, errs, "judge: questions 40 in 40 tries, failed 0, tokens 20000 in and 800 out, cost 0.0480")
	raw, err := os.ReadFile(calls)
	require.NoError(t, err)
	require.Equal(t, 40, strings.Count(string(raw), `"request_sha256":"`))
	require.NotContains(t, string(raw)+out+errs, "sk-test")
	require.NotContains(t, string(raw), "euros")

	_, out, _ = call(t, in.String(), args...)
	require.Equal(t, "weak", *lines(t, out)[0].Verdict, "a model that was not measured")

	other := file(t, "sk-other\n")
	code, out, errs = call(t, in.String(), append(args, "--key-file", other)...)
	require.Equal(t, exitFailed, code)
	require.Len(t, lines(t, out), 40, "each row has its answer")
	require.Contains(t, errs, "no row could be judged, since the endpoint failed (status 401)")
	for _, content := range []string{"sk-test\nsk-other\n", "\ufeffsk-test\n"} {
		code, _, errs = call(t, in.String(), append(args, "--key-file", file(t, content))...)
		require.Equal(t, exitUsage, code)
		require.Contains(t, errs, "holds something else than one key")
		require.NotContains(t, errs, "sk-")
	}

	vectors := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Input []string }
		if json.NewDecoder(r.Body).Decode(&in) != nil || r.Header.Get("Authorization") != "Bearer sk-vectors" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		data := make([]string, len(in.Input))
		for i := range data {
			data[i] = fmt.Sprintf(`{"index":%d,"embedding":[1,0]}`, i)
		}
		fmt.Fprintf(w, `{"data":[%s],"usage":{"prompt_tokens":%d}}`, strings.Join(data, ","), len(data))
	}))
	defer vectors.Close()
	args = append(args, "--embeddings", vectors.URL, "--embeddings-model", "e5", "--redact")
	code, _, errs = call(t, in.String(), append(args, "--embeddings-key-file", file(t, "sk-vectors\n"))...)
	require.Zero(t, code, errs)
	require.Contains(t, errs, "judge: embeddings in 40 tries, tokens 40; without them, by BM25 alone, 0 questions\n")
	code, out, errs = call(t, in.String(), args...)
	require.Zero(t, code, errs)
	require.Contains(t, errs, "by BM25 alone, 40 questions (status 401)\n")
	require.NotNil(t, lines(t, out)[39].Verdict)

	for want, bad := range map[string][]string{
		`There is no judge "oracle"`:       {"--judge", "oracle", "--endpoint", e.URL},
		"--endpoint: Give an address":      {"--judge", "openai", "--model", "m"},
		"--endpoint: Nothing is sent with": {"--judge", "openai", "--model", "m", "--endpoint", e.URL},
		"--model: Name the model":          {"--judge", "anthropic", "--endpoint", "https://models.example"},
		"--allow \"x\"":                    {"--judge", "nli", "--endpoint", e.URL, "--allow", "x"},
		"--embeddings: Give an address":    {"--judge", "openai", "--model", "m", "--endpoint", "https://x.test", "--embeddings", "x"},
		"--trust 7":                        {"--judge", "openai", "--trust", "7"},
		"--key-file":                       {"--judge", "openai", "--key-file", key + ".gone"},
	} {
		code, _, errs := call(t, "", append([]string{"judge"}, bad...)...)
		require.NotZero(t, code)
		require.Contains(t, errs, want)
	}
}
