package importers

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/evidence"
	"sanad/internal/domain/ledger"
)

// A pointer answer is stored under evidence ids, which another order of the passages does not change (rule E-11).
func TestPointersAreStoredAsEvidenceIDs(t *testing.T) {
	title := "HR"
	first := evidence.Chunk{SourceRoot: "a", DocumentURI: "hr.pdf", Title: &title, ChunkIdx: 1, ChunkRoot: "r1",
		Span: "Leave is 15 days.", SourceRole: "primary_answer_source"}
	second := evidence.Chunk{SourceRoot: "a", DocumentURI: "hr.pdf", Title: &title, ChunkIdx: 0, ChunkRoot: "r2",
		Span: "Visitors wear badges."}
	id := evidence.ID("r1", 0, 17)
	var roots, ids []string
	for _, chunks := range [][]evidence.Chunk{{first, second}, {second, first}} {
		pointer := "E1"
		if chunks[0].ChunkRoot != "r1" {
			pointer = "E2"
		}
		read, err := FromPointers(&PointerAnswer{Chunks: chunks, Claims: []PointerClaim{
			{Text: "Leave is 15 days", PointerIDs: []string{pointer}}, {Text: "Leave is paid", EvidenceIDs: []string{id, "E9"}},
		}}, Options{})
		require.NoError(t, err)
		s := &read.Session
		require.Equal(t, []Pointed{{Claim: 1, PointerID: pointer, EvidenceID: id},
			{Claim: 2, PointerID: pointer, EvidenceID: id}}, read.Evidence)
		require.Equal(t, []string{evidence.ID("r2", 0, 21), id}, []string{s.Documents[0].Chunks[0].Key,
			s.Documents[0].Chunks[1].Key}, "in the order of chunk_idx")
		said := s.Upstream(0)
		require.Equal(t, "primary_answer_source", said.Citations[0].Label)
		require.Equal(t, id, said.Citations[0].ChunkID)
		require.Equal(t, Ungrounded, s.Upstream(1).Label)
		require.Contains(t, s.Upstream(1).Reason, "UNKNOWN_EVIDENCE_ID: E9")
		require.Equal(t, ledger.UpstreamScore{Name: "evidence_map_root", Label: read.Root}, s.UpstreamWhole().Scores[0])
		roots, ids = append(roots, read.Root), append(ids, s.Documents[0].Chunks[1].Key)
	}
	require.Equal(t, roots[0], roots[1])
	require.Equal(t, ids[0], ids[1])
}

// Passages without roots, and those to which the caller gave one root, have ids of their own.
func TestPointersToPassagesWithoutRoots(t *testing.T) {
	for _, root := range []string{"", "same"} {
		read, err := FromPointers(&PointerAnswer{Chunks: []evidence.Chunk{{ChunkRoot: root, Span: "Leave is 15 days."},
			{ChunkRoot: root, Span: "Leave is 20 days."}, {ChunkRoot: root, Span: "Leave is 15 days."}},
			Claims: []PointerClaim{{Text: "x", PointerIDs: []string{"E2"}}}}, Options{})
		require.NoError(t, err)
		chunks := read.Session.Documents[0].Chunks
		require.Len(t, chunks, 2)
		require.NotEqual(t, chunks[0].Key, chunks[1].Key)
	}
}
