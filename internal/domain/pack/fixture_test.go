package pack_test

import (
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"sanad/internal/domain/access"
	"sanad/internal/domain/audit"
	"sanad/internal/domain/canonical"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
	"sanad/internal/keys"
)

const (
	id1    = "pack_0000000000000001"
	id2    = "pack_0000000000000002"
	tenant = "5e7a0a52-6b1c-4f7e-9d0e-111111111111"
)

var (
	created = time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)
	secret  = []byte("the secret of one pack")
	key     = ed25519.NewKeyFromSeed(slices.Repeat([]byte{7}, 32))
	public  = key.Public().(ed25519.PublicKey)
)

func ptr[T any](v T) *T { return &v }

// hospital returns the decision of the reference example, whether Riyadh Hospital fits, with a contradicted and a
// failed tool call.
func hospital() *pack.Decision {
	return &pack.Decision{
		Header: pack.Header{
			DecisionID: "dec_abc123", EntityID: "lead_xyz789", AgentName: "icp_matcher", Model: "m", ModelVersion: "1",
			DecidedAt: "2026-03-01T09:00:00Z", Title: "Riyadh Hospital fit",
			Statement:     "Riyadh Hospital matches the target profile at 0.84 (Tier A).",
			StatementAR:   "مستشفى الرياض يطابق الملف المستهدف بدرجة 0.84 (الفئة A).",
			ApprovalClass: "A2", ReversibilityClass: "R1", SensitivityClass: "S1", Confidence: ptr(0.84),
			HighStakes: true, FreshnessWindowHours: ptr(24),
		},
		Evidence: []pack.EvidenceSource{
			source("crm.hubspot.contact", "hubspot://contacts/456",
				"Company size: 120 employees; industry: healthcare", 0.9),
			source("وزارة الصحة", "https://moh.example/licences", "المنشأة مرخّصة حتى ٣١ ديسمبر ٢٠٢٦", 0.95),
			source("news", "https://news.example/1", "The hospital opens a second tower.", 0.5),
			source("registry", "https://reg.example/7", "Legal form: limited liability company", 0.9),
		},
		ToolCalls: []pack.ToolCallRecord{
			{ToolName: "hubspot.get_contact", IntendedAction: "retrieve contact 456",
				ActualAction: " retrieve  contact\n456",
				Outputs:      json.RawMessage(`{"z":1,"id":"456","a":{"y":2,"x":1}}`), VerificationStatus: "verified"},
			{ToolName: "hubspot.update", IntendedAction: "none", ActualAction: "created note id=9",
				SideEffects: []string{"created note id=9 in HubSpot"}},
			{ToolName: "moh.lookup", IntendedAction: "look up licence", ActualAction: "none",
				VerificationStatus: "failed", Error: "timeout"},
		},
		Prompts: []pack.PromptRecord{{TemplateName: "icp_reasoning", TemplateVersion: "1.0"}},
	}
}

func source(name, uri, excerpt string, confidence float64) pack.EvidenceSource {
	return pack.EvidenceSource{
		Source: name, URI: uri, RetrievedAt: "2026-03-01T08:00:00Z", Confidence: &confidence, Kind: "record",
		Quote: pack.Quote{Excerpt: excerpt, ContentHash: pack.Hash([]byte("all of " + excerpt))},
	}
}

// session returns a ledger of n claims, in turn supported, weak and not found; u9 has reviewed those not found.
func session(n int) *ledger.Ledger { return ledgerOf(n, func(i int) bool { return i%3 == 2 }) }

// reviewed returns the same ledger; u9 has reviewed all of it.
func reviewed(n int) *ledger.Ledger { return ledgerOf(n, func(int) bool { return true }) }

