package exporters

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
	"sanad/internal/exporters/exporttest"
)

// TestImportedPassages checks that every export shows who had attached which passage where an imported file was made.
func TestImportedPassages(t *testing.T) {
	s := exporttest.English()
	s.Imports = []ledger.Import{{File: "theirs.json", ByName: "Noura", At: exporttest.When}}
	s.Claims[3].Imported = []ledger.Imported{{Verdict: ledger.Weak, Confidence: 0.4, Passages: []ledger.ImportedPassage{
		{Actor: "Amal Haddad", At: exporttest.When, Document: 0, Chunk: 1, Start: 0, End: 19}}}}
	l := exporttest.Assess(s)
	var md bytes.Buffer
	require.NoError(t, Markdown(&md, l))
	require.Contains(t, md.String(), "- #4: 2026-01-03 14:30 UTC, Amal Haddad attached a passage: HR_Policy.pdf, Page 15: "+
		"\"Unused annual leave\"\n")
	want := `"passages":[{"actor":"Amal Haddad","at":"2026-01-03T14:30:00Z","document":0,"chunk":1,"start":0,"end":19}]`
	api, err := json.Marshal(APILedger(l))
	require.NoError(t, err)
	require.Contains(t, string(api), want)
	file, err := encodeJSON(wholeJSON(l), "", "")
	require.NoError(t, err)
	require.Contains(t, string(file), want)
	en, ar := exporttest.Pages(t, pdfFile(t, l))
	for _, part := range []string{en, ar} {
		require.Contains(t, exporttest.Letters(part), exporttest.Letters("Amal Haddad"))
		require.Contains(t, exporttest.Letters(part), exporttest.Letters("Unused annual leave"))
	}
	require.Contains(t, en, "Attached a passage")
	require.Contains(t, exporttest.Letters(ar), exporttest.Letters("إرفاق مقطع"))
}
