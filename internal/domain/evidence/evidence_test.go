package evidence_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/evidence"
	"sanad/internal/domain/text"
)

var chunk = evidence.Chunk{
	ChunkRoot: strings.Repeat("ab", 32), DocumentURI: "hr/leave.md", Span: "إجازة سنوية. Next.",
}

func TestBuild(t *testing.T) {
	o := evidence.Build([]evidence.Chunk{chunk})[0]
	require.Equal(t, "E1", o.PointerID)
	require.Equal(t, 18, o.OffsetEnd, "code points, not bytes")
	require.Equal(t, evidence.DefaultRole, o.SourceRole)
	require.Equal(t, evidence.ID(chunk.ChunkRoot, 0, 18), o.EvidenceID)
	require.Equal(t, "leave.md", o.Label())
	raw, err := json.Marshal(evidence.Build(nil))
	require.NoError(t, err)
	require.Equal(t, "[]", string(raw))
}

func TestSubObject(t *testing.T) {
	o, err := evidence.SubObject(chunk, 3, text.Span{Start: 0, End: 12})
	require.NoError(t, err)
	require.Equal(t, "E3", o.PointerID)
	require.Equal(t, "إجازة سنوية.", o.Span)
	require.NotEqual(t, evidence.Build([]evidence.Chunk{chunk})[0].EvidenceID, o.EvidenceID)
	for _, sp := range []text.Span{{Start: -1, End: 2}, {Start: 2, End: 2}, {Start: 0, End: 19}} {
		_, err := evidence.SubObject(chunk, 1, sp)
		require.Equal(t, domain.Invalid, domain.KindOf(err))
	}
}

func TestProofs(t *testing.T) {
	var chunks []evidence.Chunk
	for n := range 40 {
		objs := evidence.Build(chunks)
		root := evidence.Root(objs)
		for _, o := range objs {
			proofs, err := evidence.Prove(objs, o.EvidenceID, objs[0].EvidenceID)
			require.NoError(t, err)
			require.NoError(t, proofs[0].Verify(root))
			require.NoError(t, proofs[1].Verify(root))
			require.Error(t, proofs[0].Verify(strings.Repeat("1", 64)))
			proofs[0].EvidenceID = "E00000000"
			require.Error(t, proofs[0].Verify(root))
		}
		chunks = append(chunks, evidence.Chunk{ChunkRoot: strings.Repeat("c", n+1), Span: "x"})
	}
	_, err := evidence.Prove(nil, "E1")
	require.Equal(t, domain.Invalid, domain.KindOf(err))
	for _, p := range []evidence.Proof{{}, {Index: -1}, {Index: 5, Size: 2}, {Size: 1, Hashes: []string{"zz"}}} {
		p.EvidenceID = "E1"
		require.Error(t, p.Verify(evidence.ZeroRoot))
	}
	require.Error(t, evidence.Proof{EvidenceID: "E1", Size: 1}.Verify("zz"))
}

func TestDocumentRoot(t *testing.T) {
	a, b := strings.Repeat("aa", 32), strings.Repeat("bb", 32)
	root := func(leaves ...string) string {
		r, err := evidence.DocumentRoot(leaves)
		require.NoError(t, err)
		return r
	}
	require.Equal(t, evidence.ZeroRoot, root())
	require.Equal(t, a, root(a))
	require.NotEqual(t, root(a, b), root(b, a), "the order of chunks matters")
	raw, _ := hex.DecodeString(root(a, b, a))
	require.Len(t, raw, 32)
	_, err := evidence.DocumentRoot([]string{a, "xyz"})
	require.Equal(t, domain.Invalid, domain.KindOf(err))
}

func TestCheck(t *testing.T) {
	objs := evidence.Build([]evidence.Chunk{chunk, chunk})
	found, bad := evidence.Check(objs, []string{"E2", "E9", "e1", "E9"})
	require.Equal(t, objs[1:2], found)
	require.Equal(t, []evidence.Violation{
		{Code: evidence.UnknownEvidenceID, PointerID: "E9"}, {Code: evidence.UnknownEvidenceID, PointerID: "e1"},
	}, bad)
}

func TestContentTokens(t *testing.T) {
	require.Equal(t, []string{"budget", "cpu"}, evidence.ContentTokens("The CPU (and the a1) budget, from Cpu"))
	require.Equal(t, []string{}, evidence.ContentTokens(" the of "))
}

func TestHighlight(t *testing.T) {
	words := func(claim, span string) (out []string) {
		for _, sp := range evidence.Highlight(claim, span) {
			out = append(out, text.Slice(span, sp))
		}
		return out
	}
	require.Equal(t, []string{"Employees", "15", "days"},
		words("An employee has 15 day of it", "Employees of the firm get 15 days."))
	require.Equal(t, []string{"الموظفين", "إجازةً"}, words("إجازة للموظفين", "يستحق جميع الموظفين في الشركة إجازةً."))
	require.Empty(t, words("", "x"))
}

// TestLatticeIsBounded: what claims point to is counted as often as it is read, and refused with the place before more
// is.
func TestLatticeIsBounded(t *testing.T) {
	t.Parallel()
	long := evidence.Chunk{ChunkRoot: strings.Repeat("ab", 32), Span: strings.Repeat("Leave is paid for fifteen days. ", 30_000)}
	objects := evidence.ByPointer(evidence.Build([]evidence.Chunk{long}))
	pointers := func(claim string, n int) []evidence.Claim {
		return []evidence.Claim{{Text: "First."}, {Text: claim, PointerIDs: slices.Repeat([]string{"E1"}, n)}}
	}
	for name, c := range map[string]struct {
		claims []evidence.Claim
		place  string // "" is taken
	}{
		"often":          {pointers("x", 30), ""},
		"too often":      {pointers("x", 100), "claims[1].pointer_ids[34]"},
		"a long claim":   {pointers(strings.Repeat("same ", 2_000_000), 5), "claims[1].pointer_ids[3]"},
		"too many words": {pointers(numbered(200), 2), "claims[1].pointer_ids[0]"},
		"by evidence id": {[]evidence.Claim{{Text: "x", EvidenceIDs: slices.Repeat([]string{"E1"}, 100)}},
			"claims[0].evidence_ids[34]"},
	} {
		got, err := evidence.Lattice(c.claims, objects, evidence.DefaultWindow)
		if c.place == "" {
			require.NoError(t, err, name)
			require.NotEmpty(t, got, name)
			continue
		}
		var refused *domain.Error
		require.ErrorAs(t, err, &refused, name)
		require.Equal(t, domain.TooLarge, refused.Kind, name)
		require.Equal(t, c.place, refused.Path, name)
	}
}

// numbered returns so many different words.
func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "word%d ", i)
	}
	return b.String()
}

// An answer may name evidence by its content-addressed id too; an id that is near one is still unknown.
func TestCheckTakesEvidenceIDs(t *testing.T) {
	objects := evidence.Build([]evidence.Chunk{{ChunkRoot: "a", Span: "one"}, {ChunkRoot: "b", Span: "two"}})
	id := objects[1].EvidenceID
	found, violations := evidence.Check(objects, []string{id, id + "0", "E1"})
	require.Len(t, found, 2)
	require.Equal(t, "two", found[0].Span)
	require.Equal(t, []evidence.Violation{{Code: evidence.UnknownEvidenceID, PointerID: id + "0"}}, violations)
	require.Same(t, &objects[1], evidence.ByEvidence(objects)[id])
}
