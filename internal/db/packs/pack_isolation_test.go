package packs_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/access"
	"sanad/internal/domain/erasure"
	"sanad/internal/domain/pack"
)

// TestPacksOfOtherTenants calls every method about packs with another tenant's ids and with invalid ids: the answer is
// always the same, and nothing changes. A method about packs that it does not call fails the test.
func TestPacksOfOtherTenants(t *testing.T) {
	b := dbtest.NewBoard(t)
	v := b.Signed(t, "dec_1")
	waiting := b.Submit(t, b.Draft(t, "dec_2", "A2"))
	b.Decide(t, dbtest.DecisionOf("dec_3", "A2", 1))
	e, err := b.RequestExport(b.Ctx, b.Viewer, v.Life.PackID, "zip", "")
	require.NoError(t, err)
	granted, err := b.RequestExport(b.Ctx, b.Drafter, v.Life.PackID, "zip", "")
	require.NoError(t, err)
	_, err = b.GrantExport(b.Ctx, b.Approver, granted.ID)
	require.NoError(t, err)
	token := db.HashToken("s")
	linked, err := b.MakePackExport(b.Ctx, b.Second, v.Life.PackID, "pdf", "", token)
	require.NoError(t, err)
	b.At = pack.RetainUntil(dbtest.Now)
	g, err := b.AskPurge(b.Ctx, b.Admin, v.Life.PackID)
	require.NoError(t, err)
	b.At = dbtest.Now
	events := len(b.Actions(t, b.Tenant.ID))

	asked := map[string]bool{}
	for name, x := range map[string]struct {
		who                               access.Actor
		signed, inReview, decision, token string
		asked, granted, purge             string
		linked                            pack.ExportRequest
	}{
		"other tenant": {who: access.Actor{
			Tenant: b.Other.ID, ID: b.Second.ID, User: "x", Role: access.Admin, Human: true,
		},
			signed: v.Life.PackID, inReview: waiting.Life.PackID, decision: "dec_3", token: token, asked: e.ID,
			granted: granted.ID, purge: g.ID, linked: linked},
		"unknown tenant": {who: access.Actor{
			Tenant: "8d1b4b5e-0000-4000-8000-000000000000", ID: b.Second.ID, Role: access.Admin, Human: true,
		},
			signed: v.Life.PackID, inReview: waiting.Life.PackID, decision: "dec_3", token: token, asked: e.ID,
			granted: granted.ID, purge: g.ID, linked: linked},
		"unknown": {
			who: b.Second, signed: "pack_0000000000000000", inReview: "pack_0000000000000000",
			decision: "dec_9", token: "x", asked: "8d1b4b5e-0000-4000-8000-000000000000", granted: "x",
			purge: "x", linked: pack.ExportRequest{ID: "x"},
		},
		"malformed": {
			who: b.Second, signed: "' OR 1=1 --", inReview: dbtest.OddID(), decision: "%", token: "%", asked: "%",
			granted: "%", purge: "%", linked: pack.ExportRequest{ID: "%"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			tenant, signed, inReview := x.who.Tenant, x.signed, x.inReview
			none := func(method string, err error) {
				t.Helper()
				asked[method] = true
				dbtest.RequireNotFound(t, err)
			}
			_, err := b.Decision(b.Ctx, tenant, x.decision)
			none("Decision", err)
			_, err = b.SessionOfDecision(b.Ctx, tenant, x.decision)
			none("SessionOfDecision", err)
			_, err = b.CreatePack(b.Ctx, x.who, x.decision, db.Answering{})
			none("CreatePack", err)
			_, err = b.Pack(b.Ctx, tenant, signed)
			none("Pack", err)
			for _, file := range []string{pack.FileJSON, pack.FilePDF} {
				_, _, err = b.PackFile(b.Ctx, tenant, signed, file)
				none("PackFile", err)
			}
			asked["PackExcerpts"] = true
			found, err := b.PackExcerpts(b.Ctx, tenant, &pack.Query{Text: v.Content.Title}, []string{signed, inReview})
			require.NoError(t, err)
			require.Empty(t, found)
			_, err = b.PackFiles(b.Ctx, tenant, signed)
			none("PackFiles", err)
			_, _, err = b.PackAttachment(b.Ctx, tenant, signed, pack.Digest(nil)) // with one there: TestAttachments
			none("PackAttachment", err)
			_, err = b.FrozenPack(b.Ctx, tenant, signed)
			none("FrozenPack", err)
			_, err = b.UpdatePack(b.Ctx, x.who, inReview, 2, db.Answering{}, dbtest.Retell("x"))
			none("UpdatePack", err)
			_, err = b.MendPack(b.Ctx, x.who, inReview, 2, "r", db.Answering{}, dbtest.Retell("x"))
			none("MendPack", err)
			_, err = b.DiscardPack(b.Ctx, x.who, inReview, 2, "r", db.Answering{})
			none("DiscardPack", err)
			_, err = b.AttachToPack(b.Ctx, x.who, inReview, 2,
				[]db.NewFile{{Name: "a.txt", MediaType: "text/plain"}}, "r", db.Answering{})
			none("AttachToPack", err)
			_, err = b.DetachFromPack(b.Ctx, x.who, inReview, 2, pack.Digest(nil), "r", db.Answering{})
			none("DetachFromPack", err)
			_, err = b.AddToolCall(b.Ctx, x.who, x.decision, &pack.ToolCallRecord{ID: "c"}, nil)
			none("AddToolCall", err)
			_, err = b.SubmitPack(b.Ctx, x.who, inReview, 2, db.Answering{})
			none("SubmitPack", err)
			_, err = b.ReturnPack(b.Ctx, x.who, inReview, 2, "r", db.Answering{})
			none("ReturnPack", err)
			_, err = b.NewVersion(b.Ctx, x.who, signed, db.Answering{})
			none("NewVersion", err)
			_, err = b.ApprovePack(b.Ctx, x.who, db.Approval{
				PackID: inReview, Revision: 2, Digest: waiting.Life.Digest,
			}, db.Answering{}, dbtest.Render)
			none("ApprovePack", err)
			_, err = b.RequestExport(b.Ctx, x.who, signed, "zip", "")
			none("RequestExport", err)
			_, err = b.PackOfExport(b.Ctx, tenant, x.asked)
			none("PackOfExport", err)
			_, err = b.PackOfPurge(b.Ctx, tenant, x.purge)
			none("PackOfPurge", err)
			_, err = b.SessionOfPack(b.Ctx, tenant, signed)
			none("SessionOfPack", err)
			_, err = b.GrantExport(b.Ctx, x.who, x.asked)
			none("GrantExport", err)
			_, err = b.RefuseExport(b.Ctx, x.who, x.asked, "r")
			none("RefuseExport", err)
			_, err = b.ExportLink(b.Ctx, x.who, x.granted, "t")
			none("ExportLink", err)
			_, err = b.OwnPackExport(b.Ctx, x.who, x.granted)
			none("OwnPackExport", err)
			_, err = b.MakePackExport(b.Ctx, x.who, signed, "zip", "", "t")
			none("MakePackExport", err)
			_, err = b.PackExport(b.Ctx, x.who, x.token)
			none("PackExport", err)
			none("LogPackExport", b.LogPackExport(b.Ctx, x.who, x.linked, "00"))
			_, err = b.SetLegalHold(b.Ctx, x.who, signed, 3, "r")
			none("SetLegalHold", err)
			_, err = b.LiftLegalHold(b.Ctx, x.who, signed, 3, "r")
			none("LiftLegalHold", err)
			_, err = b.AskPurge(b.Ctx, x.who, signed)
			none("AskPurge", err)
			_, err = b.ConfirmPurge(b.Ctx, x.who, x.purge)
			none("ConfirmPurge", err)
			none("RefusePurge", b.RefusePurge(b.Ctx, x.who, x.purge))
			_, err = b.PackComments(b.Ctx, tenant, signed)
			none("PackComments", err)
			_, err = b.AddPackComment(b.Ctx, x.who, signed, pack.Comment{Text: "said"}, "", nil)
			none("AddPackComment", err)
			none("WithdrawPackComment", b.WithdrawPackComment(b.Ctx, x.who, signed, "c", "", nil))
			_, err = b.Tombstone(b.Ctx, tenant, signed)
			none("Tombstone", err)
			_, err = b.ErasedPack(b.Ctx, tenant, signed)
			none("ErasedPack", err)
			admin := x.who
			admin.Role, admin.Human = access.Admin, true
			_, err = b.PutOnHold(b.Ctx, admin, erasure.Session, signed, "r")
			none("PutOnHold", err)
			_, err = b.LiftHold(b.Ctx, admin, erasure.Session, signed, "r")
			none("LiftHold", err)
		})
	}
	for _, method := range packListsAreEmpty(t, b) {
		asked[method] = true
	}
	asked["AddDecision"] = true                                   // creates one: see TestS3TextIsNotStored
	for _, whole := range []string{"CheckPacks", "VerifyPacks"} { // of the whole store, for its operator
		asked[whole] = true
	}
	methods := reflect.TypeFor[*db.Store]()
	for i := range methods.NumMethod() {
		if dbtest.OfRooms(methods.Method(i).Type) {
			continue
		}
		name := methods.Method(i).Name
		about := strings.Contains(name, "Pack") || strings.Contains(name, "Decision") || strings.Contains(name,
			"Purge") ||
			strings.Contains(name, "Tombstone") || strings.Contains(name, "Hold") || strings.HasSuffix(name,
			"tExport") || name == "NewVersion"
		require.True(t, !about || asked[name], "%s is not asked", name)
	}
	require.Len(t, b.Actions(t, b.Tenant.ID), events)
}

