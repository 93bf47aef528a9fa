package db_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/pack"
)

// TestExports checks that a person who may not export asks, that another person grants, and that the link is personal
// and short-lived.
func TestExports(t *testing.T) {
	b := newBoard(t)
	draft := b.draft(t, "dec_0", "A2")
	_, err := b.RequestExport(b.ctx, b.viewer, draft.Life.PackID, "zip", "")
	is(t, domain.Conflict, err)
	id := b.signed(t, "dec_1").Life.PackID
	_, err = b.RequestExport(b.ctx, b.viewer, id, "exe", "")
	is(t, domain.Invalid, err)
	_, err = b.RequestExport(b.ctx, b.viewer, id, "zip", strings.Repeat("ب", 8001))
	is(t, domain.TooLarge, err)
	_, err = b.MakePackExport(b.ctx, b.drafter, id, "zip", db.HashToken("x"))
	is(t, domain.Denied, err)
	e, err := b.RequestExport(b.ctx, b.viewer, id, "zip", "Reason-of-viewer")
	require.NoError(t, err)
	again, err := b.RequestExport(b.ctx, b.viewer, id, "zip", "again")
	require.NoError(t, err)
	require.Equal(t, e, again)

	_, err = b.ExportLink(b.ctx, b.viewer, e.ID, db.HashToken("t"))
	is(t, domain.Conflict, err)
	for _, who := range []access.Actor{b.viewer, b.drafter, b.machine, access.AtCommandLine(b.tenant.ID)} {
		_, err = b.GrantExport(b.ctx, who, e.ID)
		is(t, domain.Denied, err)
		_, err = b.RefuseExport(b.ctx, who, e.ID, "r")
		is(t, domain.Denied, err)
	}
	waiting, err := b.PackExports(b.ctx, b.approver, true, 9)
	require.NoError(t, err)
	require.Equal(t, []pack.ExportRequest{e}, waiting)
	e, err = b.GrantExport(b.ctx, b.approver, e.ID)
	require.NoError(t, err)
	require.Equal(t, db.ExportGranted, e.State)
	_, err = b.RefuseExport(b.ctx, b.second, e.ID, "r")
	is(t, domain.Conflict, err)

	b.pass(24*time.Hour - 1)
	_, err = b.ExportLink(b.ctx, b.approver, e.ID, db.HashToken("t"))
	isNotFound(t, err) // another person's
	link, err := b.ExportLink(b.ctx, b.viewer, e.ID, db.HashToken("t"))
	require.NoError(t, err)
	require.Equal(t, b.now.Add(15*time.Minute), link.ExpiresAt)
	_, err = b.ExportLink(b.ctx, b.viewer, e.ID, db.HashToken("u"))
	is(t, domain.Conflict, err)
	b.pass(15*time.Minute - 1)
	got, err := b.PackExport(b.ctx, b.viewer, db.HashToken("t"))
	require.NoError(t, err)
	require.Equal(t, link, got)
	require.NoError(t, b.LogPackExport(b.ctx, b.viewer, got, "00ff"))
	_, err = b.PackExport(b.ctx, b.approver, db.HashToken("t"))
	isNotFound(t, err)
	isNotFound(t, b.LogPackExport(b.ctx, b.approver, got, "00ff"))
	b.pass(1)
	_, err = b.PackExport(b.ctx, b.viewer, db.HashToken("t"))
	isNotFound(t, err)
	isNotFound(t, b.LogPackExport(b.ctx, b.viewer, got, "00ff"))

	v, err := b.Pack(b.ctx, b.tenant.ID, id)
	require.NoError(t, err)
	require.Equal(t, []string{"pack.export_asked", "pack.export_granted", "pack.export_linked", "pack.exported"},
		acts(v.Events)[4:])
	require.Contains(t, string(v.Events[7].Bytes), "00ff")
}

// TestLinksEndWithTheRole checks that a link stops working when the role of the person who granted it is lowered.
func TestLinksEndWithTheRole(t *testing.T) {
	b := newBoard(t)
	id := b.signed(t, "dec_1").Life.PackID
	operator := access.AtCommandLine(b.tenant.ID)
	lower := func(who *access.Actor) {
		require.NoError(t, b.SetRole(b.ctx, operator, who.ID, access.Viewer))
		who.Role = access.Viewer
	}
	grant := func(format string) pack.ExportRequest {
		e, err := b.RequestExport(b.ctx, b.viewer, id, format, "")
		require.NoError(t, err)
		e, err = b.GrantExport(b.ctx, b.approver, e.ID)
		require.NoError(t, err)
		return e
	}
	linked, unlinked := grant("zip"), grant("pdf")
	linked, err := b.ExportLink(b.ctx, b.viewer, linked.ID, db.HashToken("t"))
	require.NoError(t, err)
	own, err := b.MakePackExport(b.ctx, b.second, id, "zip", db.HashToken("own"))
	require.NoError(t, err)
	lower(&b.approver)
	lower(&b.second)

	_, err = b.PackExport(b.ctx, b.viewer, db.HashToken("t"))
	isNotFound(t, err)
	isNotFound(t, b.LogPackExport(b.ctx, b.viewer, linked, "00ff"))
	_, err = b.ExportLink(b.ctx, b.viewer, unlinked.ID, db.HashToken("u"))
	isNotFound(t, err)
	_, err = b.PackExport(b.ctx, b.second, db.HashToken("own"))
	isNotFound(t, err)
	isNotFound(t, b.LogPackExport(b.ctx, b.second, own, "00ff"))
}

