package notices_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/erasure"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/notify"
	"sanad/internal/domain/pack"
)

// told lists what a person is told of, newest first, as "kind place" with a star if it was read.
func told(t testing.TB, b *dbtest.Board, who access.Actor) (out []string) {
	t.Helper()
	list, err := b.Notices(b.Ctx, who, false, 0, 100)
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

func saysOf(t *testing.T, b *dbtest.Board, who access.Actor, id string, in ledger.ReviewInput) {
	t.Helper()
	h := *b.Fixture
	h.Actor = who
	h.Says(t, id, 0, in)
}

func comment(text string) ledger.ReviewInput {
	return ledger.ReviewInput{Action: ledger.Comment, Reason: text}
}

// A mention is told once, to the person it was written to, whatever they are called later; not to who wrote it.
func TestMentions(t *testing.T) {
	b := dbtest.NewBoard(t)
	s := dbtest.SizedSession(2)
	b.AddSession(t, s)
	place := "mentioned /sessions/" + s.ID + "?claim=1#claim-1"
	saysOf(t, b, b.Drafter, s.ID, comment("@Name-of-approver and @name-of-approver, @drafter, @nobody: look"))
	require.Equal(t, []string{place}, told(t, b, b.Approver))
	require.Empty(t, told(t, b, b.Drafter), "they wrote it")
	require.Empty(t, told(t, b, b.Viewer))
	saysOf(t, b, b.Drafter, s.ID, comment("again"))
	require.Len(t, told(t, b, b.Approver), 1)

	page, err := b.ClaimPageFor(b.Ctx, b.Viewer, s.ID, 0, nil)
	require.NoError(t, err)
	r := page.Session.Claims[0].Reviews[0]
	require.Equal(t, []notify.Mention{
		{Start: 0, Length: 17, ID: b.Approver.ID, Name: "Name-of-approver"},
		{Start: 22, Length: 17, ID: b.Approver.ID, Name: "Name-of-approver"},
		{Start: 41, Length: 8, ID: b.Drafter.ID, Name: "Name-of-drafter"},
	}, page.Mentions[r.ID])
	require.Empty(t, page.People, "who may not comment is offered nobody")
	page, err = b.ClaimPageFor(b.Ctx, b.Drafter, s.ID, 0, nil)
	require.NoError(t, err)
	require.Contains(t, page.People, access.Named{ID: b.Approver.ID, Name: "Name-of-approver"})
	b.RequireContents(t, 1)
}

// Nobody is told of a sealed comment before the seal falls, and never of one that was taken back before that.
func TestMentionsInSealedComments(t *testing.T) {
	for name, fall := range map[string]func(*dbtest.Board, *testing.T, string){
		"the other decides": func(b *dbtest.Board, t *testing.T,
			id string) {
			saysOf(t, b, b.Second, id, dbtest.Confirm)
		},
		"not blind any more": func(b *dbtest.Board, t *testing.T, id string) {
			b.Assign(t, id, ledger.Seats{{ID: b.Drafter.ID}, {ID: b.Second.ID}}, ledger.SecondOpen)
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := dbtest.NewBoard(t)
			s := dbtest.SizedSession(2)
			b.AddSession(t, s)
			b.Assign(t, s.ID, ledger.Seats{{ID: b.Drafter.ID}, {ID: b.Second.ID}}, ledger.SecondBlind)
			assigned := "assigned /sessions/" + s.ID
			require.Equal(t, []string{assigned}, told(t, b, b.Second))
			saysOf(t, b, b.Drafter, s.ID, comment("@second what do you think?"))
			saysOf(t, b, b.Drafter, s.ID, comment("@viewer never mind"))
			saysOf(t, b, b.Drafter, s.ID, ledger.ReviewInput{Action: ledger.Undo})
			saysOf(t, b, b.Drafter, s.ID, dbtest.Confirm)
			require.Equal(t, []string{assigned}, told(t, b, b.Second), "it is sealed")
			fall(b, t, s.ID)
			require.Equal(t, []string{"mentioned /sessions/" + s.ID + "?claim=1#claim-1", assigned},
				told(t, b, b.Second))
			require.Empty(t, told(t, b, b.Viewer), "it was taken back")
		})
	}
}

