package db_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/access"
	"sanad/internal/domain/pack"
)

// board is a fixture with the people of a pack's life and a clock that moves.
type board struct {
	*people
	drafter, editor, approver, second, admin, viewer, machine access.Actor
}

func newBoard(t testing.TB) *board {
	t.Helper()
	b := &board{people: newPeople(t)}
	dbtest.AllowUnchecked(t, b.Store, b.tenant.ID)
	person := func(login string, role access.Role) access.Actor {
		return as(b.tenant, b.add(t, b.tenant, login, role), role)
	}
	b.drafter, b.editor = person("drafter", access.Reviewer), person("editor", access.Approver)
	b.approver, b.second = person("approver", access.Approver), person("second", access.Approver)
	b.admin, b.viewer = person("root", access.Admin), person("viewer", access.Viewer)
	b.machine = access.Actor{Tenant: b.tenant.ID, ID: "machine", User: "robot", Role: access.Admin, Token: "machine"}
	return b
}

func ptr[T any](v T) *T { return &v }

// decisionOf returns a decision that needs a pack, with n sources; class A2 requires one approver, A3 two.
func decisionOf(id, class string, n int) *pack.Decision {
	d := &pack.Decision{
		Header: pack.Header{
			DecisionID: id, EntityID: "lead_" + id, AgentName: "icp_matcher", Model: "m", ModelVersion: "1",
			DecidedAt: "2026-03-01T09:00:00Z",
			Title:     "Riyadh Hospital fit " + id, Statement: "Riyadh Hospital matches the target profile.",
			StatementAR:        "مستشفى الرياض يطابق الملف المستهدف.",
			ApprovalClass:      class,
			ReversibilityClass: "R1", SensitivityClass: "S1", Confidence: ptr(0.84), HighStakes: true,
			FreshnessWindowHours: ptr(24),
		},
		ToolCalls: []pack.ToolCallRecord{
			{ToolName: "crm.update", IntendedAction: "none", ActualAction: "created note id=9",
				Outputs: json.RawMessage(`{"b":1,"a":2}`)},
		},
		Prompts: []pack.PromptRecord{{TemplateName: "icp", TemplateVersion: "1.0"}},
	}
	for i := range n {
		text := fmt.Sprintf("Source %d says: company size 120 employees; المنشأة مرخّصة", i)
		d.Evidence = append(d.Evidence, pack.EvidenceSource{
			Source: fmt.Sprintf("crm.contact.%d", i), URI: fmt.Sprintf("crm://contacts/%d", i),
			RetrievedAt: "2026-03-01T08:00:00Z",
			Confidence:  ptr(0.9), Kind: "record",
			Quote: pack.Quote{Excerpt: text, ContentHash: pack.Hash([]byte("all of " + text))},
		})
	}
	return d
}

func (b *board) decide(t testing.TB, d *pack.Decision) {
	t.Helper()
	require.Empty(t, d.Validate())
	_, created, err := b.AddDecision(b.ctx, b.machine, d, nil)
	require.NoError(t, err)
	require.True(t, created)
}

// draft opens a pack for a new decision.
func (b *board) draft(t testing.TB, id, class string) *db.PackView {
	t.Helper()
	b.decide(t, decisionOf(id, class, 4))
	v, err := b.CreatePack(b.ctx, b.drafter, id, db.Answering{})
	require.NoError(t, err)
	return v
}

func (b *board) submit(t testing.TB, v *db.PackView) *db.PackView {
	t.Helper()
	v, err := b.SubmitPack(b.ctx, b.drafter, v.Life.PackID, v.Life.Revision, db.Answering{})
	require.NoError(t, err)
	return v
}

func (b *board) approve(t testing.TB, who access.Actor, v *db.PackView) *db.PackView {
	t.Helper()
	v, err := b.ApprovePack(b.ctx, who, approval(v), db.Answering{}, render)
	require.NoError(t, err)
	return v
}

// signed returns a signed-off pack of class A2.
func (b *board) signed(t testing.TB, id string) *db.PackView {
	t.Helper()
	return b.approve(t, b.approver, b.submit(t, b.draft(t, id, "A2")))
}

// held returns a pack under legal hold.
func (b *board) held(t testing.TB, id string) *db.PackView {
	t.Helper()
	v := b.signed(t, id)
	v, err := b.SetLegalHold(b.ctx, b.admin, v.Life.PackID, v.Life.Revision, "suit")
	require.NoError(t, err)
	require.NotNil(t, v.Life.Hold)
	return v
}

func approval(v *db.PackView) db.Approval {
	out := db.Approval{PackID: v.Life.PackID, Revision: v.Life.Revision, Digest: v.Life.Digest,
		Comment: "Comment-of-approver"}
	for _, a := range v.Content.Alarms {
		out.Acknowledged = append(out.Acknowledged, a.ID)
	}
	for _, s := range v.Since {
		out.Acknowledged = append(out.Acknowledged, s.ID)
	}
	return out
}

// render replaces the exporters.
func render(f *pack.Frozen, l *pack.Life) (markdown, pdf []byte, err error) {
	text := fmt.Sprintf("# %s %s %d\n", f.Content.PackID, f.Digest, len(l.Approvals))
	return []byte(text), []byte("%PDF-1.7 " + text), nil
}

// retell returns a change of a draft's memo.
func retell(text string) func(*pack.Content) error {
	return func(c *pack.Content) error {
		m := c.Memo
		m.ExecutiveSummaryEN = text
		return c.SetMemo(m)
	}
}

// verified verifies a pack's files as a third party does.
func (b *board) verified(t testing.TB, packID string) *pack.Report {
	t.Helper()
	files, err := b.PackFiles(b.ctx, b.tenant.ID, packID)
	require.NoError(t, err)
	key, err := pack.ParsePublic(files[pack.FileKey])
	require.NoError(t, err)
	r := pack.Verify(pack.Files{
		Pack: files[pack.FileJSON], Markdown: files[pack.FileMarkdown], PDF: files[pack.FilePDF],
		Envelope: files[pack.FileEnvelope],
		Bundle:   files[pack.FileBundle], LogProof: files[pack.FileLogProof], Salts: files[pack.FileSalts],
		PublicKey: files[pack.FileKey], Whole: true,
	}, pack.Trust{Key: key})
	for _, c := range r.Checks {
		require.Equal(t, pack.OK, c.Status, "%+v", c)
	}
	require.Equal(t, pack.Verified, r.Verdict)
	return r
}

// purge deletes a pack when its time is over.
func (b *board) purge(t testing.TB, id string) {
	t.Helper()
	b.pass(8 * 365 * 24 * time.Hour)
	g, err := b.AskPurge(b.ctx, b.admin, id)
	require.NoError(t, err)
	_, err = b.ConfirmPurge(b.ctx, b.second, g.ID)
	require.NoError(t, err)
}

// logHolds verifies the tenant's whole log.
func (b *board) logHolds(t testing.TB) {
	t.Helper()
	r := b.verify(t)
	require.True(t, r.OK(), r.Faults)
}
