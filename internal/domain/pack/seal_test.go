package pack_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/pack"
)

const patient = "Patient Ahmed, ID 1010101010, has diabetes"

// sensitive returns a decision with S3 content wherever it may be.
func sensitive() *pack.Decision {
	d := hospital()
	s := &d.Evidence[0]
	s.SensitivityClass, s.Excerpt, s.ContentHash, s.ChunkRoot, s.EvidenceID = "S3", patient, pack.Hash([]byte(patient)), pack.Digest([]byte(patient)), "E12345678"
	s.ExcerptHash, s.OffsetStart, s.OffsetEnd = pack.Hash([]byte(patient)), ptr(0), ptr(42)
	d.ToolCalls[0].SensitivityClass = "S3"
	d.ToolCalls[0].Inputs = json.RawMessage(`{"uri": "ehr://patients/7", "name": "` + patient + `"}`)
	d.ToolCalls[0].Outputs = json.RawMessage(`["` + patient + `"]`)
	d.ToolCalls[1].SensitivityClass = "S3"
	d.ToolCalls[1].Inputs = json.RawMessage(`{"uri":"` + patient + `","sha256":"` + strings.Repeat("0", 64) + `"}`)
	d.ToolCalls[1].Outputs = json.RawMessage(`{"uri":"` + patient + `","uri":"x:y","sha256":"` + strings.Repeat("0",
		64) + `"}`)
	return d
}

// TestSealRestricted: nothing made after SealRestricted contains S3 text, or an unsalted hash of it.
func TestSealRestricted(t *testing.T) {
	d := sensitive()
	pack.SealRestricted(d, secret)
	require.Empty(t, d.Validate())
	require.Equal(t, pack.Quote{ExcerptHash: d.Evidence[0].ExcerptHash}, d.Evidence[0].Quote)
	c := draftOf(d, session(2))
	require.Empty(t, c.Sources[0].Excerpt)
	f := freeze(t, c)
	s := signOff(t, f, "u2")
	proof, err := pack.Prove(f, s.envelope, pem(t), pack.LeafExcerpt, "E1")
	require.NoError(t, err)
	made := map[string][]byte{"pack.json": f.Bytes, "salts": s.files.Salts, "envelope": s.files.Envelope,
		"proof": bytesOf(t, proof)}
	for name, v := range map[string]any{"decision": d, "draft": c, "memo": c.Memo, "faults": c.Validate(nil)} {
		data, err := json.Marshal(v)
		require.NoError(t, err)
		made[name] = data
	}
	made["printed"] = fmt.Appendf(nil, "%+v %+v", d, c)
	for name, data := range made {
		for _, gone := range []string{"Ahmed", "1010101010", "diabetes", pack.Digest([]byte(patient)), "E12345678",
			string(secret)} {
			require.NotContains(t, string(data), gone, name)
		}
	}
	require.False(t, contains3(c.Validate(nil)), "a sealed draft breaks no S3 rule")
	require.Contains(t, c.Memo.BodyEN, "content withheld (S3)")
	require.JSONEq(t, `{"uri":"ehr://patients/7","sha256":"`+sealedOf(t, d.ToolCalls[0].Inputs)+`"}`,
		string(d.ToolCalls[0].Inputs))
	require.Equal(t, pack.Verified, pack.Verify(s.files, pack.Trust{Key: public}).Verdict)
}

func contains3(faults []pack.Fault) bool {
	for _, f := range faults {
		if f.Rule.Number == 18 {
			return true
		}
	}
	return false
}

func sealedOf(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	var s pack.Sealed
	require.NoError(t, json.Unmarshal(raw, &s))
	require.Regexp(t, `^sha256:[0-9a-f]{64}$`, s.SHA256)
	return s.SHA256
}

func TestSealRestrictedIsDeterministicAndSaltedByTenantAndPlace(t *testing.T) {
	a, b := sensitive(), sensitive()
	b.ToolCalls[0].Inputs = json.RawMessage(` {"name":"` + patient + `",  "uri":"ehr:\u002f/patients/7"} `)
	pack.SealRestricted(a, secret)
	pack.SealRestricted(b, secret)
	require.Equal(t, a, b, "spaces and the order of keys don't matter")
	once, err := json.Marshal(a)
	require.NoError(t, err)
	pack.SealRestricted(a, secret)
	twice, err := json.Marshal(a)
	require.NoError(t, err)
	require.Equal(t, string(once), string(twice))
	other := sensitive()
	pack.SealRestricted(other, []byte("another tenant's"))
	require.NotEqual(t, a.Evidence[0].ExcerptHash, other.Evidence[0].ExcerptHash)
	moved := sensitive()
	moved.DecisionID = "dec_2"
	pack.SealRestricted(moved, secret)
	require.NotEqual(t, a.Evidence[0].ExcerptHash, moved.Evidence[0].ExcerptHash)
	salt := pack.Salt(secret, "s3", "dec_abc123\x00excerpt\x000")
	require.Equal(t, pack.Hash([]byte(salt+patient)), a.Evidence[0].ExcerptHash, "SHA-256(salt ‖ content)")
	plain := hospital()
	pack.SealRestricted(plain, secret)
	require.Equal(t, hospital(), plain, "content that is not S3 is unchanged")
}

