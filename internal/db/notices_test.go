package db_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/erasure"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/notify"
)

// told lists what a person is told of, newest first, as "kind place" with a star if it was read.
func (b *board) told(t testing.TB, who access.Actor) (out []string) {
	t.Helper()
	list, err := b.Notices(b.ctx, who, false, 0, 100)
	require.NoError(t, err)
	for i := range list {
		read := ""
		if list[i].Read {
			read = " *"
		}
		out = append(out, string(list[i].Kind)+" "+list[i].Href()+read)
	}
	return out
}

func (b *board) saysOf(t *testing.T, who access.Actor, id string, in ledger.ReviewInput) {
	t.Helper()
	h := *b.fixture
	h.actor = who
	h.says(t, id, 0, in)
}

func comment(text string) ledger.ReviewInput {
	return ledger.ReviewInput{Action: ledger.Comment, Reason: text}
}

// A mention is told once, to the person it was written to, whatever they are called later; not to who wrote it.
func TestMentions(t *testing.T) {
	b := newBoard(t)
	s := sizedSession(2)
	b.insert(t, s)
	place := "mentioned /sessions/" + s.ID + "?claim=1#claim-1"
	b.saysOf(t, b.drafter, s.ID, comment("@Name-of-approver and @name-of-approver, @drafter, @nobody: look"))
	require.Equal(t, []string{place}, b.told(t, b.approver))
	require.Empty(t, b.told(t, b.drafter), "they wrote it")
	require.Empty(t, b.told(t, b.viewer))
	b.saysOf(t, b.drafter, s.ID, comment("again"))
	require.Len(t, b.told(t, b.approver), 1)

	page, err := b.ClaimPageFor(b.ctx, b.viewer, s.ID, 0, nil)
	require.NoError(t, err)
	r := page.Session.Claims[0].Reviews[0]
	require.Equal(t, []notify.Mention{
		{Start: 0, Length: 17, ID: b.approver.ID, Name: "Name-of-approver"},
		{Start: 22, Length: 17, ID: b.approver.ID, Name: "Name-of-approver"},
		{Start: 41, Length: 8, ID: b.drafter.ID, Name: "Name-of-drafter"},
	}, page.Mentions[r.ID])
	require.Empty(t, page.People, "who may not comment is offered nobody")
	page, err = b.ClaimPageFor(b.ctx, b.drafter, s.ID, 0, nil)
	require.NoError(t, err)
	require.Contains(t, page.People, access.Named{ID: b.approver.ID, Name: "Name-of-approver"})
	b.requireContents(t, 1)
}

// Nobody is told of a sealed comment before the seal falls, and never of one that was taken back before that.
func TestMentionsInSealedComments(t *testing.T) {
	for name, fall := range map[string]func(*board, *testing.T, string){
		"the other decides": func(b *board, t *testing.T, id string) { b.saysOf(t, b.second, id, confirm) },
		"not blind any more": func(b *board, t *testing.T, id string) {
			b.assign(t, id, ledger.Seats{{ID: b.drafter.ID}, {ID: b.second.ID}}, ledger.SecondOpen)
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBoard(t)
			s := sizedSession(2)
			b.insert(t, s)
			b.assign(t, s.ID, ledger.Seats{{ID: b.drafter.ID}, {ID: b.second.ID}}, ledger.SecondBlind)
			assigned := "assigned /sessions/" + s.ID
			require.Equal(t, []string{assigned}, b.told(t, b.second))
			b.saysOf(t, b.drafter, s.ID, comment("@second what do you think?"))
			b.saysOf(t, b.drafter, s.ID, comment("@viewer never mind"))
			b.saysOf(t, b.drafter, s.ID, ledger.ReviewInput{Action: ledger.Undo})
			b.saysOf(t, b.drafter, s.ID, confirm)
			require.Equal(t, []string{assigned}, b.told(t, b.second), "it is sealed")
			fall(b, t, s.ID)
			require.Equal(t, []string{"mentioned /sessions/" + s.ID + "?claim=1#claim-1", assigned}, b.told(t, b.second))
			require.Empty(t, b.told(t, b.viewer), "it was taken back")
		})
	}
}