// A comment is withdrawn by its id, by its author, once; it stays, and the newest review isn't the one that goes.
func TestWithdrawingAComment(t *testing.T) {
	b := dbtest.NewBoard(t)
	s := dbtest.SizedSession(2)
	b.AddSession(t, s)
	saysOf(t, b, b.Drafter, s.ID, comment("first"))
	saysOf(t, b, b.Drafter, s.ID, dbtest.Confirm)
	whole, err := b.Session(b.Ctx, b.Tenant.ID, s.ID)
	require.NoError(t, err)
	id := whole.Claims[0].Reviews[0].ID
	undo := ledger.ReviewInput{Action: ledger.Undo, Undoes: id, By: b.Second.ID}
	other := *b.Fixture
	other.Actor = b.Second
	_, err = other.ReviewClaim(s.ID, 0, undo)
	require.ErrorContains(t, err, "You have no comment")
	undo.By = b.Drafter.ID
	saysOf(t, b, b.Drafter, s.ID, undo)
	whole, err = b.Session(b.Ctx, b.Tenant.ID, s.ID)
	require.NoError(t, err)
	require.True(t, whole.Claims[0].Undone(0))
	require.Equal(t, "first", whole.Claims[0].Reviews[0].Reason)
	require.NotNil(t, whole.Claims[0].Decision(b.Drafter.ID), "the confirmation stands")
	other.Actor = b.Drafter
	_, err = other.ReviewClaim(s.ID, 0, undo)
	require.ErrorContains(t, err, "You have no comment", "once")
}

// What a pack's people are told of, from its submission to the next version.
func TestWhoIsToldOfAPack(t *testing.T) {
	b := dbtest.NewBoard(t)
	v := b.Draft(t, "dec_1", "A3")
	href := "/packs/" + v.Life.PackID
	v = b.Submit(t, v)
	for _, who := range []access.Actor{b.Approver, b.Second, b.Admin} {
		require.Equal(t, []string{"to_sign " + href}, told(t, b, who))
	}
	require.Empty(t, told(t, b, b.Drafter), "they made it")
	require.Empty(t, told(t, b, b.Viewer), "they may not approve")
	v = b.Approve(t, b.Approver, v)
	require.Equal(t, []string{"to_sign " + href + " *"}, told(t, b, b.Approver))
	require.Equal(t, []string{"to_sign " + href}, told(t, b, b.Second))
	_, err := b.ReturnPack(b.Ctx, b.Second, v.Life.PackID, v.Life.Revision, "Name the hospital.", db.Answering{})
	require.NoError(t, err)
	require.Equal(t, []string{"to_sign " + href + " *"}, told(t, b, b.Admin), "it waits for nobody")
	require.Equal(t, []string{"returned " + href}, told(t, b, b.Drafter))
	_, err = b.NewVersion(b.Ctx, b.Editor, v.Life.PackID, db.Answering{})
	require.NoError(t, err)
	require.Equal(t, []string{"returned " + href + " *"}, told(t, b, b.Drafter), "somebody works on it")
}

// The people of a thread are told of replies and of its resolution, once, and never who did it; somebody who is
// mentioned in the reply is told of that alone.
func TestPeopleOfAThreadAreTold(t *testing.T) {
	b := dbtest.NewBoard(t)
	s := dbtest.SizedSession(2)
	b.AddSession(t, s)
	saysOf(t, b, b.Drafter, s.ID, ledger.ReviewInput{Action: ledger.Comment, Reason: "@approver is it so?", Asks: true})
	whole, err := b.Session(b.Ctx, b.Tenant.ID, s.ID)
	require.NoError(t, err)
	id := whole.Claims[0].Reviews[0].ID
	at := " /sessions/" + s.ID + "?claim=1#claim-1"
	saysOf(t, b, b.Second, s.ID, ledger.ReviewInput{Action: ledger.Comment, Reason: "@viewer and @drafter: no.",
		Thread: id})
	require.Equal(t, []string{"mentioned" + at}, told(t, b, b.Drafter))
	require.Equal(t, []string{"replied" + at, "mentioned" + at}, told(t, b, b.Approver))
	require.Equal(t, []string{"mentioned" + at}, told(t, b, b.Viewer))
	saysOf(t, b, b.Approver, s.ID, ledger.ReviewInput{Action: ledger.Resolve, Thread: id})
	for _, who := range []access.Actor{b.Drafter, b.Second, b.Viewer} {
		require.Equal(t, "resolved"+at, told(t, b, who)[0])
	}
	require.Len(t, told(t, b, b.Approver), 2, "they did it")
	saysOf(t, b, b.Second, s.ID, ledger.ReviewInput{Action: ledger.Reopen, Thread: id})
	require.Len(t, told(t, b, b.Approver), 2)
	page, err := b.ClaimPageFor(b.Ctx, b.Viewer, s.ID, 0, nil)
	require.NoError(t, err)
	require.Len(t, page.Mentions[id], 1)
	b.RequireContents(t, 1)

	v := b.Signed(t, "dec_1") // in every state
	pk := v.Life.PackID
	first, err := b.AddPackComment(b.Ctx, b.Drafter, pk, pack.Comment{Text: "@second why?", Asks: true}, "", nil)
	require.NoError(t, err)
	reply, err := b.AddPackComment(b.Ctx, b.Admin, pk, pack.Comment{Text: "So.", Thread: first.ID}, "", nil)
	require.NoError(t, err)
	require.Equal(t, "replied /packs/"+pk+"#comment-"+reply.ID, told(t, b, b.Second)[0])
	require.Equal(t, "replied /packs/"+pk+"#comment-"+reply.ID, told(t, b, b.Drafter)[0])
	_, err = b.AddPackComment(b.Ctx, b.Second, pk, pack.Comment{Action: ledger.Resolve, Thread: reply.ID}, "", nil)
	require.NoError(t, err)
	require.Equal(t, "resolved /packs/"+pk+"#comment-"+first.ID, told(t, b, b.Drafter)[0])
	require.Equal(t, "resolved /packs/"+pk+"#comment-"+first.ID, told(t, b, b.Admin)[0])
	done := b.Happened(t, 0)
	require.Equal(t, []string{"pack.commented", "pack.commented", "pack.thread_resolved"}, done[len(done)-3:])
}