func TestDecisionValidate(t *testing.T) {
	require.Empty(t, hospital().Validate())
	for name, tt := range map[string]struct {
		change func(d *pack.Decision)
		want   []string
	}{
		"nothing": {func(d *pack.Decision) { *d = pack.Decision{} }, []string{
			"decision_id", "entity_id", "agent_name", "decided_at", "title", "statement", "approval_class",
			"reversibility_class", "sensitivity_class", "confidence",
		}},
		"classes":    {func(d *pack.Decision) { d.ApprovalClass, d.ReversibilityClass, d.SensitivityClass = "A4", "r1", " S1" }, []string{"approval_class", "reversibility_class", "sensitivity_class"}},
		"confidence": {func(d *pack.Decision) { d.Confidence = ptr(1.1) }, []string{"confidence"}},
		"time":       {func(d *pack.Decision) { d.DecidedAt = "2026-03-01" }, []string{"decided_at"}},
		"window": {func(d *pack.Decision) { d.FreshnessWindowHours = ptr(-1) },
			[]string{"data_freshness_window_hours"}},
		"ids": {func(d *pack.Decision) { d.DecisionID, d.EntityID, d.AgentName = " x", "a\nb", "a\u202eb" },
			[]string{"decision_id", "entity_id", "agent_name"}},
		"items": {func(d *pack.Decision) {
			d.Evidence[1].Kind, d.Evidence[1].SensitivityClass, d.Evidence[1].RetrievedAt, d.Evidence[1].ExcerptHash = "prose", "s3", "x", "abc"
			d.Evidence[2].OffsetStart, d.Evidence[2].OffsetEnd = ptr(3), ptr(2)
			d.ToolCalls[1].VerificationStatus, d.ToolCalls[1].StartedAt = "ok", "x"
			d.Prompts[0].TemplateName = ""
		}, []string{"evidence[1].kind", "evidence[1].sensitivity_class", "evidence[1].retrieved_at",
			"evidence[1].excerpt_hash", "evidence[2].offset_end", "tool_calls[1].verification_status",
			"tool_calls[1].started_at", "prompts[0].template_name"}},
		"replay": {func(d *pack.Decision) {
			d.Replay = &pack.Replay{LeftOut: []pack.LeftOut{{EvidenceID: "E1", Source: "x", Reason: "over the limit"},
				{EvidenceID: strings.Repeat("x", 201)}}}
		}, []string{"replay.left_out[1].evidence_id", "replay.left_out[1].source", "replay.left_out[1].reason"}},
		"numbers": {func(d *pack.Decision) { d.ToolCalls[0].Outputs = json.RawMessage(`1e300`) },
			[]string{"tool_calls"}},
	} {
		d := hospital()
		tt.change(d)
		got := []string{}
		for _, err := range d.Validate() {
			require.Equal(t, domain.Invalid, err.Kind, name)
			require.NotEmpty(t, err.Text())
			got = append(got, err.Path)
		}
		require.Equal(t, tt.want, got, name)
	}
}

// TestHostileDecisions: what is too large is reported, and not checked further.
func TestHostileDecisions(t *testing.T) {
	for path, change := range map[string]func(d *pack.Decision){
		"evidence":   func(d *pack.Decision) { d.Evidence = make([]pack.EvidenceSource, pack.MaxItems+1) },
		"tool_calls": func(d *pack.Decision) { d.ToolCalls = make([]pack.ToolCallRecord, pack.MaxItems+1) },
		"prompts":    func(d *pack.Decision) { d.Prompts = make([]pack.PromptRecord, pack.MaxItems+1) },
		"": func(d *pack.Decision) {
			d.Evidence = make([]pack.EvidenceSource, pack.MaxItems)
			for i := range d.Evidence {
				d.Evidence[i].Excerpt = strings.Repeat("x", 17<<10)
			}
		},
		"replay.left_out": func(d *pack.Decision) { d.Replay = &pack.Replay{LeftOut: make([]pack.LeftOut, pack.MaxItems+1)} },
		"replay.policy": func(d *pack.Decision) {
			d.Replay = &pack.Replay{Policy: json.RawMessage(`"` + strings.Repeat("x", pack.MaxData) + `"`)}
		},
		"tool_calls[0].side_effects": func(d *pack.Decision) { d.ToolCalls[0].SideEffects = make([]string, pack.MaxItems+1) },
		"tool_calls[0].inputs": func(d *pack.Decision) {
			d.ToolCalls[0].Inputs = json.RawMessage(`"` + strings.Repeat("x", pack.MaxData) + `"`)
		},
	} {
		d := hospital()
		change(d)
		faults := d.Validate()
		require.Len(t, faults, 1, path)
		require.Equal(t, domain.TooLarge, faults[0].Kind)
		require.Equal(t, path, faults[0].Path)
	}
}