// A comment is withdrawn by its id, by its author, once; it stays, and the newest review isn't the one that goes.
func TestWithdrawingAComment(t *testing.T) {
	b := newBoard(t)
	s := sizedSession(2)
	b.insert(t, s)
	b.saysOf(t, b.drafter, s.ID, comment("first"))
	b.saysOf(t, b.drafter, s.ID, confirm)
	whole, err := b.Session(b.ctx, b.tenant.ID, s.ID)
	require.NoError(t, err)
	id := whole.Claims[0].Reviews[0].ID
	undo := ledger.ReviewInput{Action: ledger.Undo, Undoes: id, By: b.second.ID}
	other := *b.fixture
	other.actor = b.second
	_, err = other.review(s.ID, 0, undo)
	require.ErrorContains(t, err, "no comment of yours")
	undo.By = b.drafter.ID
	b.saysOf(t, b.drafter, s.ID, undo)
	whole, err = b.Session(b.ctx, b.tenant.ID, s.ID)
	require.NoError(t, err)
	require.True(t, whole.Claims[0].Undone(0))
	require.Equal(t, "first", whole.Claims[0].Reviews[0].Reason)
	require.NotNil(t, whole.Claims[0].Decision(b.drafter.ID), "the confirmation stands")
	other.actor = b.drafter
	_, err = other.review(s.ID, 0, undo)
	require.ErrorContains(t, err, "no comment of yours", "once")
}

// What a pack's people are told of, from its submission to the next version.
func TestWhoIsToldOfAPack(t *testing.T) {
	b := newBoard(t)
	v := b.draft(t, "dec_1", "A3")
	href := "/packs/" + v.Life.PackID
	v = b.submit(t, v)
	for _, who := range []access.Actor{b.approver, b.second, b.admin} {
		require.Equal(t, []string{"to_sign " + href}, b.told(t, who))
	}
	require.Empty(t, b.told(t, b.drafter), "they made it")
	require.Empty(t, b.told(t, b.viewer), "they may not approve")
	v = b.approve(t, b.approver, v)
	require.Equal(t, []string{"to_sign " + href + " *"}, b.told(t, b.approver))
	require.Equal(t, []string{"to_sign " + href}, b.told(t, b.second))
	_, err := b.ReturnPack(b.ctx, b.second, v.Life.PackID, v.Life.Revision, "Name the hospital.", db.Answering{})
	require.NoError(t, err)
	require.Equal(t, []string{"to_sign " + href + " *"}, b.told(t, b.admin), "it waits for nobody")
	require.Equal(t, []string{"returned " + href}, b.told(t, b.drafter))
	_, err = b.NewVersion(b.ctx, b.editor, v.Life.PackID, db.Answering{})
	require.NoError(t, err)
	require.Equal(t, []string{"returned " + href + " *"}, b.told(t, b.drafter), "somebody works on it")
}

func TestCommentsOnAPack(t *testing.T) {
	b := newBoard(t)
	v := b.signed(t, "dec_1") // in every state
	id := v.Life.PackID
	c, err := b.AddPackComment(b.ctx, b.viewer, id, "  @second, is this the hospital in Riyadh? ", "", nil)
	require.NoError(t, err)
	require.Equal(t, "mentioned /packs/"+id+"#comment-"+c.ID, b.told(t, b.second)[0])
	require.ErrorContains(t, b.WithdrawPackComment(b.ctx, b.second, id, c.ID, "", nil), "Only whoever wrote")
	require.NoError(t, b.WithdrawPackComment(b.ctx, b.viewer, id, c.ID, "", nil))
	require.ErrorContains(t, b.WithdrawPackComment(b.ctx, b.viewer, id, c.ID, "", nil), "already")
	all, err := b.PackComments(b.ctx, b.tenant.ID, id)
	require.NoError(t, err)
	require.Len(t, all.Comments, 1)
	require.Equal(t, "@second, is this the hospital in Riyadh?", all.Comments[0].Text, "it stays")
	require.Equal(t, now.UTC(), all.Comments[0].Withdrawn)
	require.Equal(t, "Name-of-second", all.Comments[0].Mentions[0].Name)
	for _, text := range []string{" ", "\xff", string(make([]rune, 4001))} {
		_, err := b.AddPackComment(b.ctx, b.viewer, id, text, "", nil)
		require.Error(t, err)
	}
	done := b.happened(t, 0)
	require.Equal(t, []string{"pack.commented", "pack.comment_withdrawn"}, done[len(done)-2:])
}

