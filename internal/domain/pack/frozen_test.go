package pack_test

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/transparency-dev/merkle/compact"
	"github.com/transparency-dev/merkle/rfc6962"

	"sanad/internal/domain"
	"sanad/internal/domain/canonical"
	"sanad/internal/domain/evidence"
	"sanad/internal/domain/pack"
)

// TestPackJSONIsCanonical: its bytes are exactly its RFC 8785 form, without a final newline, and it has nothing that
// changes after submission (rule P-3).
func TestPackJSONIsCanonical(t *testing.T) {
	f := freeze(t, draftOf(hospital(), session(4)))
	require.NoError(t, canonical.Check(f.Bytes))
	require.NotEqual(t, byte('\n'), f.Bytes[len(f.Bytes)-1])
	require.Equal(t, pack.Digest(f.Bytes), f.Digest)
	var tree map[string]any
	require.NoError(t, json.Unmarshal(f.Bytes, &tree))
	for _, name := range []string{"status", "state", "reviewer_id", "reviewed_at", "approvals", "legal_hold",
		"superseded_by", "digest", "salts"} {
		require.NotContains(t, tree, name)
	}
	for _, name := range []string{ // the fields of rule P-1
		"pack_id", "decision_id", "entity_id", "tenant_id", "agent_name", "model", "model_version", "sources",
		"tool_calls", "prompts",
		"data_freshness_window_hours", "memo", "created_at", "version", "ledger", "evidence_map_root", "content_root",
		"retain_until",
	} {
		require.Contains(t, tree, name)
	}
	require.NotContains(t, string(f.Bytes), string(secret))
	for _, s := range f.Salts.Salts {
		require.NotContains(t, string(f.Bytes), s.Salt)
	}
	require.Equal(t, f.Bytes, freeze(t, draftOf(hospital(), session(4))).Bytes, "same content and secret, same bytes")
	other, err := pack.Freeze(draftOf(hospital(), session(4)), []byte("another secret"))
	require.NoError(t, err)
	require.NotEqual(t, f.Content.ContentRoot, other.Content.ContentRoot)
}

func TestFreezeDoesNotChangeItsInput(t *testing.T) {
	c := draftOf(hospital(), session(2))
	c.ToolCalls[1].ContradictionFlag = false // ignored: Freeze computes it
	f := freeze(t, c)
	require.True(t, f.Content.ToolCalls[1].ContradictionFlag)
	require.False(t, c.ToolCalls[1].ContradictionFlag)
	require.Empty(t, c.ContentRoot)
	c.Requirement = pack.Requirement{Level: pack.Skip, Approvers: 0}
	require.Equal(t, pack.Mandatory, freeze(t, c).Content.Requirement.Level)
}

func TestParseAcceptsOnlyCanonicalBytes(t *testing.T) {
	f := freeze(t, draftOf(hospital(), session(2)))
	c, err := pack.Parse(f.Bytes)
	require.NoError(t, err)
	require.Equal(t, f.Content, *c)
	text := string(f.Bytes)
	for name, bad := range map[string]string{
		"empty": "", "null": "null", "a list": "[]", "a newline behind": text + "\n", "a space before": " " + text,
		"two":                text + text,
		"another field":      strings.Replace(text, `{"agent_name"`, `{"a":1,"agent_name"`, 1),
		"a field twice":      strings.Replace(text, `{"agent_name"`, `{"agent_name":"x","agent_name"`, 1),
		"a field by case":    strings.Replace(text, `"agent_name"`, `"Agent_name"`, 1),
		"a field missing":    strings.Replace(text, `"entity_id":"lead_xyz789",`, "", 1),
		"another format":     strings.Replace(text, pack.Format, "sanad.evidence_pack/v3", 1),
		"another id":         strings.Replace(text, id1, "pack_1", 1),
		"an empty list":      strings.Replace(text, `"created_at"`, `"attachments":[],"created_at"`, 1),
		"escapes":            strings.Replace(text, "icp_matcher", `icp\u005fmatcher`, 1),
		"another number":     strings.Replace(text, `"confidence":0.84`, `"confidence":0.840`, 1),
		"a lone surrogate":   strings.Replace(text, "icp_matcher", `icp\ud800`, 1),
		"not UTF-8":          strings.Replace(text, "icp_matcher", "icp\xff", 1),
		"no blind":           strings.Replace(text, `"blind":"`+f.Content.Blind+`",`, "", 1),
		"no root":            strings.Replace(text, f.Content.ContentRoot, "", 1),
		"a root in capitals": strings.Replace(text, f.Content.ContentRoot, strings.ToUpper(f.Content.ContentRoot), 1),
	} {
		require.NotEqual(t, text, bad, name)
		_, err := pack.Parse([]byte(bad))
		require.Equal(t, domain.Invalid, domain.KindOf(err), name)
	}
	_, err = pack.Parse(make([]byte, pack.MaxFile+1))
	require.Equal(t, domain.TooLarge, domain.KindOf(err))
}

