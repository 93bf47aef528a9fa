package bundle_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/bundle"
)

func TestPolicyDefaults(t *testing.T) {
	data, err := json.Marshal(bundle.DefaultPolicy())
	require.NoError(t, err)
	require.JSONEq(t, `{"max_items":50,"max_total_bytes":100000,"max_item_bytes":10000,"max_sql_rows":100,"max_sql_cols":20,
		"sampling_strategy":"first_last","chunk_size":5000,"chunk_overlap":200,"enable_redaction":false}`, string(data))
	require.NoError(t, bundle.DefaultPolicy().Validate())
}

func TestOmittedPolicyFieldsHaveDefaults(t *testing.T) {
	want := bundle.DefaultPolicy()
	want.MaxItems, want.MaxTotalBytes, want.MaxSQLRows = 30, 75_000, 50
	for _, src := range []string{`{"max_items":30,"max_total_bytes":75000,"max_sql_rows":50,"enable_redaction":false}`,
		`{"max_items":30,"max_total_bytes":75000,"max_sql_rows":50,"max_item_bytes":null}`} {
		var p bundle.Policy
		require.NoError(t, json.Unmarshal([]byte(src), &p))
		require.Equal(t, want, p)
	}
	var p bundle.Policy
	require.NoError(t, p.UnmarshalJSON([]byte("null")))
	require.Equal(t, bundle.DefaultPolicy(), p)
	require.Error(t, json.Unmarshal([]byte(`{"max_items":"x"}`), &p))
	require.Nil(t, request(t, `{}`).Policy)
}

func TestPolicyIsValidated(t *testing.T) {
	tests := []struct {
		path   string
		change func(*bundle.Policy)
	}{
		{"policy.max_items", func(p *bundle.Policy) { p.MaxItems = 0 }},
		{"policy.max_items", func(p *bundle.Policy) { p.MaxItems = 1 << 40 }},
		{"policy.max_total_bytes", func(p *bundle.Policy) { p.MaxTotalBytes = -1 }},
		{"policy.max_item_bytes", func(p *bundle.Policy) { p.MaxItemBytes = 0 }},
		{"policy.max_sql_rows", func(p *bundle.Policy) { p.MaxSQLRows = 0 }},
		{"policy.max_sql_cols", func(p *bundle.Policy) { p.MaxSQLCols = 0 }},
		{"policy.chunk_size", func(p *bundle.Policy) { p.ChunkSize = 3 }},
		{"policy.chunk_overlap", func(p *bundle.Policy) { p.ChunkOverlap = p.ChunkSize }},
		{"policy.chunk_overlap", func(p *bundle.Policy) { p.ChunkOverlap = -1 }},
		{"policy.sampling_strategy", func(p *bundle.Policy) { p.SamplingStrategy = "random" }},
	}
	for _, tt := range tests {
		req := inline("x")
		req.Policy = policy(tt.change)
		_, err := bundle.Build(&req, noon, nil, nil)
		var e *domain.Error
		require.ErrorAs(t, err, &e, tt.path)
		require.Equal(t, domain.Invalid, e.Kind)
		require.Equal(t, tt.path, e.Path)
	}
}
