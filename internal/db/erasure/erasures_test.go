package erasure_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/audit"
	"sanad/internal/domain/erasure"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/notify"
)

// contentsHold checks that the log verifies, and that the rows of every session are those that it records.
func contentsHold(t *testing.T, b *dbtest.Board) {
	t.Helper()
	b.LogHolds(t)
	_, err := b.VerifyContents(b.Ctx, b.Tenant.ID, func(f audit.ContentFault) { t.Errorf("%+v", f) })
	require.NoError(t, err)
}

func TestEraseDocumentLeavesNoByte(t *testing.T) {
	b := dbtest.NewBoard(t)
	kept := b.AddSession(t, dbtest.Identify(dbtest.FullSession()))
	s := b.StoreSecret(t)
	require.Greater(t, len(dbtest.Traces(t, b.Dir, dbtest.SecretWords...)), len(dbtest.SecretWords),
		"the words are there before")
	e := b.Erase(t, erasure.Document, s.Documents[0].ID)
	require.Equal(t, 1, e.Files)
	b.Finish(t, e.ID)
	require.Empty(t, dbtest.Traces(t, b.Dir, dbtest.SecretWords...))

	got, err := b.Session(b.Ctx, b.Tenant.ID, s.ID)
	require.NoError(t, err)
	d := got.Documents[0]
	require.Equal(t, []any{ledger.Erased, "", "", s.Documents[0].Root, false},
		[]any{d.Status, d.Title, d.Chunks[0].Text, d.Root, d.Citable()})
	require.Equal(t, s.Documents[0].Chunks[0].Hash, d.Chunks[0].Hash, "hashes stay")
	require.Equal(t, s.Documents[1].Chunks[0].Text, got.Documents[1].Chunks[0].Text, "other documents stay")
	claims, _, _, err := b.RunClaims(b.Ctx, b.Tenant.ID, s.ID, 1, -1, 99)
	require.NoError(t, err)
	require.Equal(t, []any{"", ledger.Full}, []any{claims[0].Matches[0].Snippet, claims[0].Matches[0].Support},
		"the history of verdicts stays")
	receipt, err := b.Receipt(b.Ctx, b.Tenant.ID, "k")
	require.NoError(t, err)
	require.Equal(t, 410, receipt.Status)
	_, err = b.AskErasure(b.Ctx, b.Admin, erasure.Document, d.ID, "again")
	require.ErrorContains(t, err, "already been erased")
	contentsHold(t, b)
	_, err = b.Session(b.Ctx, b.Tenant.ID, kept.Session.ID)
	require.NoError(t, err)
	require.NotEmpty(t, b.FindAll(t, b.Admin, ledger.FindQuery{Text: "employees"}, 9), "the rest is still found")
}

func TestEraseSessionLeavesNoByte(t *testing.T) {
	b := dbtest.NewBoard(t)
	before, err := b.Home(b.Ctx, access.Actor{Tenant: b.Tenant.ID})
	require.NoError(t, err)
	s := b.StoreSecret(t)
	e := b.Erase(t, erasure.Session, s.ID)
	b.Finish(t, e.ID)
	require.Empty(t, dbtest.Traces(t, b.Dir, append(dbtest.SecretWords, "سياسة", "الموظف", "ملاحظة")...))
	_, err = b.Session(b.Ctx, b.Tenant.ID, s.ID)
	dbtest.RequireNotFound(t, err)
	_, err = b.VerifySession(b.Ctx, b.Tenant.ID, s.ID)
	dbtest.RequireNotFound(t, err)
	after, err := b.Home(b.Ctx, access.Actor{Tenant: b.Tenant.ID})
	require.NoError(t, err)
	require.Equal(t, before, after, "figures are as if it had never been")
	gone, err := b.ErasedAt(b.Ctx, b.Tenant.ID, erasure.Session, s.ID)
	require.NoError(t, err)
	require.Equal(t, e.ID, gone.ID)
	d := dbtest.Raw(t, b.Dir)
	for _, table := range []string{"sessions", "claims", "chunks", "documents", "reviews", "ledger_runs", "find_runs"} {
		require.Zero(t, dbtest.Count(t, d, table), table)
	}
	actions := b.Actions(t, b.Tenant.ID)
	require.Equal(t, []string{"erasure.asked", "session.erased", "erasure.finished"}, actions[len(actions)-3:])
	contentsHold(t, b)
}

