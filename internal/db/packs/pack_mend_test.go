package packs_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/pack"
)

// mend applies a change to the newest revision of a draft.
func mend(t testing.TB, b *dbtest.Board, v *db.PackView, reason string, x pack.Change) *db.PackView {
	t.Helper()
	v, err := b.MendPack(b.Ctx, b.Editor, v.Life.PackID, v.Life.Revision, reason, db.Answering{},
		func(c *pack.Content) error {
			require.Empty(t, x.Apply(c))
			return nil
		})
	require.NoError(t, err)
	return v
}

// A decision that lacks something is stored as received, mended in its draft, and submitted; what was received stays.
func TestDraftIsMended(t *testing.T) {
	b := dbtest.NewBoard(t)
	d := dbtest.DecisionOf("dec_1", "A2", 1)
	d.StatementAR, d.Evidence[0].Excerpt = "", ""
	d.ToolCalls = []pack.ToolCallRecord{{ToolName: "crm.get", IntendedAction: "retrieve company 7",
		VerificationStatus: "verified", ContradictionFlag: true}}
	b.Decide(t, d)
	v, err := b.CreatePack(b.Ctx, b.Drafter, "dec_1", db.Answering{})
	require.NoError(t, err)
	_, err = b.SubmitPack(b.Ctx, b.Drafter, v.Life.PackID, v.Life.Revision, db.Answering{})
	var broken *db.BrokenPackError
	require.ErrorAs(t, err, &broken)
	require.Subset(t, brokenRules(broken.Faults), []string{"source_excerpt", "tool_actual", "statement_language"})

	sources := append([]pack.EvidenceSource{}, v.Content.Sources...)
	sources[0].Excerpt = "Company size: 120 employees."
	calls := append([]pack.ToolCallRecord{}, v.Content.ToolCalls...)
	calls[0].ActualAction = "retrieved company 7"
	arabic := "مستشفى الرياض يطابق الملف المستهدف."
	v = mend(t, b, v, "The export cut these off.",
		pack.Change{Sources: &sources, ToolCalls: &calls, StatementAR: &arabic})
	require.Equal(t, []pack.Mend{{Path: "statement_ar", Change: "added"}, {Path: "sources[0].excerpt", Change: "added"},
		{Path: "tool_calls[0].actual_action", Change: "added"}}, v.Content.Mended)
	require.Equal(t, pack.Hash([]byte(sources[0].Excerpt)), v.Content.Sources[0].ExcerptHash, "derived again")
	require.Equal(t, &pack.CallerWord{ContradictionFlag: true, VerificationStatus: "verified"},
		v.Content.ToolCalls[0].Caller)
	require.True(t, v.Content.ToolCalls[0].Contradicts(), "the caller's own flag raises the mark")
	require.Len(t, v.Edits, 1)
	require.Equal(t, []string{"statement", "sources", "tool_calls"}, v.Edits[0].Parts)
	require.Equal(t, "The export cut these off.", v.Edits[0].Reason)
	require.Contains(t, v.Life.Authors, b.Editor.ID, "who mends may not approve")

	got, err := b.Decision(b.Ctx, b.Tenant.ID, "dec_1")
	require.NoError(t, err)
	require.Empty(t, got.Decision.ToolCalls[0].ActualAction, "the decision stays as it was received")
	v = b.Approve(t, b.Approver, b.Submit(t, v))
	require.Equal(t, pack.SignedOff, v.Life.State)
	require.Len(t, v.Content.Mended, 3, "the pack says how it differs")
}

func TestMendSealsS3(t *testing.T) {
	b := dbtest.NewBoard(t)
	v := b.Draft(t, "dec_1", "A2")
	calls := append([]pack.ToolCallRecord{}, v.Content.ToolCalls...)
	calls = append(calls, pack.ToolCallRecord{ToolName: "hr.read", IntendedAction: "read", ActualAction: "read",
		SensitivityClass: "S3", Outputs: json.RawMessage(`{"iban":"SA03"}`)})
	v = mend(t, b, v, "", pack.Change{ToolCalls: &calls})
	require.NotContains(t, string(v.Content.ToolCalls[len(calls)-1].Outputs), "SA03")
	sealed := v.Content.ToolCalls[len(calls)-1].Outputs
	again := v.Content.ToolCalls
	v = mend(t, b, v, "", pack.Change{ToolCalls: &again})
	require.JSONEq(t, string(sealed), string(v.Content.ToolCalls[len(calls)-1].Outputs), "sealed once")
}

