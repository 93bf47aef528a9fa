package dbtest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/due"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
)

// DueOn sets the due date of a session or pack.
func (board *Board) DueOn(t testing.TB, who access.Actor, object, id, day string) due.Date {
	t.Helper()
	d, err := board.SetDue(board.Ctx, who, DueChange(object, id, day))
	require.NoError(t, err)
	return d
}

// DueChange asks for a due date.
func DueChange(object, id, day string) *db.DueChange {
	return &db.DueChange{Object: object, ID: id, Day: day, Check: func(int) error { return nil },
		May: func(*db.DueNow) error { return nil }}
}

// Large returns a pack in review with n sources and a session of as many claims.
func (board *Board) Large(t testing.TB, id string, n int) *db.PackView {
	t.Helper()
	s := SizedSession(n)
	for i := range s.Claims {
		s.Claims[i].Reviews = []ledger.Review{{ID: fmt.Sprint(i), Actor: "x", Role: "reviewer", At: Now,
			Action: ledger.Override, Verdict: ledger.Supported}}
	}
	board.AddSession(t, Identify(s))
	d := DecisionOf(id, "A1", n)
	d.LedgerSessionID = s.ID
	board.Decide(t, d)
	v, err := board.CreatePack(board.Ctx, board.Drafter, id, db.Answering{})
	require.NoError(t, err)
	return board.Submit(t, v)
}

// Board is a fixture with the people of a pack's life and a clock that moves.
type Board struct {
	*People
	Drafter, Editor, Approver, Second, Admin, Viewer, Machine access.Actor
}

// NewBoard opens a store with people of each role, and a policy that lets packs pass unchecked.
func NewBoard(t testing.TB) *Board {
	t.Helper()
	b := &Board{People: NewPeople(t)}
	AllowUnchecked(t, b.Store, b.Tenant.ID)
	person := func(login string, role access.Role) access.Actor {
		return As(b.Tenant, b.AddPerson(t, b.Tenant, login, role), role)
	}
	b.Drafter, b.Editor = person("drafter", access.Reviewer), person("editor", access.Approver)
	b.Approver, b.Second = person("approver", access.Approver), person("second", access.Approver)
	b.Approver.Title = "Head of Procurement · مديرة المشتريات"
	b.Admin, b.Viewer = person("root", access.Admin), person("viewer", access.Viewer)
	b.Machine = access.Actor{Tenant: b.Tenant.ID, ID: "machine", User: "robot", Role: access.Admin, Token: "machine"}
	return b
}

func ptr[T any](v T) *T { return &v }