func TestPurgedAndErasedPacksLeaveNoByte(t *testing.T) {
	b := dbtest.NewBoard(t)
	for name, gone := range map[string]func(t *testing.T, id string){
		"erased": func(t *testing.T, id string) { b.Finish(t, b.Erase(t, erasure.Pack, id).ID) },
		"purged": func(t *testing.T, id string) {
			b.Purge(t, id)
			require.NoError(t, b.FinishErasures(b.Ctx, dbtest.NoLake))
		},
	} {
		t.Run(name, func(t *testing.T) {
			v := b.Signed(t, "dec_"+name)
			gone(t, v.Life.PackID)
			require.Empty(t, dbtest.Traces(t, b.Dir, "company size 120", "المنشأة مرخّصة", "Riyadh Hospital",
				"icp_matcher",
				"Comment-of-approver", "hospital"))
			_, err := b.Tombstone(b.Ctx, b.Tenant.ID, v.Life.PackID)
			require.NoError(t, err)
			b.LogHolds(t)
		})
	}
}

func TestErasureNeedsTwoPeopleAndAClearWay(t *testing.T) {
	b := dbtest.NewBoard(t)
	s := b.StoreSecret(t)
	ask := func(who access.Actor) error {
		_, err := b.AskErasure(b.Ctx, who, erasure.Session, s.ID, "reason")
		return err
	}
	for _, who := range []access.Actor{b.Approver, b.Drafter, b.Machine} {
		dbtest.RequireKind(t, domain.Denied, ask(who))
	}
	_, err := b.AskErasure(b.Ctx, b.Admin, erasure.Session, s.ID, " ")
	dbtest.RequireKind(t, domain.Invalid, err)
	_, err = b.AskErasure(b.Ctx, b.Admin, "thing", s.ID, "r")
	dbtest.RequireKind(t, domain.Invalid, err)
	_, err = b.AskErasure(b.Ctx, b.Admin, erasure.Session, "none", "r")
	dbtest.RequireNotFound(t, err)

	_, err = b.PutOnHold(b.Ctx, b.Admin, erasure.Document, s.Documents[1].ID, "suit")
	require.NoError(t, err)
	require.ErrorContains(t, ask(b.Admin), "The legal hold on document "+s.Documents[1].ID)
	_, err = b.PutOnHold(b.Ctx, b.Admin, erasure.Document, s.Documents[1].ID, "suit")
	dbtest.RequireKind(t, domain.Conflict, err)
	_, err = b.LiftHold(b.Ctx, b.Approver, erasure.Document, s.Documents[1].ID, "over")
	dbtest.RequireKind(t, domain.Denied, err)
	_, err = b.LiftHold(b.Ctx, b.Admin, erasure.Document, s.Documents[1].ID, "over")
	require.NoError(t, err)

	e, err := b.AskErasure(b.Ctx, b.Admin, erasure.Session, s.ID, "reason")
	require.NoError(t, err)
	again, err := b.AskErasure(b.Ctx, b.Admin, erasure.Session, s.ID, "another")
	require.NoError(t, err)
	require.Equal(t, e.ID, again.ID)
	for _, who := range []access.Actor{b.Admin, b.Drafter, b.Machine} {
		_, err = b.ConfirmErasure(b.Ctx, who, e.ID)
		dbtest.RequireKind(t, domain.Denied, err)
	}
	d := dbtest.Raw(t, b.Dir)
	for _, statement := range []string{"UPDATE erasures SET state = 'erasing', confirmed_by = asked_by",
		"DELETE FROM erasures",
		"UPDATE erasures SET state = 'done'", "DELETE FROM reviews", "DELETE FROM ledger_runs"} {
		_, err := d.Exec(statement)
		require.Error(t, err, statement)
	}
	_, err = b.PutOnHold(b.Ctx, b.Admin, erasure.Session, s.ID, "suit")
	require.NoError(t, err)
	_, err = b.ConfirmErasure(b.Ctx, b.Second, e.ID)
	require.ErrorContains(t, err, "The legal hold on session "+s.ID)
	_, err = b.LiftHold(b.Ctx, b.Admin, erasure.Session, s.ID, "over")
	require.NoError(t, err)
	refused, err := b.RefuseErasure(b.Ctx, b.Second, e.ID)
	require.NoError(t, err)
	require.Equal(t, erasure.Refused, refused.State)
	_, err = b.ConfirmErasure(b.Ctx, b.Second, e.ID)
	dbtest.RequireKind(t, domain.Conflict, err)
	_, err = b.Session(b.Ctx, b.Tenant.ID, s.ID)
	require.NoError(t, err, "nothing was deleted")
}