// A discarded draft stays readable, is never signed, and makes room for another.
func TestDiscardedDraft(t *testing.T) {
	b := dbtest.NewBoard(t)
	v := b.Draft(t, "dec_1", "A2")
	_, err := b.DiscardPack(b.Ctx, b.Drafter, v.Life.PackID, v.Life.Revision, " ", db.Answering{})
	dbtest.RequireKind(t, domain.Invalid, err)
	gone, err := b.DiscardPack(b.Ctx, b.Drafter, v.Life.PackID, v.Life.Revision, "Decided by hand.", db.Answering{})
	require.NoError(t, err)
	require.Equal(t, pack.Discarded, gone.Life.State)
	require.Equal(t, "Decided by hand.", gone.Life.Discard.Reason)
	n, err := b.MissingPacks(b.Ctx, b.Tenant.ID)
	require.NoError(t, err)
	require.Equal(t, 1, n, "the decision lacks its pack again")
	_, err = b.SubmitPack(b.Ctx, b.Drafter, v.Life.PackID, gone.Life.Revision, db.Answering{})
	dbtest.RequireKind(t, domain.Conflict, err)
	_, err = b.UpdatePack(b.Ctx, b.Drafter, v.Life.PackID, gone.Life.Revision, db.Answering{}, dbtest.Retell("x"))
	dbtest.RequireKind(t, domain.Conflict, err)

	next, err := b.CreatePack(b.Ctx, b.Drafter, "dec_1", db.Answering{})
	require.NoError(t, err)
	require.NotEqual(t, v.Life.PackID, next.Life.PackID)
	_, err = b.CreatePack(b.Ctx, b.Drafter, "dec_1", db.Answering{})
	dbtest.RequireKind(t, domain.Conflict, err)
	read, err := b.Pack(b.Ctx, b.Tenant.ID, v.Life.PackID)
	require.NoError(t, err)
	require.Equal(t, gone.Content.Memo, read.Content.Memo)
}

func TestToolCallsApart(t *testing.T) {
	b := dbtest.NewBoard(t)
	b.Decide(t, dbtest.DecisionOf("dec_1", "A2", 1))
	call := func(id, done string) *pack.ToolCallRecord {
		return &pack.ToolCallRecord{ID: id, ToolName: "crm.get", IntendedAction: "retrieve company 7",
			ActualAction: done}
	}
	add := func(c *pack.ToolCallRecord) (bool, error) { return b.AddToolCall(b.Ctx, b.Drafter, "dec_1", c, nil) }
	created, err := add(call("c1", "retrieved company 7"))
	require.NoError(t, err)
	require.True(t, created)
	created, err = add(call("c1", "retrieved company 7"))
	require.NoError(t, err)
	require.False(t, created, "equal content is stored once")
	_, err = add(call("c1", "retrieved company 8"))
	dbtest.RequireKind(t, domain.Conflict, err)

	v, err := b.CreatePack(b.Ctx, b.Drafter, "dec_1", db.Answering{})
	require.NoError(t, err)
	before := len(v.Content.ToolCalls)
	require.Equal(t, "c1", v.Content.ToolCalls[before-1].ID, "the draft takes over what arrived apart")
	_, err = add(call("c2", "none"))
	require.NoError(t, err)
	v, err = b.Pack(b.Ctx, b.Tenant.ID, v.Life.PackID)
	require.NoError(t, err)
	require.Len(t, v.Content.ToolCalls, before+1, "an open draft gets it too")
	require.True(t, v.Content.ToolCalls[before].Contradicts())
	require.Empty(t, v.Content.Mended, "it is part of what was received")
	b.Submit(t, v)
	_, err = add(call("c3", "none"))
	dbtest.RequireKind(t, domain.Conflict, err)
	created, err = add(call("c2", "none"))
	require.NoError(t, err)
	require.False(t, created, "repeated later, it is still the same call")
}

func TestDraftAttachments(t *testing.T) {
	b := dbtest.NewBoard(t)
	v := b.Draft(t, "dec_1", "A2")
	attach := func(name, text string) error {
		next, err := b.AttachToPack(b.Ctx, b.Editor, v.Life.PackID, v.Life.Revision,
			[]db.NewFile{{Name: name, MediaType: "text/plain", Data: []byte(text)}}, "Asked for.", db.Answering{})
		if err == nil {
			v = next
		}
		return err
	}
	require.NoError(t, attach("a.txt", "first"))
	require.NoError(t, attach("b.txt", "second"))
	dbtest.RequireKind(t, domain.Conflict, attach("c.txt", "first"))
	require.Len(t, v.Content.Attachments, 2)
	v, err := b.DetachFromPack(b.Ctx, b.Editor, v.Life.PackID, v.Life.Revision, pack.Digest([]byte("first")),
		"Wrong file.",
		db.Answering{})
	require.NoError(t, err)
	require.Len(t, v.Content.Attachments, 1)
	_, _, err = b.PackAttachment(b.Ctx, b.Tenant.ID, v.Life.PackID, pack.Digest([]byte("first")))
	dbtest.RequireNotFound(t, err)
	v = b.Submit(t, v)
	require.Equal(t, "b.txt", v.Content.Attachments[0].Name, "pack.json has it")
	_, err = b.DetachFromPack(b.Ctx, b.Editor, v.Life.PackID, v.Life.Revision, pack.Digest([]byte("second")), "",
		db.Answering{})
	dbtest.RequireKind(t, domain.Conflict, err)
	r, _, err := b.PackAttachment(b.Ctx, b.Tenant.ID, v.Life.PackID, pack.Digest([]byte("second")))
	require.NoError(t, err)
	require.NoError(t, r.Close())
}
