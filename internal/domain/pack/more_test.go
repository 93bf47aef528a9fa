package pack_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/evidence"
	"sanad/internal/domain/pack"
	"sanad/internal/words"
)

func TestReasonsAsJSON(t *testing.T) {
	r := pack.Requires(&hospital().Header)
	data, err := json.Marshal(r)
	require.NoError(t, err)
	require.JSONEq(t, `{"level":"mandatory","rules":["approval_class A2 or A3"],"effective_class":"A2","approvers":1}`,
		string(data))
	var back pack.Requirement
	require.NoError(t, json.Unmarshal(data, &back))
	require.Equal(t, r, back)
	require.NoError(t, json.Unmarshal([]byte(`{"rules":["a rule of later"]}`), &back))
	require.Equal(t, []pack.Reason{{Name: "a rule of later"}}, back.Rules)
	for i, x := range pack.Reasons {
		require.Equal(t, i+1, x.Number)
		for _, lang := range words.Langs {
			require.True(t, words.In(lang).Has("memo.reason_"+strconv.Itoa(x.Number)), x.Name)
		}
	}
	require.Equal(t, "approval class A2 or A3", pack.ByApproval.Words("en"))
	require.Equal(t, "فئة الاعتماد A2 أو A3", pack.ByApproval.Words("ar"))
	require.Empty(t, pack.Reason{Name: "a rule of later"}.Words("en"))
}

// TestPromotion: derived values are filled in, given ones are kept.
func TestPromotion(t *testing.T) {
	d := hospital()
	d.Evidence[0].ExcerptHash = strings.ToUpper(pack.Digest([]byte("another")))
	d.Evidence[1].EvidenceID = "Eabcdef01"
	d.Evidence[2].ChunkRoot, d.Evidence[2].OffsetStart, d.Evidence[2].OffsetEnd = "sha256:"+strings.Repeat("A",
		64), ptr(3), ptr(9)
	d.Evidence[3].Kind, d.Evidence[3].SensitivityClass = "", ""
	c := draftOf(d, nil)
	require.Equal(t, pack.Hash([]byte("another")), c.Sources[0].ExcerptHash, "kept, so that validation can report it")
	require.Contains(t, seen(c.Validate(nil)), "8 sources[0].excerpt_hash")
	require.Equal(t, "Eabcdef01", c.Sources[1].EvidenceID)
	require.Equal(t, evidence.ID(strings.Repeat("a", 64), 3, 9), c.Sources[2].EvidenceID)
	require.Equal(t, "document", c.Sources[3].Kind)
	require.Equal(t, "S0", c.Sources[3].SensitivityClass)
	require.Equal(t, pack.Digest([]byte(c.Sources[3].Excerpt)), c.Sources[3].ChunkRoot)
	require.Equal(t, 37, *c.Sources[3].OffsetEnd)
	require.Equal(t, "unverified", c.ToolCalls[1].VerificationStatus)
	require.True(t, c.ToolCalls[1].ContradictionFlag)
	require.False(t, c.ToolCalls[0].ContradictionFlag)
	require.Equal(t, []string{}, c.ToolCalls[0].SideEffects)
	require.Nil(t, d.ToolCalls[0].SideEffects, "the decision is unchanged")
}

// TestPackStatesWhatTheModelWasNotShown: a decision's policy and the omitted candidates are in pack.json.
func TestPackStatesWhatTheModelWasNotShown(t *testing.T) {
	d := hospital()
	d.Replay = &pack.Replay{Policy: json.RawMessage(`{"max_items": 3}`),
		LeftOut: []pack.LeftOut{{EvidenceID: "E0badc0de", Source: "old.pdf", Reason: "over max_items"}}}
	require.Empty(t, d.Validate())
	c := draftOf(d, nil)
	require.Equal(t, d.Replay.LeftOut, c.Replay.LeftOut)
	f, err := pack.Freeze(c, []byte("secret"))
	require.NoError(t, err)
	require.Contains(t, string(f.Bytes),
		`"replay":{"left_out":[{"evidence_id":"E0badc0de","reason":"over max_items","source":"old.pdf"}],"policy":{"max_items":3}}`)
	d.Replay.LeftOut[0].Reason = "another"
	require.Equal(t, "over max_items", c.Replay.LeftOut[0].Reason, "the pack has its own")
}

func TestFaultsNameTextsThatAreTooLong(t *testing.T) {
	d := hospital()
	d.Title, d.TraceID = strings.Repeat("ع", pack.MaxName+1), strings.Repeat("x", pack.MaxID+1)
	d.Evidence[0].URI = strings.Repeat("x", pack.MaxURI+1)
	d.ToolCalls[0].SideEffects = []string{"fine", strings.Repeat("x", pack.MaxStatement+1)}
	var got []string
	for _, err := range d.Validate() {
		require.Equal(t, domain.Invalid, err.Kind)
		require.Contains(t, err.Text(), "the limit is")
		got = append(got, err.Path)
	}
	require.Equal(t, []string{"title", "trace_id", "evidence[0].uri", "tool_calls[0].side_effects[1]"}, got)
}

func TestPackIsUnresolvedUntilApproved(t *testing.T) {
	for state, want := range map[pack.State]bool{pack.Draft: true, pack.InReview: true, pack.Returned: true,
		pack.SignedOff: false, pack.Superseded: false} {
		l := inState(t, state)[0]
		require.Equal(t, want, l.Unresolved(), state)
		require.Equal(t, state != pack.Draft, l.Frozen(), state)
		id, at := l.Reviewer()
		require.Equal(t, state != pack.Draft && state != pack.InReview, id == "u8", state)
		require.Equal(t, id != "", at != "", state)
		l.Mandatory = false
		require.False(t, l.Unresolved(), state)
	}
	require.Equal(t, "signed off", pack.SignedOff.Words())
}
