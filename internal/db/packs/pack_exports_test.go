package packs_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/pack"
)

// TestExports checks that a person who may not export asks, that another person grants, and that the link is personal
// and short-lived.
func TestExports(t *testing.T) {
	b := dbtest.NewBoard(t)
	draft := b.Draft(t, "dec_0", "A2")
	_, err := b.RequestExport(b.Ctx, b.Viewer, draft.Life.PackID, "zip", "")
	dbtest.RequireKind(t, domain.Conflict, err)
	id := b.Signed(t, "dec_1").Life.PackID
	_, err = b.RequestExport(b.Ctx, b.Viewer, id, "exe", "")
	dbtest.RequireKind(t, domain.Invalid, err)
	_, err = b.RequestExport(b.Ctx, b.Viewer, id, "zip", strings.Repeat("ب", 8001))
	dbtest.RequireKind(t, domain.TooLarge, err)
	_, err = b.MakePackExport(b.Ctx, b.Drafter, id, "zip", "", db.HashToken("x"))
	dbtest.RequireKind(t, domain.Denied, err)
	e, err := b.RequestExport(b.Ctx, b.Viewer, id, "zip", "Reason-of-viewer")
	require.NoError(t, err)
	again, err := b.RequestExport(b.Ctx, b.Viewer, id, "zip", "again")
	require.NoError(t, err)
	require.Equal(t, e, again)

	_, err = b.ExportLink(b.Ctx, b.Viewer, e.ID, db.HashToken("t"))
	dbtest.RequireKind(t, domain.Conflict, err)
	for _, who := range []access.Actor{b.Viewer, b.Drafter, b.Machine, access.AtCommandLine(b.Tenant.ID)} {
		_, err = b.GrantExport(b.Ctx, who, e.ID)
		dbtest.RequireKind(t, domain.Denied, err)
		_, err = b.RefuseExport(b.Ctx, who, e.ID, "r")
		dbtest.RequireKind(t, domain.Denied, err)
	}
	waiting, err := b.PackExports(b.Ctx, b.Approver, true, 9)
	require.NoError(t, err)
	require.Equal(t, []pack.ExportRequest{e}, waiting)
	e, err = b.GrantExport(b.Ctx, b.Approver, e.ID)
	require.NoError(t, err)
	require.Equal(t, db.ExportGranted, e.State)
	_, err = b.RefuseExport(b.Ctx, b.Second, e.ID, "r")
	dbtest.RequireKind(t, domain.Conflict, err)

	b.Pass(24*time.Hour - 1)
	_, err = b.ExportLink(b.Ctx, b.Approver, e.ID, db.HashToken("t"))
	dbtest.RequireNotFound(t, err) // another person's
	link, err := b.ExportLink(b.Ctx, b.Viewer, e.ID, db.HashToken("t"))
	require.NoError(t, err)
	require.Equal(t, b.At.Add(15*time.Minute), link.ExpiresAt)
	own, err := b.OwnPackExport(b.Ctx, b.Viewer, e.ID)
	require.NoError(t, err)
	require.Equal(t, link, own)
	_, err = b.OwnPackExport(b.Ctx, b.Approver, e.ID)
	dbtest.RequireNotFound(t, err)
	_, err = b.ExportLink(b.Ctx, b.Viewer, e.ID, db.HashToken("u"))
	dbtest.RequireKind(t, domain.Conflict, err)
	b.Pass(15*time.Minute - 1)
	got, err := b.PackExport(b.Ctx, b.Viewer, db.HashToken("t"))
	require.NoError(t, err)
	require.Equal(t, link, got)
	require.NoError(t, b.LogPackExport(b.Ctx, b.Viewer, got, "00ff"))
	_, err = b.PackExport(b.Ctx, b.Approver, db.HashToken("t"))
	dbtest.RequireNotFound(t, err)
	dbtest.RequireNotFound(t, b.LogPackExport(b.Ctx, b.Approver, got, "00ff"))
	b.Pass(1)
	_, err = b.PackExport(b.Ctx, b.Viewer, db.HashToken("t"))
	dbtest.RequireNotFound(t, err)
	dbtest.RequireNotFound(t, b.LogPackExport(b.Ctx, b.Viewer, got, "00ff"))

	v, err := b.Pack(b.Ctx, b.Tenant.ID, id)
	require.NoError(t, err)
	require.Equal(t, []string{"pack.export_asked", "pack.export_granted", "pack.export_linked", "pack.exported"},
		acts(v.Events)[4:])
	require.Contains(t, string(v.Events[7].Bytes), "00ff")
}

