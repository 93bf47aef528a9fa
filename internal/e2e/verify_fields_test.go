package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/pack"
)

// The page reads exactly the fields that Go reads: those frozen for the version.
func TestVerifyPageKnowsTheFields(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(filepath.Join("..", "domain", "pack", "formats.json"))
	require.NoError(t, err)
	var frozen map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(data, &frozen))
	require.Len(t, frozen, 9)
	h := handOut(t)
	b := open(t, &app{})
	h.openVerify(b)
	for name, fields := range frozen {
		require.JSONEq(t, string(fields), eval[string](b, "JSON.stringify("+name+"Schema)"), name)
	}
	require.Equal(t, pack.Checks, eval[[]string](b, "checkNames"))
}
