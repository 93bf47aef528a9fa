package importers_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/bundle"
	"sanad/internal/importers"
	"sanad/internal/strictjson"
)

func TestReadBundleRequest(t *testing.T) {
	got, err := importers.ReadBundleRequest([]byte(`{"job_input":{"entity_id":"luke","anything":[{"a":1}],
		"extra_params":{"other":true,"evidence":[{"text":"Luke","source_uri":"w"},7]}},
		"evidence_refs":{"lake_text":["a.md"],"sql_results":[{"lake_uri":"r.json","query_key":"k","rows_per_item":5}],"lake_pdf":["x"],"transcripts":"no list"},
		"policy":{"max_items":30},"run_id":"run 1"}`))
	require.NoError(t, err)
	want := bundle.DefaultPolicy()
	want.MaxItems = 30
	require.Equal(t, &want, got.Policy)
	require.Equal(t, "run 1", got.RunID)
	require.Equal(t, bundle.List[bundle.Inline]{Items: []bundle.Inline{{Text: "Luke", SourceURI: "w"}, {}},
		Bad: []int{1}}, got.JobInput.ExtraParams.Evidence)
	require.Equal(t, []string{"a.md"}, got.Refs.LakeText.Items)
	require.Equal(t, []bundle.SQLRef{{LakeURI: "r.json", QueryKey: "k", RowsPerItem: 5}}, got.Refs.SQLResults.Items)
	require.Equal(t, []string{"lake_pdf"}, got.Refs.Unknown)
	require.True(t, got.Refs.Transcripts.Not)
}

func TestEmptyBundleRequestHasDefaultPolicy(t *testing.T) {
	for _, src := range []string{`{}`, `{"job_input":null,"evidence_refs":null,"policy":null}`,
		`{"job_input":{"extra_params":null},"policy":{}}`,
		`{"job_input":{"extra_params":{"evidence":null}},"evidence_refs":{}}`} {
		got, err := importers.ReadBundleRequest([]byte(src))
		require.NoError(t, err, src)
		require.Equal(t, bundle.DefaultPolicy(), *got.Policy, src)
		require.Empty(t, got.JobInput.ExtraParams.Evidence, src)
		require.Empty(t, got.Refs, src)
	}
}

func TestBadBundleRequests(t *testing.T) {
	for src, want := range map[string]struct {
		path      string
		malformed bool
	}{
		`{"policy":{"max_itms":3}}`:                  {"policy.max_itms", false},
		`{"policy":{"max_items":"3"}}`:               {"policy.max_items", false},
		`{"policy":[]}`:                              {"policy", false},
		`{"job_input":[]}`:                           {"job_input", false},
		`{"job_input":{"extra_params":3}}`:           {"job_input.extra_params", false},
		`{"evidence_refs":[]}`:                       {"evidence_refs", false},
		`{"evidence":[]}`:                            {"evidence", false},
		`{"run_id":"a\nb"}`:                          {"run_id", false},
		`{"run_id":7}`:                               {"run_id", false},
		`{"job_input":{"a":1,"a":2}}`:                {"job_input.a", true},
		`{"evidence_refs":{"lake_text":["\ud800"]}}`: {"", true},
		`{"job_input":{}} x`:                         {"", true},
		``:                                           {"", true},
		`{"job_input":` + strings.Repeat("[", 70):    {"", true},
	} {
		_, err := importers.ReadBundleRequest([]byte(src))
		var told *domain.Error
		require.ErrorAs(t, err, &told, src)
		require.Equal(t, domain.Invalid, told.Kind, src)
		if want.malformed {
			require.ErrorIs(t, err, strictjson.ErrMalformed, src)
			continue
		}
		require.NotErrorIs(t, err, strictjson.ErrMalformed, src)
		require.Equal(t, want.path, told.Path, src)
	}
	_, err := importers.ReadBundleRequest([]byte(`{"run_id":"` + strings.Repeat("x", 201) + `"}`))
	require.Error(t, err)
	_, err = importers.ReadBundleRequest(make([]byte, importers.MaxBundleRequest+1))
	require.Equal(t, domain.TooLarge, domain.KindOf(err))
}

func FuzzReadBundleRequest(f *testing.F) {
	f.Add([]byte(`{"job_input":{"extra_params":{"evidence":[{"text":"a"}]}},"evidence_refs":{"lake_text":["a"],` +
		`"documents":[{"document_id":"d","text":"t"}]},"policy":{"chunk_size":4}}`))
	f.Add([]byte(`{"evidence_refs":{"sql_results":[null,{"lake_uri":1}]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := importers.ReadBundleRequest(data)
		if err != nil {
			var told *domain.Error
			require.ErrorAs(t, err, &told)
			return
		}
		require.True(t, json.Valid(data))
		_, _ = bundle.Build(&got.Request, time.Time{}, nil, nil) // never panics
	})
}