// DecisionOf returns a decision that needs a pack, with n sources; class A2 requires one approver, A3 two.
func DecisionOf(id, class string, n int) *pack.Decision {
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

// Decide adds a decision.
func (board *Board) Decide(t testing.TB, d *pack.Decision) {
	t.Helper()
	require.Empty(t, d.Validate())
	_, created, err := board.AddDecision(board.Ctx, board.Machine, d, nil)
	require.NoError(t, err)
	require.True(t, created)
}

// Draft opens a pack for a new decision.
func (board *Board) Draft(t testing.TB, id, class string) *db.PackView {
	t.Helper()
	board.Decide(t, DecisionOf(id, class, 4))
	v, err := board.CreatePack(board.Ctx, board.Drafter, id, db.Answering{})
	require.NoError(t, err)
	return v
}

// Submit submits a draft.
func (board *Board) Submit(t testing.TB, v *db.PackView) *db.PackView {
	t.Helper()
	v, err := board.SubmitPack(board.Ctx, board.Drafter, v.Life.PackID, v.Life.Revision, db.Answering{})
	require.NoError(t, err)
	return v
}

// Mend changes the memo of a draft, as a returned pack must be before it is submitted again.
func (board *Board) Mend(t testing.TB, v *db.PackView) *db.PackView {
	t.Helper()
	v, err := board.UpdatePack(board.Ctx, board.Drafter, v.Life.PackID, v.Life.Revision, db.Answering{},
		func(c *pack.Content) error {
			m := c.Memo
			m.BodyEN += "\n\nSaid more clearly than before."
			return c.SetMemo(m)
		})
	require.NoError(t, err)
	return v
}

// Approve signs a pack as somebody who has read it as it is now.
func (board *Board) Approve(t testing.TB, who access.Actor, v *db.PackView) *db.PackView {
	t.Helper()
	v, err := board.Pack(board.Ctx, board.Tenant.ID, v.Life.PackID)
	require.NoError(t, err)
	v, err = board.ApprovePack(board.Ctx, who, Approval(v), db.Answering{}, Render)
	require.NoError(t, err)
	return v
}

// Signed returns a signed-off pack of class A2.
func (board *Board) Signed(t testing.TB, id string) *db.PackView {
	t.Helper()
	return board.Approve(t, board.Approver, board.Submit(t, board.Draft(t, id, "A2")))
}

// Held returns a pack under legal hold.
func (board *Board) Held(t testing.TB, id string) *db.PackView {
	t.Helper()
	v := board.Signed(t, id)
	v, err := board.SetLegalHold(board.Ctx, board.Admin, v.Life.PackID, v.Life.Revision, "suit")
	require.NoError(t, err)
	require.NotNil(t, v.Life.Hold)
	return v
}

// Approval acknowledges everything that a pack warns of.
func Approval(v *db.PackView) db.Approval {
	return db.Approval{PackID: v.Life.PackID, Revision: v.Life.Revision, Digest: v.Life.Digest,
		Comment: "Comment-of-approver", Acknowledged: v.AlarmIDs()}
}

// Render replaces the exporters.
func Render(f *pack.Frozen, l *pack.Life) (markdown, pdf []byte, err error) {
	text := fmt.Sprintf("# %s %s %d\n", f.Content.PackID, f.Digest, len(l.Approvals))
	return []byte(text), []byte("%PDF-1.7 " + text), nil
}

// Retell returns a change of a draft's memo.
func Retell(text string) func(*pack.Content) error {
	return func(c *pack.Content) error {
		m := c.Memo
		m.ExecutiveSummaryEN = text
		return c.SetMemo(m)
	}
}

// VerifiedPack verifies a pack's files as a third party does.
func (board *Board) VerifiedPack(t testing.TB, packID string) *pack.Report {
	t.Helper()
	files, err := board.PackFiles(board.Ctx, board.Tenant.ID, packID)
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

// Purge deletes a pack when its time is over.
func (board *Board) Purge(t testing.TB, id string) {
	t.Helper()
	board.Pass(8 * 365 * 24 * time.Hour)
	g, err := board.AskPurge(board.Ctx, board.Admin, id)
	require.NoError(t, err)
	_, err = board.ConfirmPurge(board.Ctx, board.Second, g.ID)
	require.NoError(t, err)
}

// LogHolds verifies the tenant's whole log.
func (board *Board) LogHolds(t testing.TB) {
	t.Helper()
	r := board.CheckLog(t)
	require.True(t, r.OK(), r.Faults)
}

// OfRooms reports whether a method is one that the rooms of the store call within a transaction: it is not for callers.
func OfRooms(method reflect.Type) bool {
	return method.NumIn() > 1 && method.In(1) == reflect.TypeFor[*sqldb.Tx]()
}

// SeatPeople assigns a session to people.
func (board *Board) SeatPeople(t testing.TB, id string, people ...access.Actor) {
	t.Helper()
	require.NoError(t, board.Reassign(board.Ctx, board.Admin, id, ledger.DefaultFreshness, func(s *ledger.Session) error {
		var seats ledger.Seats
		mode := ledger.OneReviewer
		for i, p := range people {
			seats[i] = ledger.Seat{ID: p.ID, Name: p.User}
		}
		if len(people) > 1 {
			mode = ledger.SecondOpen
		}
		return s.SetReviewers(seats, mode, board.At)
	}))
}

// WithdrawFirst takes the first document of a session out of use.
func (board *Board) WithdrawFirst(t testing.TB, s *ledger.Session) (document string) {
	t.Helper()
	document = s.Documents[0].ID
	_, err := board.WithdrawDocument(board.Ctx, board.Drafter, document, "old", "",
		func(s *ledger.Session, position int) (*db.Withdrawal, error) {
			affected, done := s.Withdraw(position, "old", Now)
			require.True(t, done)
			return &db.Withdrawal{Ledger: Assess(s), Affected: affected}, nil
		})
	require.NoError(t, err)
	return document
}