// ledgerOf returns a ledger of n claims of which u9 has confirmed some, with a reason.
func ledgerOf(n int, confirmed func(i int) bool) *ledger.Ledger {
	chunk := ledger.Chunk{Key: "c1", Text: "Company size: 120 employees.", Hash: ledger.ChunkDigest("x"),
		Root: ledger.TextDigest("x"), Page: 3, HeadingPath: []string{"4.2 Size"}}
	s := &ledger.Session{ID: "s1", Query: "Does it fit?", Revision: 5,
		Documents: []ledger.Document{{Key: "d1", Filename: "crm.pdf", Status: ledger.Ready,
			Chunks: []ledger.Chunk{chunk}}}}
	s.Run.At = created
	for i := range n {
		c := ledger.Claim{Key: fmt.Sprintf("clm_%03d", i+1), Position: i, Text: fmt.Sprintf("Claim %d.", i+1),
			Type: ledger.Fact, Importance: ledger.Material}
		if i%3 < 2 {
			c.Matches = []ledger.Match{{Similarity: 0.95 - 0.2*float64(i%3), Support: ledger.Full,
				Snippet: "120 employees"}}
		}
		if confirmed(i) {
			c.Reviews = []ledger.Review{{ID: fmt.Sprintf("r%d", i), Actor: "Name of u9", By: "u9", Role: "reviewer",
				At: created, Action: ledger.Confirm, Reason: "I looked.",
				Verdict: []ledger.Verdict{ledger.Supported, ledger.Weak, ledger.NotFound}[i%3]}}
		}
		s.Claims = append(s.Claims, c)
	}
	l := ledger.Assess(s, 24)
	return &l
}

func draftOf(d *pack.Decision, l *ledger.Ledger) pack.Content {
	c := pack.Assemble(d, pack.Opening{PackID: id1, TenantID: tenant, At: created, Reviews: *provenance(l)}, l)
	c.SetPolicy(pack.DefaultPolicy())
	return c
}

// setAside returns reviewed(7) of which u8 marked the last claim as none and put claims in the place of the one before.
func setAside() *ledger.Ledger {
	s := reviewed(7).Session
	s.Claims[6].Reviews = append(s.Claims[6].Reviews, ledger.Review{ID: "a6", Actor: "Name of u8", By: "u8",
		Role: "reviewer", At: created, Action: ledger.NotAClaim, Reason: "It only leads in."})
	s.Claims[5].Reviews = append(s.Claims[5].Reviews, ledger.Review{ID: "a5", Actor: "Name of u8", By: "u8",
		Role: "reviewer", At: created, Action: ledger.Replace, Into: []int{3, 4}})
	l := ledger.Assess(s, 24)
	return &l
}

// provenance returns that u9 is a member, and that the reviews are the first events of the log.
func provenance(l *ledger.Ledger) *pack.Provenance {
	out := &pack.Provenance{Members: map[string]bool{"u8": true, "u9": true}, Events: map[string]int64{}}
	if l == nil {
		return out
	}
	for _, c := range l.Session.Claims {
		for _, r := range c.Reviews {
			out.Events[r.ID] = int64(len(out.Events))
		}
	}
	return out
}

// allOf returns the ids of a pack's alarms.
func allOf(f *pack.Frozen) []string {
	var out []string
	for _, a := range f.Content.Alarms {
		out = append(out, a.ID)
	}
	return out
}

func freeze(t testing.TB, c pack.Content) *pack.Frozen {
	t.Helper()
	f, err := pack.Freeze(c, secret)
	require.NoError(t, err)
	return f
}

// signed is a signed-off pack with all the files of its export.
type signed struct {
	frozen    *pack.Frozen
	statement *pack.Statement
	envelope  *pack.Envelope
	files     pack.Files
}

// noteSigner signs checkpoints.
type noteSigner struct{ note.Verifier }

func (noteSigner) Sign(msg []byte) ([]byte, error) { return ed25519.Sign(key, msg), nil }

func checkpointSigner(t testing.TB, origin string) note.Signer {
	t.Helper()
	text, err := note.NewEd25519VerifierKey(origin, public)
	require.NoError(t, err)
	v, err := note.NewVerifier(text)
	require.NoError(t, err)
	return noteSigner{v}
}