// packListsAreEmpty checks that every list is empty for another tenant, and returns the methods it called.
func packListsAreEmpty(t *testing.T, b *dbtest.Board) []string {
	who := access.Actor{Tenant: b.Other.ID, ID: b.Second.ID, User: "x", Role: access.Admin, Human: true}
	for _, text := range []string{"", "hospital", b.Tenant.ID} {
		packs, next, err := b.Packs(b.Ctx, who.Tenant, pack.Query{Limit: 9, Text: text})
		require.NoError(t, err)
		require.Empty(t, packs)
		require.Empty(t, next)
		decisions, _, err := b.Decisions(b.Ctx, who.Tenant, pack.DecisionQuery{Limit: 9, Text: text})
		require.NoError(t, err)
		require.Empty(t, decisions)
	}
	n, err := b.MissingPacks(b.Ctx, who.Tenant)
	require.NoError(t, err)
	require.Zero(t, n)
	counts, err := b.PackCounts(b.Ctx, who.Tenant)
	require.NoError(t, err)
	require.Empty(t, counts)
	queue, err := b.PackQueue(b.Ctx, who, 9)
	require.NoError(t, err)
	require.Equal(t, &pack.Queue{}, queue)
	for _, waiting := range []bool{false, true} {
		exports, err := b.PackExports(b.Ctx, who, waiting, 9)
		require.NoError(t, err)
		require.Empty(t, exports)
	}
	purges, err := b.Purges(b.Ctx, who.Tenant)
	require.NoError(t, err)
	require.Empty(t, purges)
	candidates, err := b.PurgeCandidates(b.Ctx, who.Tenant, 9)
	require.NoError(t, err)
	require.Empty(t, candidates)
	stones, err := b.Tombstones(b.Ctx, who.Tenant, 9)
	require.NoError(t, err)
	require.Empty(t, stones)
	holds, err := b.LegalHolds(b.Ctx, who.Tenant)
	require.NoError(t, err)
	require.Empty(t, holds)
	return []string{"LegalHolds", "Packs", "Decisions", "MissingPacks", "PackCounts", "PackQueue", "PackExports",
		"Purges",
		"PurgeCandidates", "Tombstones"}
}