// With a session or pack goes what people were told of it, and its comments.
func TestErasureTakesWhatPeopleWereTold(t *testing.T) {
	b := newBoard(t)
	s := sizedSession(2)
	b.insert(t, s)
	b.saysOf(t, b.drafter, s.ID, comment("@second Zanzibarite"))
	v := b.draft(t, "dec_1", "A2")
	_, err := b.AddPackComment(b.ctx, b.drafter, v.Life.PackID, "@second quixotrope", "", nil)
	require.NoError(t, err)
	require.Len(t, b.told(t, b.second), 2)
	b.finish(t, b.erase(t, erasure.Session, s.ID).ID)
	b.finish(t, b.erase(t, erasure.Pack, v.Life.PackID).ID)
	require.Empty(t, b.told(t, b.second))
	n, err := b.UnreadNotices(b.ctx, b.second, 10)
	require.NoError(t, err)
	require.Zero(t, n)
	require.Empty(t, traces(t, b.dir, "Zanzibarite", "quixotrope"))
	require.Empty(t, recordFaults(t, b.Store, b.tenant.ID))
}

func TestNoticesAreRead(t *testing.T) {
	b := newBoard(t)
	v := b.draft(t, "dec_1", "A2")
	say := func(text string) {
		t.Helper()
		_, err := b.AddPackComment(b.ctx, b.drafter, v.Life.PackID, text, "", nil)
		require.NoError(t, err)
	}
	for range 5 {
		say("@second")
	}
	list, err := b.Notices(b.ctx, b.second, true, 0, 100)
	require.NoError(t, err)
	require.Len(t, list, 5)
	older, err := b.Notices(b.ctx, b.second, true, list[2].No, 100)
	require.NoError(t, err)
	require.Equal(t, list[3:], older)
	isNotFound(t, b.ReadNotice(b.ctx, b.viewer, list[0].No))
	foreign := b.second
	foreign.Tenant = b.other.ID
	isNotFound(t, b.ReadNotice(b.ctx, foreign, list[0].No))
	require.NoError(t, b.ReadNotice(b.ctx, b.second, list[0].No))
	require.NoError(t, b.ReadNotices(b.ctx, b.viewer, list[0].No))
	require.NoError(t, b.ReadNotices(b.ctx, b.second, list[2].No))
	n, err := b.UnreadNotices(b.ctx, b.second, 99)
	require.NoError(t, err)
	require.Equal(t, 1, n, "only what came after the page was read is left")

	b.pass(notify.KeptFor + time.Hour)
	say("@second")
	pruned, err := b.PruneNotices(b.ctx)
	require.NoError(t, err)
	require.Equal(t, int64(5), pruned)
	require.Len(t, b.told(t, b.second), 1)
}

// A person who was told of too much loses the oldest, and nobody else anything.
func TestNoticesAreBounded(t *testing.T) {
	b := newBoard(t)
	v := b.draft(t, "dec_1", "A2")
	_, err := b.AddPackComment(b.ctx, b.drafter, v.Life.PackID, "@approver @second", "", nil)
	require.NoError(t, err)
	fillNotices(t, b.Store, b.tenant.ID, b.second.ID, v.Life.PackID, notify.KeptMax)
	_, err = b.AddPackComment(b.ctx, b.drafter, v.Life.PackID, "@second", "", nil)
	require.NoError(t, err)
	list, err := b.Notices(b.ctx, b.second, false, 0, 2*notify.KeptMax)
	require.NoError(t, err)
	require.Len(t, list, notify.KeptMax)
	require.Len(t, b.told(t, b.approver), 1)
}

// fillNotices tells a person of many things at once.
func fillNotices(t testing.TB, s *db.Store, tenant, user, pack string, n int) {
	t.Helper()
	err := s.Write(context.Background(), sqldb.EveryTenant, "FillNotices", func(t *sqldb.Tx) error {
		for i := range n {
			_, err := t.Exec(`INSERT INTO notifications (tenant_id, user_id, key, kind, object_kind, object_id, claim, place, by_id,
				at, read_at) VALUES (?, ?, ?, 'to_sign', 'pack', ?, 0, '', '', ?, '')`, tenant, user, fmt.Sprint("filled/", i),
				pack, sqldb.Stamp(s.Now()))
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
