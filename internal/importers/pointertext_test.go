package importers

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/evidence"
)

// What a person pastes: paragraphs or a prompt block, and a line for each claim.
func TestPointersFromText(t *testing.T) {
	got, err := PointersFromText(" How long? ", "Leave is 15 days.\r\n\r\nVisitors wear\r\na badge.\n \n\n",
		"- Leave is 15 days [E1].\n\n2. Visitors wear a badge [E1, E2] [E9]\nThe canteen opens at 11:30\n")
	require.NoError(t, err)
	require.Equal(t, "How long?", got.Query)
	require.Len(t, got.Chunks, 2)
	require.Equal(t, "Visitors wear\na badge.", got.Chunks[1].Span)
	require.Equal(t, []PointerClaim{
		{Text: "Leave is 15 days.", EvidenceIDs: []string{"E1"}},
		{Text: "Visitors wear a badge", EvidenceIDs: []string{"E1", "E2", "E9"}},
		{Text: "The canteen opens at 11:30"},
	}, got.Claims)

	title := "HR (2026)"
	block := evidence.PromptBlock(evidence.Build([]evidence.Chunk{{Title: &title, Span: "One.\n\nTwo."}, {Span: "Three."}}))
	got, err = PointersFromText("", block, "الإجازة [E1، E2]")
	require.NoError(t, err)
	require.Len(t, got.Chunks, 2)
	require.Equal(t, "One.\n\nTwo.", got.Chunks[0].Span)
	require.Equal(t, title, *got.Chunks[0].Title)
	require.Equal(t, []string{"E1", "E2"}, got.Claims[0].EvidenceIDs)

	_, err = PointersFromText("", "=== E2 (a | b) ===\nx", "Claim [E2]")
	require.ErrorContains(t, err, "paste the whole map")
	_, err = PointersFromText("", "x", " \n [E1] \n")
	require.ErrorContains(t, err, "Write each claim on its own line")
}