// TestLinksEndWithTheRole checks that a link stops working when the role of the person who granted it is lowered.
func TestLinksEndWithTheRole(t *testing.T) {
	b := dbtest.NewBoard(t)
	id := b.Signed(t, "dec_1").Life.PackID
	operator := access.AtCommandLine(b.Tenant.ID)
	lower := func(who *access.Actor) {
		require.NoError(t, b.SetRole(b.Ctx, operator, who.ID, access.Viewer))
		who.Role = access.Viewer
	}
	grant := func(format string) pack.ExportRequest {
		e, err := b.RequestExport(b.Ctx, b.Viewer, id, format, "")
		require.NoError(t, err)
		e, err = b.GrantExport(b.Ctx, b.Approver, e.ID)
		require.NoError(t, err)
		return e
	}
	linked, unlinked := grant("zip"), grant("pdf")
	_, err := b.OwnPackExport(b.Ctx, b.Viewer, linked.ID)
	dbtest.RequireNotFound(t, err) // not made yet
	linked, err = b.ExportLink(b.Ctx, b.Viewer, linked.ID, db.HashToken("t"))
	require.NoError(t, err)
	own, err := b.MakePackExport(b.Ctx, b.Second, id, "zip", "", db.HashToken("own"))
	require.NoError(t, err)
	lower(&b.Approver)
	lower(&b.Second)

	_, err = b.PackExport(b.Ctx, b.Viewer, db.HashToken("t"))
	dbtest.RequireNotFound(t, err)
	_, err = b.OwnPackExport(b.Ctx, b.Viewer, linked.ID)
	dbtest.RequireNotFound(t, err)
	dbtest.RequireNotFound(t, b.LogPackExport(b.Ctx, b.Viewer, linked, "00ff"))
	_, err = b.ExportLink(b.Ctx, b.Viewer, unlinked.ID, db.HashToken("u"))
	dbtest.RequireNotFound(t, err)
	_, err = b.PackExport(b.Ctx, b.Second, db.HashToken("own"))
	dbtest.RequireNotFound(t, err)
	dbtest.RequireNotFound(t, b.LogPackExport(b.Ctx, b.Second, own, "00ff"))
}

func TestExportsThatComeToNothing(t *testing.T) {
	b := dbtest.NewBoard(t)
	id := b.Signed(t, "dec_1").Life.PackID
	own, err := b.MakePackExport(b.Ctx, b.Second, id, "pdf", "handoff", db.HashToken("s"))
	require.NoError(t, err)
	require.Equal(t, "handoff", own.Reason, "an approver's own copy keeps its reason too")
	got, err := b.PackExport(b.Ctx, b.Second, db.HashToken("s"))
	require.NoError(t, err)
	require.Equal(t, own, got)

	e, err := b.RequestExport(b.Ctx, b.Approver, id, "json", "")
	require.NoError(t, err)
	_, err = b.GrantExport(b.Ctx, b.Approver, e.ID) // their own
	dbtest.RequireKind(t, domain.Denied, err)
	_, err = b.RefuseExport(b.Ctx, b.Second, e.ID, "")
	dbtest.RequireKind(t, domain.Invalid, err)
	e, err = b.RefuseExport(b.Ctx, b.Second, e.ID, "Reason-of-second")
	require.NoError(t, err)
	_, err = b.ExportLink(b.Ctx, b.Approver, e.ID, db.HashToken("t"))
	dbtest.RequireKind(t, domain.Conflict, err)

	late, err := b.RequestExport(b.Ctx, b.Viewer, id, "json", "")
	require.NoError(t, err)
	_, err = b.GrantExport(b.Ctx, b.Second, late.ID)
	require.NoError(t, err)
	b.Pass(24 * time.Hour)
	_, err = b.ExportLink(b.Ctx, b.Viewer, late.ID, db.HashToken("t"))
	dbtest.RequireKind(t, domain.Conflict, err)
	mine, err := b.PackExports(b.Ctx, b.Approver, false, 9)
	require.NoError(t, err)
	require.Equal(t, []pack.ExportRequest{e}, mine)
}

