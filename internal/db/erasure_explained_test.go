package db_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/erasure"
)

// TestEraseDocumentOfAnExplainedSession: what the caller's judge explained goes with a document that it may quote.
func TestEraseDocumentOfAnExplainedSession(t *testing.T) {
	b := newBoard(t)
	s := secretSession()
	s.Extra["claims[0].explanation"] = json.RawMessage(`"It says Zanzibarite."`)
	b.insert(t, s)
	require.Contains(t, textsOf(t, raw(t, b.dir), "SELECT said FROM upstream"), `"It says Zanzibarite."`)
	b.finish(t, b.erase(t, erasure.Document, s.Documents[0].ID).ID)
	require.Equal(t, []string{`""`}, textsOf(t, raw(t, b.dir), "SELECT said FROM upstream"))
	require.Empty(t, traces(t, b.dir, secretWords...))
	b.contentsHold(t)
}