// Nobody is told of a sealed reply before the seal falls.
func TestSealedReplies(t *testing.T) {
	b := dbtest.NewBoard(t)
	s := dbtest.SizedSession(2)
	b.AddSession(t, s)
	saysOf(t, b, b.Approver, s.ID, comment("Look."))
	whole, err := b.Session(b.Ctx, b.Tenant.ID, s.ID)
	require.NoError(t, err)
	b.Assign(t, s.ID, ledger.Seats{{ID: b.Drafter.ID}, {ID: b.Second.ID}}, ledger.SecondBlind)
	other := *b.Fixture
	other.Actor = b.Drafter
	_, err = other.ReviewClaim(s.ID, 0, ledger.ReviewInput{Action: ledger.Comment, Reason: "Yes.", By: b.Drafter.ID,
		Thread: whole.Claims[0].Reviews[0].ID})
	require.ErrorContains(t, err, "no comment", "it is sealed since")
	saysOf(t, b, b.Drafter, s.ID, dbtest.Confirm)
	saysOf(t, b, b.Second, s.ID, dbtest.Confirm)
	b.JudgeAgain(t, s.ID, "run-2")
	sealed := func() bool {
		x, err := b.ClaimPageFor(b.Ctx, b.Approver, s.ID, 0, nil)
		require.NoError(t, err)
		return x.Session.Sealed(&x.Session.Claims[0])
	}
	before := len(told(t, b, b.Approver))
	saysOf(t, b, b.Drafter, s.ID, ledger.ReviewInput{Action: ledger.Comment, Reason: "Yes.",
		Thread: whole.Claims[0].Reviews[0].ID})
	require.True(t, sealed(), "by the newer judgement")
	require.Len(t, told(t, b, b.Approver), before)
	saysOf(t, b, b.Drafter, s.ID, dbtest.Confirm)
	saysOf(t, b, b.Second, s.ID, dbtest.Confirm)
	require.False(t, sealed())
	require.Equal(t, "replied /sessions/"+s.ID+"?claim=1#claim-1", told(t, b, b.Approver)[0])
}

func TestCommentsOnAPack(t *testing.T) {
	b := dbtest.NewBoard(t)
	v := b.Signed(t, "dec_1") // in every state
	id := v.Life.PackID
	c, err := b.AddPackComment(b.Ctx, b.Viewer, id,
		pack.Comment{Text: "  @second, is this the hospital in Riyadh? "}, "", nil)
	require.NoError(t, err)
	require.Equal(t, "mentioned /packs/"+id+"#comment-"+c.ID, told(t, b, b.Second)[0])
	require.ErrorContains(t, b.WithdrawPackComment(b.Ctx, b.Second, id, c.ID, "", nil), "Only the author of a comment")
	require.NoError(t, b.WithdrawPackComment(b.Ctx, b.Viewer, id, c.ID, "", nil))
	require.ErrorContains(t, b.WithdrawPackComment(b.Ctx, b.Viewer, id, c.ID, "", nil), "already")
	all, err := b.PackComments(b.Ctx, b.Tenant.ID, id)
	require.NoError(t, err)
	require.Len(t, all.Comments, 1)
	require.Equal(t, "@second, is this the hospital in Riyadh?", all.Comments[0].Text, "it stays")
	require.Equal(t, dbtest.Now.UTC(), all.Comments[0].Withdrawn)
	require.Equal(t, "Name-of-second", all.Comments[0].Mentions[0].Name)
	for _, text := range []string{" ", "\xff", string(make([]rune, 4001))} {
		_, err := b.AddPackComment(b.Ctx, b.Viewer, id, pack.Comment{Text: text}, "", nil)
		require.Error(t, err)
	}
	done := b.Happened(t, 0)
	require.Equal(t, []string{"pack.commented", "pack.comment_withdrawn"}, done[len(done)-2:])
}