func TestWhatAPackRefersToIsKept(t *testing.T) {
	b := dbtest.NewBoard(t)
	s := b.StoreSecret(t)
	d := dbtest.DecisionOf("dec_1", "A2", 4)
	d.LedgerSessionID = s.ID
	b.Decide(t, d)
	v, err := b.CreatePack(b.Ctx, b.Drafter, "dec_1", db.Answering{})
	require.NoError(t, err)
	for kind, id := range map[erasure.Kind]string{erasure.Session: s.ID, erasure.Document: s.Documents[0].ID} {
		_, err = b.AskErasure(b.Ctx, b.Admin, kind, id, "reason")
		var refused *erasure.ObstacleError
		require.ErrorAs(t, err, &refused)
		require.Equal(t, []erasure.Obstacle{{Code: erasure.InPack, Object: v.Life.PackID}}, refused.Obstacles)
	}
	b.Finish(t, b.Erase(t, erasure.Pack, v.Life.PackID).ID)
	b.Finish(t, b.Erase(t, erasure.Session, s.ID).ID)
	require.Empty(t, dbtest.Traces(t, b.Dir, dbtest.SecretWords...))
}

// TestErasureIsFinishedAtTheNextStart: a process that is killed after the confirmation leaves files and traces, which
// the next one deletes.
func TestErasureIsFinishedAtTheNextStart(t *testing.T) {
	b := dbtest.NewBoard(t)
	s := b.StoreSecret(t)
	e := b.Erase(t, erasure.Document, s.Documents[0].ID)
	b.Reopen(t, func() {})
	require.NotEmpty(t, dbtest.Traces(t, b.Dir, dbtest.SecretWords...), "the original is still there")
	b.Finish(t, e.ID)
	require.Empty(t, dbtest.Traces(t, b.Dir, dbtest.SecretWords...))
	b.Finish(t, e.ID)
	actions := b.Actions(t, b.Tenant.ID)
	require.Equal(t, 1, strings.Count(strings.Join(actions, " "), "erasure.finished"), "finished once")
}

func TestRetention(t *testing.T) {
	b := dbtest.NewBoard(t)
	s := b.StoreSecret(t)
	dbtest.RequireKind(t, domain.Denied,
		b.SetPeriods(b.Ctx, b.Approver, []erasure.Period{{Kind: erasure.Session, Days: 30}}))
	dbtest.RequireKind(t, domain.Invalid,
		b.SetPeriods(b.Ctx, b.Admin, []erasure.Period{{Kind: erasure.Pack, Days: 30}}))
	dbtest.RequireKind(t, domain.Invalid,
		b.SetPeriods(b.Ctx, b.Admin, []erasure.Period{{Kind: erasure.Session, Days: -1}}))
	b.Pass(100 * 24 * 3600e9)
	n, err := b.EraseDue(b.Ctx)
	require.NoError(t, err)
	require.Zero(t, n, "off by default")
	tried, err := b.DueForErasure(b.Ctx, b.Tenant.ID, []erasure.Period{{Kind: erasure.Session, Days: 30}}, 9)
	require.NoError(t, err)
	require.Len(t, tried, 1)
	anew := func(days int) map[erasure.Kind]int {
		out, err := b.DueAnew(b.Ctx, b.Tenant.ID, []erasure.Period{{Kind: erasure.Session, Days: days}})
		require.NoError(t, err)
		return out
	}
	require.Equal(t, map[erasure.Kind]int{erasure.Session: 1}, anew(30))
	require.Empty(t, anew(101), "it is not as old as that")
	n, err = b.EraseDue(b.Ctx)
	require.NoError(t, err)
	require.Zero(t, n, "a dry run sets no period")
	require.NoError(t, b.SetPeriods(b.Ctx, b.Admin, []erasure.Period{{Kind: erasure.Session, Days: 30}}))
	all, err := b.Periods(b.Ctx, b.Tenant.ID)
	require.NoError(t, err)
	require.Equal(t, []erasure.Period{{Kind: erasure.Session, Days: 30}, {Kind: erasure.Document}, {Kind: erasure.Library},
		{Kind: erasure.Bundle}, {Kind: erasure.Artifact}, {Kind: erasure.Upload}}, all)
	_, err = b.PutOnHold(b.Ctx, b.Admin, erasure.Session, s.ID, "suit")
	require.NoError(t, err)
	due, err := b.DueForErasure(b.Ctx, b.Tenant.ID, nil, 9)
	require.NoError(t, err)
	require.Len(t, due, 1)
	require.Equal(t, erasure.OnHold, due[0].Obstacles[0].Code)
	require.Empty(t, anew(10), "it is due by the stored period too")
	n, err = b.EraseDue(b.Ctx)
	require.NoError(t, err)
	require.Zero(t, n)
	_, err = b.LiftHold(b.Ctx, b.Admin, erasure.Session, s.ID, "over")
	require.NoError(t, err)
	n, err = b.EraseDue(b.Ctx)
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.NoError(t, b.FinishErasures(b.Ctx, dbtest.NoLake))
	require.Empty(t, dbtest.Traces(t, b.Dir, dbtest.SecretWords...))
	b.LogHolds(t)
}

