package db_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db/dbtest"
	"sanad/internal/domain/erasure"
)

// TestEraseDocumentOfAnExplainedSession: what the caller's judge explained goes with a document that it may quote.
func TestEraseDocumentOfAnExplainedSession(t *testing.T) {
	b := dbtest.NewBoard(t)
	s := dbtest.SecretSession()
	s.Extra["claims[0].explanation"] = json.RawMessage(`"It says Zanzibarite."`)
	b.AddSession(t, s)
	require.Contains(t, dbtest.TextsOf(t, dbtest.Raw(t, b.Dir), "SELECT said FROM upstream"), `"It says Zanzibarite."`)
	b.Finish(t, b.Erase(t, erasure.Document, s.Documents[0].ID).ID)
	require.Equal(t, []string{`""`}, dbtest.TextsOf(t, dbtest.Raw(t, b.Dir), "SELECT said FROM upstream"))
	require.Empty(t, dbtest.Traces(t, b.Dir, dbtest.SecretWords...))
	b.LogHolds(t)
}