// TestPackQueue checks that everyone sees what waits for them.
func TestPackQueue(t *testing.T) {
	b := dbtest.NewBoard(t)
	first := b.Submit(t, b.Draft(t, "dec_1", "A3"))
	b.Pass(time.Minute)
	edited := b.Draft(t, "dec_2", "A2")
	edited, err := b.UpdatePack(b.Ctx, b.Editor, edited.Life.PackID, edited.Life.Revision, db.Answering{},
		dbtest.Retell("x"))
	require.NoError(t, err)
	second := b.Submit(t, edited)
	b.Approve(t, b.Approver, first)
	back := b.Submit(t, b.Draft(t, "dec_3", "A2"))
	back, err = b.ReturnPack(b.Ctx, b.Approver, back.Life.PackID, back.Life.Revision, "r", db.Answering{})
	require.NoError(t, err)
	signed := b.Signed(t, "dec_4")
	_, err = b.RequestExport(b.Ctx, b.Viewer, signed.Life.PackID, "zip", "")
	require.NoError(t, err)
	mine := b.Draft(t, "dec_7", "A2")
	b.Decide(t, dbtest.DecisionOf("dec_5", "A2", 1))
	b.Decide(t, dbtest.DecisionOf("dec_6", "A2", 1))

	type want struct {
		packs                      []string
		nPacks, exports, nReturned int
	}
	for name, c := range map[string]struct {
		who  access.Actor
		want want
	}{
		"second":   {b.Second, want{packs: []string{first.Life.PackID}, nPacks: 2, exports: 1}},
		"approver": {b.Approver, want{packs: []string{second.Life.PackID}, nPacks: 1, exports: 1}},
		"editor": {b.Editor, want{
			packs: []string{first.Life.PackID}, nPacks: 1, exports: 1,
		}}, // who has edited the second pack
		"drafter": {b.Drafter, want{nReturned: 1}},
		"viewer":  {b.Viewer, want{}},
		"machine": {b.Machine, want{}},
		"other":   {access.Actor{Tenant: b.Other.ID, ID: b.Second.ID, Role: access.Admin, Human: true}, want{}},
	} {
		t.Run(name, func(t *testing.T) {
			q, err := b.PackQueue(b.Ctx, c.who, 1)
			require.NoError(t, err)
			var ids []string
			for _, p := range q.Packs {
				ids = append(ids, p.PackID)
			}
			require.Equal(t, c.want, want{packs: ids, nPacks: q.NPacks, exports: q.NExports, nReturned: q.NReturned})
			require.Len(t, q.Exports, c.want.exports)
			require.Len(t, q.Returned, c.want.nReturned)
			if name != "other" {
				require.Equal(t, 2, q.NMissing)
				require.Equal(t, "dec_5", q.Missing[0].DecisionID)
			}
		})
	}
	_, err = b.NewVersion(b.Ctx, b.Editor, back.Life.PackID, db.Answering{})
	require.NoError(t, err)
	q, err := b.PackQueue(b.Ctx, b.Drafter, 9)
	require.NoError(t, err)
	require.Empty(t, q.Returned) // somebody has continued it
	require.Equal(t, 1, q.NDrafts)
	require.Equal(t, mine.Life.PackID, q.Drafts[0].PackID)
	q, err = b.PackQueue(b.Ctx, b.Editor, 9)
	require.NoError(t, err)
	require.Equal(t, 1, q.NDrafts, "the one that they continued")
	q, err = b.PackQueue(b.Ctx, access.Actor{Tenant: b.Other.ID, ID: b.Drafter.ID, Role: access.Admin, Human: true}, 9)
	require.NoError(t, err)
	require.Zero(t, q.NDrafts, "in another tenant")
}