func TestEraseBundleAndArtifact(t *testing.T) {
	b := dbtest.NewBoard(t)
	var dropped []string
	drop := func(_ context.Context, tenant, path string) error {
		require.Equal(t, b.Tenant.ID, tenant)
		dropped = append(dropped, path)
		return nil
	}
	artifact := db.ArtifactOf("files/Zanzibarite.txt", []byte("Zanzibarite"))
	_, err := b.AddArtifact(b.Ctx, b.Drafter, artifact)
	require.NoError(t, err)
	e := b.Erase(t, erasure.Artifact, artifact.Path)
	require.NoError(t, b.FinishErasures(b.Ctx, drop))
	require.Equal(t, []string{artifact.Path}, dropped)
	require.Empty(t, dbtest.Traces(t, b.Dir, dbtest.SecretWords...), "nor the path")
	gone, err := b.ErasedAt(b.Ctx, b.Tenant.ID, erasure.Artifact, artifact.Path)
	require.NoError(t, err)
	require.Equal(t, e.ID, gone.ID)
	_, err = b.AddArtifact(b.Ctx, b.Drafter, artifact)
	require.NoError(t, err, "the path is free again")

	in := dbtest.Built(t, "docs/none.md", "Zanzibarite quixotrope", strings.Repeat("القسطاسيات ", 20))
	b.AddBundle(t, in)
	b.Erase(t, erasure.Bundle, in.Bundle.BundleID)
	dropped = nil
	require.NoError(t, b.FinishErasures(b.Ctx, drop))
	require.Contains(t, dropped, in.Artifact.Path)
	d := dbtest.Raw(t, b.Dir)
	for _, table := range []string{"evidence_bundles", "evidence_builds", "evidence_items"} {
		require.Zero(t, dbtest.Count(t, d, table), table)
	}
	_, err = b.Bundle(b.Ctx, b.Tenant.ID, in.Bundle.BundleID, 0, 9)
	dbtest.RequireNotFound(t, err)
	b.LogHolds(t)
}

// What the erasure of a session deletes in other rooms is recorded by its own event, not by that of a session that
// cited it.
func TestErasedDueDateIsRecordedBySessionErased(t *testing.T) {
	b := dbtest.NewBoard(t)
	gone := b.AddSession(t, dbtest.Identify(dbtest.FullSession()))
	b.DueOn(t, b.Admin, notify.Session, gone.Session.ID, "2026-05-01")
	citing := dbtest.Identify(dbtest.SecretSession())
	citing.Claims[0].Citations = []ledger.Citation{{Hash: strings.Repeat("a", 64), Status: ledger.Resolved,
		Places: []ledger.Place{{SessionID: gone.Session.ID, DocumentID: gone.Session.Documents[0].ID,
			Filename: "a.txt"}}}}
	b.AddSession(t, citing)
	b.Erase(t, erasure.Session, gone.Session.ID)
	events, err := b.Events(b.Ctx, b.Tenant.ID, 0, 1000)
	require.NoError(t, err)
	recorded := map[string]bool{} // by action: whether it records the due date
	for _, e := range events {
		event, err := audit.ParseEvent(e.Bytes)
		require.NoError(t, err)
		records, err := audit.RecordsOf(event.Details)
		require.NoError(t, err)
		recorded[e.Action] = recorded[e.Action] || slices.ContainsFunc(records, func(r audit.Record) bool {
			return r.Table == "due_dates" && len(r.Columns) == 0
		})
	}
	require.Contains(t, recorded, "session.source_erased", "the other session cited it")
	require.False(t, recorded["session.source_erased"])
	require.True(t, recorded["session.erased"])
}