// With a session or pack goes what people were told of it, and its comments.
func TestErasureTakesWhatPeopleWereTold(t *testing.T) {
	b := dbtest.NewBoard(t)
	s := dbtest.SizedSession(2)
	b.AddSession(t, s)
	saysOf(t, b, b.Drafter, s.ID, comment("@second Zanzibarite"))
	v := b.Draft(t, "dec_1", "A2")
	_, err := b.AddPackComment(b.Ctx, b.Drafter, v.Life.PackID, pack.Comment{Text: "@second quixotrope"}, "", nil)
	require.NoError(t, err)
	require.Len(t, told(t, b, b.Second), 2)
	b.Finish(t, b.Erase(t, erasure.Session, s.ID).ID)
	b.Finish(t, b.Erase(t, erasure.Pack, v.Life.PackID).ID)
	require.Empty(t, told(t, b, b.Second))
	n, err := b.UnreadNotices(b.Ctx, b.Second, 10)
	require.NoError(t, err)
	require.Zero(t, n)
	require.Empty(t, dbtest.Traces(t, b.Dir, "Zanzibarite", "quixotrope"))
	require.Empty(t, dbtest.RecordFaults(t, b.Store, b.Tenant.ID))
}

func TestNoticesAreRead(t *testing.T) {
	b := dbtest.NewBoard(t)
	v := b.Draft(t, "dec_1", "A2")
	say := func(text string) {
		t.Helper()
		_, err := b.AddPackComment(b.Ctx, b.Drafter, v.Life.PackID, pack.Comment{Text: text}, "", nil)
		require.NoError(t, err)
	}
	for range 5 {
		say("@second")
	}
	list, err := b.Notices(b.Ctx, b.Second, true, 0, 100)
	require.NoError(t, err)
	require.Len(t, list, 5)
	older, err := b.Notices(b.Ctx, b.Second, true, list[2].No, 100)
	require.NoError(t, err)
	require.Equal(t, list[3:], older)
	dbtest.RequireNotFound(t, b.ReadNotice(b.Ctx, b.Viewer, list[0].No))
	foreign := b.Second
	foreign.Tenant = b.Other.ID
	dbtest.RequireNotFound(t, b.ReadNotice(b.Ctx, foreign, list[0].No))
	require.NoError(t, b.ReadNotice(b.Ctx, b.Second, list[0].No))
	require.NoError(t, b.ReadNotices(b.Ctx, b.Viewer, list[0].No))
	require.NoError(t, b.ReadNotices(b.Ctx, b.Second, list[2].No))
	n, err := b.UnreadNotices(b.Ctx, b.Second, 99)
	require.NoError(t, err)
	require.Equal(t, 1, n, "only what came after the page was read is left")

	b.Pass(notify.KeptFor + time.Hour)
	say("@second")
	pruned, err := b.PruneNotices(b.Ctx)
	require.NoError(t, err)
	require.Equal(t, int64(5), pruned)
	require.Len(t, told(t, b, b.Second), 1)
}

// A person who was told of too much loses the oldest, and nobody else anything.
func TestNoticesAreBounded(t *testing.T) {
	b := dbtest.NewBoard(t)
	v := b.Draft(t, "dec_1", "A2")
	_, err := b.AddPackComment(b.Ctx, b.Drafter, v.Life.PackID, pack.Comment{Text: "@approver @second"}, "", nil)
	require.NoError(t, err)
	fillNotices(t, b.Store, b.Tenant.ID, b.Second.ID, v.Life.PackID, notify.KeptMax)
	_, err = b.AddPackComment(b.Ctx, b.Drafter, v.Life.PackID, pack.Comment{Text: "@second"}, "", nil)
	require.NoError(t, err)
	list, err := b.Notices(b.Ctx, b.Second, false, 0, 2*notify.KeptMax)
	require.NoError(t, err)
	require.Len(t, list, notify.KeptMax)
	require.Len(t, told(t, b, b.Approver), 1)
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