func TestExportsThatComeToNothing(t *testing.T) {
	b := newBoard(t)
	id := b.signed(t, "dec_1").Life.PackID
	own, err := b.MakePackExport(b.ctx, b.second, id, "pdf", db.HashToken("s"))
	require.NoError(t, err)
	got, err := b.PackExport(b.ctx, b.second, db.HashToken("s"))
	require.NoError(t, err)
	require.Equal(t, own, got)

	e, err := b.RequestExport(b.ctx, b.approver, id, "json", "")
	require.NoError(t, err)
	_, err = b.GrantExport(b.ctx, b.approver, e.ID) // their own
	is(t, domain.Denied, err)
	_, err = b.RefuseExport(b.ctx, b.second, e.ID, "")
	is(t, domain.Invalid, err)
	e, err = b.RefuseExport(b.ctx, b.second, e.ID, "Reason-of-second")
	require.NoError(t, err)
	_, err = b.ExportLink(b.ctx, b.approver, e.ID, db.HashToken("t"))
	is(t, domain.Conflict, err)

	late, err := b.RequestExport(b.ctx, b.viewer, id, "json", "")
	require.NoError(t, err)
	_, err = b.GrantExport(b.ctx, b.second, late.ID)
	require.NoError(t, err)
	b.pass(24 * time.Hour)
	_, err = b.ExportLink(b.ctx, b.viewer, late.ID, db.HashToken("t"))
	is(t, domain.Conflict, err)
	mine, err := b.PackExports(b.ctx, b.approver, false, 9)
	require.NoError(t, err)
	require.Equal(t, []pack.ExportRequest{e}, mine)
}

// TestPackQueue checks that everyone sees what waits for them.
func TestPackQueue(t *testing.T) {
	b := newBoard(t)
	first := b.submit(t, b.draft(t, "dec_1", "A3"))
	b.pass(time.Minute)
	edited := b.draft(t, "dec_2", "A2")
	edited, err := b.UpdatePack(b.ctx, b.editor, edited.Life.PackID, edited.Life.Revision, db.Answering{}, retell("x"))
	require.NoError(t, err)
	second := b.submit(t, edited)
	b.approve(t, b.approver, first)
	back := b.submit(t, b.draft(t, "dec_3", "A2"))
	back, err = b.ReturnPack(b.ctx, b.approver, back.Life.PackID, back.Life.Revision, "r", db.Answering{})
	require.NoError(t, err)
	signed := b.signed(t, "dec_4")
	_, err = b.RequestExport(b.ctx, b.viewer, signed.Life.PackID, "zip", "")
	require.NoError(t, err)
	mine := b.draft(t, "dec_7", "A2")
	b.decide(t, decisionOf("dec_5", "A2", 1))
	b.decide(t, decisionOf("dec_6", "A2", 1))

	type want struct {
		packs                      []string
		nPacks, exports, nReturned int
	}
	for name, c := range map[string]struct {
		who  access.Actor
		want want
	}{
		"second":   {b.second, want{packs: []string{first.Life.PackID}, nPacks: 2, exports: 1}},
		"approver": {b.approver, want{packs: []string{second.Life.PackID}, nPacks: 1, exports: 1}},
		"editor": {b.editor, want{
			packs: []string{first.Life.PackID}, nPacks: 1, exports: 1,
		}}, // who has edited the second pack
		"drafter": {b.drafter, want{nReturned: 1}},
		"viewer":  {b.viewer, want{}},
		"machine": {b.machine, want{}},
		"other":   {access.Actor{Tenant: b.other.ID, ID: b.second.ID, Role: access.Admin, Human: true}, want{}},
	} {
		t.Run(name, func(t *testing.T) {
			q, err := b.PackQueue(b.ctx, c.who, 1)
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
	_, err = b.NewVersion(b.ctx, b.editor, back.Life.PackID, db.Answering{})
	require.NoError(t, err)
	q, err := b.PackQueue(b.ctx, b.drafter, 9)
	require.NoError(t, err)
	require.Empty(t, q.Returned) // somebody has continued it
	require.Equal(t, 1, q.NDrafts)
	require.Equal(t, mine.Life.PackID, q.Drafts[0].PackID)
	q, err = b.PackQueue(b.ctx, b.editor, 9)
	require.NoError(t, err)
	require.Equal(t, 1, q.NDrafts, "the one that they continued")
	q, err = b.PackQueue(b.ctx, access.Actor{Tenant: b.other.ID, ID: b.drafter.ID, Role: access.Admin, Human: true}, 9)
	require.NoError(t, err)
	require.Zero(t, q.NDrafts, "in another tenant")
}