func TestLoadFrozen(t *testing.T) {
	f := freeze(t, draftOf(hospital(), session(2)))
	again, err := pack.LoadFrozen(f.Bytes, secret)
	require.NoError(t, err)
	require.Equal(t, f, again)
	_, err = pack.LoadFrozen(f.Bytes, []byte("another secret"))
	require.Error(t, err)
	_, err = pack.LoadFrozen(append(slices.Clone(f.Bytes), ' '), secret)
	require.Error(t, err)
}

func TestFreezeRefuses(t *testing.T) {
	for name, change := range map[string]func(c *pack.Content){
		"another id":          func(c *pack.Content) { c.PackID = "pack_x" },
		"no confidence":       func(c *pack.Content) { c.Confidence = nil },
		"no version":          func(c *pack.Content) { c.Version = 0 },
		"claims of one name":  func(c *pack.Content) { c.Ledger.Entries[1].ClaimID = c.Ledger.Entries[0].ClaimID },
		"numbers beyond 2^53": func(c *pack.Content) { c.ToolCalls[0].Outputs = json.RawMessage(`9007199254740993`) },
		"no JSON":             func(c *pack.Content) { c.ToolCalls[0].Outputs = json.RawMessage(`{`) },
		"a key twice":         func(c *pack.Content) { c.ToolCalls[0].Outputs = json.RawMessage(`{"a":1,"a":2}`) },
		"depth": func(c *pack.Content) {
			c.ToolCalls[0].Outputs = json.RawMessage(strings.Repeat("[", 100) + strings.Repeat("]", 100))
		},
	} {
		c := draftOf(hospital(), session(2))
		change(&c)
		_, err := pack.Freeze(c, secret)
		require.Equal(t, domain.Invalid, domain.KindOf(err), name)
	}
}

