package domain_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/words"
)

// A stored warning comes back with its message; answers of the API have its words only.
func TestStoredWarnings(t *testing.T) {
	all := []domain.Warning{domain.Warn("a", words.Msg("warning_left_out", "N", 3)), domain.Warn("b", words.AsWritten("m"))}
	data, err := json.Marshal(domain.StoredWarnings(all))
	require.NoError(t, err)
	var back []domain.Warning
	require.NoError(t, json.Unmarshal(data, (*domain.StoredWarnings)(&back)))
	require.Equal(t, all, back)
	data, err = json.Marshal(all[0])
	require.NoError(t, err)
	require.JSONEq(t, `{"path": "a", "message": "Warnings left out: 3."}`, string(data))
}