// signOff does what the store does in its transaction: it logs the approvals and signs. The log has an event for each
// review before them (see provenance).
func signOff(t testing.TB, f *pack.Frozen, actors ...string) *signed {
	t.Helper()
	return signOffSince(t, f, nil, actors...)
}

// signOffSince is signOff of a pack about which something changed after submission.
func signOffSince(t testing.TB, f *pack.Frozen, since []pack.Since, actors ...string) *signed {
	t.Helper()
	var tree audit.Tree
	var stored []audit.Hash
	var approvals []pack.Approval
	var event []byte
	earlier := 5
	if f.Content.Ledger != nil {
		earlier = max(earlier, len(f.Content.Ledger.Entries)+2*len(f.Content.Ledger.SetAside))
	}
	for i := range earlier {
		stored = append(stored, tree.Append(audit.LeafHash(fmt.Appendf(nil, "earlier %d", i)))...)
	}
	for _, who := range actors {
		a := pack.Approval{Actor: who, Role: "approver", At: "2026-03-02T10:00:00Z", Digest: f.Digest,
			LogIndex: tree.Size(), Acknowledged: allOf(f), Since: since}
		for i := range since {
			a.Acknowledged = append(a.Acknowledged, since[i].ID)
		}
		approvals = append(approvals, a)
		details, err := json.Marshal(pack.SignOff{Digest: f.Digest, Acknowledged: a.Acknowledged})
		require.NoError(t, err)
		event, err = canonical.JSON(audit.Event{
			Format: audit.EventFormat, Tenant: tenant, Seq: tree.Size() + 1, ID: "e", At: a.At, Actor: who,
			Role: "approver", Action: pack.SignOffAction,
			Object: audit.Object{Kind: "pack", ID: f.Content.PackID}, Details: details,
		})
		require.NoError(t, err)
		stored = append(stored, tree.Append(audit.LeafHash(event))...)
	}
	at := audit.Checkpoint{Tenant: tenant, Epoch: 1, Size: tree.Size(), Root: tree.Root()}
	text, err := audit.Sign(&at, checkpointSigner(t, at.Origin()))
	require.NoError(t, err)
	p, err := audit.Prove(tree.Size()-1, text, tlog.HashReaderFunc(func(at []int64) ([]audit.Hash, error) {
		out := make([]audit.Hash, len(at))
		for i, n := range at {
			out[i] = stored[n]
		}
		return out, nil
	}))
	require.NoError(t, err)
	out := &signed{frozen: f}
	md, pdf := []byte("# pack\n"), []byte("%PDF-1.7\n")
	out.statement, err = pack.NewStatement(f, pack.Digest(md), pack.Digest(pdf), approvals, at,
		keys.Fingerprint(public))
	require.NoError(t, err)
	payload, err := out.statement.Bytes()
	require.NoError(t, err)
	out.envelope, err = pack.Sign(payload, key)
	require.NoError(t, err)
	pem, err := keys.PEM(public)
	require.NoError(t, err)
	out.files = pack.Files{
		Pack: f.Bytes, Markdown: md, PDF: pdf, Envelope: bytesOf(t, out.envelope),
		Bundle:   bytesOf(t, pack.NewBundle(out.envelope)),
		LogProof: []byte(pack.LogProof(&p, event)), Salts: bytesOf(t, &f.Salts), PublicKey: []byte(pem), Whole: true,
	}
	return out
}

func bytesOf(t testing.TB, v interface{ Bytes() ([]byte, error) }) []byte {
	t.Helper()
	data, err := v.Bytes()
	require.NoError(t, err)
	return data
}

// pem returns tenant.pub.
func pem(t testing.TB) []byte {
	t.Helper()
	text, err := pack.PEM(public)
	require.NoError(t, err)
	return text
}

func actor(id string, role access.Role) access.Actor {
	return access.Actor{Tenant: tenant, ID: id, User: "Name of " + id, Role: role, Human: true}
}