// TestContentRootByAnotherLibrary makes the leaves as rule P-4 describes them and hashes them with
// transparency-dev/merkle.
func TestContentRootByAnotherLibrary(t *testing.T) {
	f := freeze(t, draftOf(hospital(), session(5)))
	var tree map[string]any
	require.NoError(t, json.Unmarshal(f.Bytes, &tree))
	values := map[string]any{"blind": tree["blind"]}
	quotes := []string{"excerpt", "excerpt_hash", "content_hash", "chunk_root", "offset_start", "offset_end",
		"evidence_id"}
	heads := []any{}
	for i, s := range tree["sources"].([]any) {
		quote, head := map[string]any{}, map[string]any{}
		for k, v := range s.(map[string]any) {
			if slices.Contains(quotes, k) {
				quote[k] = v
			} else {
				head[k] = v
			}
		}
		values["excerpt"+pack.Reference(i)] = quote
		heads = append(heads, head)
	}
	for i, v := range tree["tool_calls"].([]any) {
		values["tool_callT"+string(rune('1'+i))] = v
	}
	for k, v := range tree["memo"].(map[string]any) {
		values["memo"+k] = v
	}
	session := tree["ledger"].(map[string]any)
	for _, e := range session["entries"].([]any) {
		values["claim"+e.(map[string]any)["claim_id"].(string)] = e
	}
	delete(session, "entries")
	for _, k := range []string{"content_root", "blind", "memo", "tool_calls"} {
		delete(tree, k)
	}
	tree["sources"] = heads
	values["head"] = tree

	r := (&compact.RangeFactory{Hash: rfc6962.DefaultHasher.HashChildren}).NewEmptyRange(0)
	for _, s := range f.Salts.Salts {
		name := s.Kind + s.ID
		if s.Kind == pack.LeafHead || s.Kind == pack.LeafBlind {
			require.Equal(t, id1, s.ID)
			name = s.Kind
		}
		value, there := values[name]
		require.True(t, there, name)
		delete(values, name)
		data, err := canonical.JSON(map[string]any{"salt": s.Salt, "kind": s.Kind, "id": s.ID, "value": value})
		require.NoError(t, err)
		require.NoError(t, r.Append(rfc6962.DefaultHasher.HashLeaf(data), nil))
	}
	require.Empty(t, values, "each part of pack.json is in a leaf")
	root, err := r.GetRootHash(nil)
	require.NoError(t, err)
	require.Equal(t, f.Content.ContentRoot, hex.EncodeToString(root))
}

// TestEvidenceMapVectors: a pack over the vectors' evidence has the vectors' evidence ids and root.
func TestEvidenceMapVectors(t *testing.T) {
	const copied = "../evidence/testdata/evidence_map.json"
	for _, file := range []string{copied, "../../../../shared/vectors/evidence_map.json"} {
		data, err := os.ReadFile(file)
		if os.IsNotExist(err) && file != copied {
			continue // the copy has been checked
		}
		require.NoError(t, err)
		checkMaps(t, data)
	}
}

func checkMaps(t *testing.T, data []byte) {
	t.Helper()
	var v struct {
		Maps []struct {
			Evidence []struct {
				EvidenceID  string `json:"evidence_id"`
				ChunkRoot   string `json:"chunk_root"`
				OffsetStart int    `json:"offset_start"`
				OffsetEnd   int    `json:"offset_end"`
				Span        string
			}
			Root string
		}
	}
	require.NoError(t, json.Unmarshal(data, &v))
	require.NotEmpty(t, v.Maps)
	for i, m := range v.Maps {
		d := hospital()
		d.Evidence = nil
		for _, e := range m.Evidence {
			s := source("s", "x:y", e.Span, 0.5)
			s.ChunkRoot, s.OffsetStart, s.OffsetEnd = e.ChunkRoot, &e.OffsetStart, &e.OffsetEnd
			d.Evidence = append(d.Evidence, s)
		}
		c := draftOf(d, nil)
		require.Equal(t, m.Root, c.EvidenceMapRoot, "map %d", i)
		for j, e := range m.Evidence {
			require.Equal(t, e.EvidenceID, c.Sources[j].EvidenceID)
		}
		require.Equal(t, m.Root, freeze(t, c).Content.EvidenceMapRoot)
	}
	require.Equal(t, evidence.ZeroRoot, v.Maps[0].Root)
}

func TestNextVersion(t *testing.T) {
	old := draftOf(hospital(), session(2))
	frozen := freeze(t, old)
	later := created.AddDate(1, 0, 0)
	next := frozen.Content.Next(id2, later)
	require.Equal(t, id2, next.PackID)
	require.Equal(t, id1, next.Supersedes)
	require.Equal(t, 2, next.Version)
	require.Equal(t, "2034-03-01T09:30:00Z", next.RetainUntil)
	require.Empty(t, next.ContentRoot)
	require.NoError(t, next.SetMemo(pack.BilingualMemo{TitleEN: "other"}))
	require.Equal(t, old.Memo, frozen.Content.Memo)
	require.NotEqual(t, frozen.Content.Blind, freeze(t, next).Content.Blind)
}
