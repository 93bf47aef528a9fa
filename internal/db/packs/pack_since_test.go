package packs_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/erasure"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
)

// copying returns a pack in review that copies a session's ledger and has further sources.
func copying(t testing.TB, b *dbtest.Board, id string, s *ledger.Session, sources ...pack.EvidenceSource) *db.PackView {
	t.Helper()
	dbtest.Ask(t, b.Store, b.Tenant.ID, pack.Off, pack.PolicyRules...)
	d := dbtest.DecisionOf(id, "A2", 1)
	d.LedgerSessionID = s.ID
	d.Evidence = append(d.Evidence, sources...)
	b.Decide(t, d)
	v, err := b.CreatePack(b.Ctx, b.Drafter, id, db.Answering{})
	require.NoError(t, err)
	return b.Submit(t, v)
}

func viewOf(t testing.TB, b *dbtest.Board, id string) *db.PackView {
	t.Helper()
	v, err := b.Pack(b.Ctx, b.Tenant.ID, id)
	require.NoError(t, err)
	return v
}

// sinceOf lists the objects of each alarm about what changed, not about what the sources say.
func sinceOf(v *db.PackView) map[string][]string {
	out := map[string][]string{}
	for i := range v.Since {
		if !v.Since[i].OfSources() {
			out[v.Since[i].Kind] = v.Since[i].IDs()
		}
	}
	return out
}

// TestChangedClaimsAreThoseOfTheWholeLedger: a pack reads only the claims that changed since submission, and finds what
// a comparison with the whole ledger finds, also where reviews are sealed.
func TestChangedClaimsAreThoseOfTheWholeLedger(t *testing.T) {
	b := dbtest.NewBoard(t)
	s := dbtest.SizedSession(9)
	b.AddSession(t, s)
	first, second := b.As("a"), b.As("b")
	first.Says(t, s.ID, 7, ledger.ReviewInput{Action: ledger.Override, Verdict: ledger.Weak, Reason: "Read."})
	v := copying(t, b, "dec_1", s)
	override := func(v ledger.Verdict) ledger.ReviewInput {
		return ledger.ReviewInput{Action: ledger.Override, Verdict: v, Reason: "Read."}
	}
	found := map[string]bool{}
	for i, step := range []func(){
		func() {},
		func() { first.Says(t, s.ID, 0, override(ledger.Contradicted)) },
		func() { second.Says(t, s.ID, 1, dbtest.Confirm) },
		func() { second.Says(t, s.ID, 2, ledger.ReviewInput{Action: ledger.Comment, Reason: "Hm."}) },
		func() { first.Says(t, s.ID, 0, ledger.ReviewInput{Action: ledger.Undo}) },
		func() { first.Says(t, s.ID, 7, override(ledger.Weak)) },
		func() { first.Assign(t, s.ID, ledger.Seats{{ID: "a"}, {ID: "b"}}, ledger.SecondBlind) },
		func() { first.Says(t, s.ID, 3, override(ledger.Contradicted)) }, // sealed
		func() { second.Says(t, s.ID, 3, override(ledger.Contradicted)) },
		func() { b.JudgeAgain(t, s.ID, "run-2") },
		func() { first.Says(t, s.ID, 3, override(ledger.Supported)) }, // sealed again
	} {
		step()
		whole, err := b.Session(b.Ctx, b.Tenant.ID, s.ID)
		require.NoError(t, err)
		want := pack.CompareLedger(v.Content.Ledger.Entries, pack.Entries(dbtest.Assess(whole), &pack.Provenance{}))
		got, err := b.ComparedWithLedger(b.Ctx, b.Tenant.ID, v.Content.Ledger)
		require.NoError(t, err)
		require.Equal(t, want, got, i)
		p := viewOf(t, b, v.Life.PackID)
		require.Equal(t, want, p.Changes, i)
		require.Equal(t, whole.Revision, p.Later, "the revision that everybody sees, after step %d", i)
		require.Equal(t, v.Content.ChangedSince(&want, nil), p.Since, i)
		for kind := range sinceOf(p) {
			found[kind] = true
		}
	}
	require.Equal(t, map[string]bool{pack.SinceContradicted: true, pack.SinceOverridden: true,
		pack.ClaimsChanged: true}, found)
}

// TestDocumentsWithdrawnSinceSubmission: of the ledger and of those that sources name, the documents that were
// withdrawn or erased after submission are in the alarm, and none that had been before.
func TestDocumentsWithdrawnSinceSubmission(t *testing.T) {
	b := dbtest.NewBoard(t)
	var all []*ledger.Session
	for _, name := range []string{"own", "named", "named and withdrawn before", "another"} {
		s := dbtest.SizedSession(2)
		for i := range s.Documents[0].Chunks {
			c := &s.Documents[0].Chunks[i]
			c.Text = name + ": " + c.Text
			c.Hash, c.Root = ledger.ChunkDigest(c.Text), ledger.TextDigest(c.Text)
		}
		b.AddSession(t, s)
		all = append(all, s)
	}
	own, named, before, another := all[0], all[1], all[2], all[3]
	source := func(s *ledger.Session) pack.EvidenceSource {
		out := dbtest.DecisionOf("x", "A2", 1).Evidence[0]
		out.InternalRef, out.Excerpt, out.ContentHash = s.Documents[0].ID, s.Documents[0].Chunks[0].Text, ""
		return out
	}
	b.WithdrawFirst(t, before)
	id := copying(t, b, "dec_1", own, source(named), source(before)).Life.PackID
	require.Empty(t, sinceOf(viewOf(t, b, id)))
	b.WithdrawFirst(t, another)
	require.Empty(t, sinceOf(viewOf(t, b, id)))

	b.WithdrawFirst(t, named)
	v := viewOf(t, b, id)
	require.Equal(t, map[string][]string{pack.SourcesWithdrawn: {named.Documents[0].ID}}, sinceOf(v))
	b.Erase(t, erasure.Document, named.Documents[0].ID)
	require.Equal(t, v.Since, viewOf(t, b, id).Since, "an erased one stays in it")
	b.Erase(t, erasure.Document, before.Documents[0].ID)
	b.WithdrawFirst(t, own)
	require.Equal(t, []string{own.Documents[0].ID, named.Documents[0].ID, before.Documents[0].ID},
		sinceOf(viewOf(t, b, id))[pack.SourcesWithdrawn])
}

// TestErasedLedgerIsAnAlarm: nobody can erase what a pack refers to (ER-2), but a store of which somebody deleted rows
// by hand says so.
func TestErasedLedgerIsAnAlarm(t *testing.T) {
	b := dbtest.NewBoard(t)
	s := dbtest.SizedSession(2)
	b.AddSession(t, s)
	id := copying(t, b, "dec_1", s).Life.PackID
	dbtest.Exec(t, dbtest.Unguarded(t, b.Dir), "UPDATE sessions SET id = 'gone' WHERE id = ?", s.ID)
	v := viewOf(t, b, id)
	require.Equal(t, map[string][]string{pack.SinceErased: {"clm_0", "clm_1"}}, sinceOf(v))
	require.Zero(t, v.Later)
}

// TestWhatChangesDuringRenderingIsAskedFor: the ledger changes after the approval was checked and before it is stored.
func TestWhatChangesDuringRenderingIsAskedFor(t *testing.T) {
	b := dbtest.NewBoard(t)
	s := dbtest.SizedSession(2)
	b.AddSession(t, s)
	v := copying(t, b, "dec_1", s)
	meanwhile := func(f *pack.Frozen, l *pack.Life) ([]byte, []byte, error) {
		b.As("a").Says(t, s.ID, 1, ledger.ReviewInput{Action: ledger.Override, Verdict: ledger.Contradicted,
			Reason: "Read."})
		return dbtest.Render(f, l)
	}
	_, err := b.ApprovePack(b.Ctx, b.Approver, dbtest.Approval(v), db.Answering{}, meanwhile)
	var missing *pack.MissingError
	require.ErrorAs(t, err, &missing)
	v = viewOf(t, b, v.Life.PackID)
	require.Empty(t, v.Life.Approvals)
	require.Len(t, v.Since, 2)
	require.Equal(t, []string{v.Since[0].ID, v.Since[1].ID}, missing.Alarms)

	given := dbtest.Approval(v)
	given.Acknowledged = append(given.Acknowledged, missing.Alarms...)
	signed, err := b.ApprovePack(b.Ctx, b.Approver, given, db.Answering{}, dbtest.Render)
	require.NoError(t, err)
	require.Equal(t, v.Since, signed.Life.Approvals[0].Since)
	require.Equal(t, v.Since, viewOf(t, b, v.Life.PackID).Life.Approvals[0].Since, "it is stored")
	b.VerifiedPack(t, v.Life.PackID)
}

// TestChangedClaimsAreReadAlone: of a ledger that has changed since, a pack reads as much whatever its size, and
// neither answer, passages nor evidence.
func TestChangedClaimsAreReadAlone(t *testing.T) {
	b := dbtest.NewBoard(t)
	read := func(decision string, claims int) (queries int) {
		s := dbtest.SizedSession(claims)
		b.AddSession(t, s)
		id := copying(t, b, decision, s).Life.PackID
		b.As("a").Says(t, s.ID, 3, ledger.ReviewInput{Action: ledger.Override, Verdict: ledger.Contradicted,
			Reason: "Read."})
		all := dbtest.SentBy(t, b.Fixture, func() error { _, err := b.Pack(b.Ctx, b.Tenant.ID, id); return err })
		for _, q := range all {
			for _, table := range []string{"answer_parts", "matches", "citations", "chunks"} {
				require.NotContains(t, q.Query, "FROM "+table)
			}
		}
		require.Len(t, viewOf(t, b, id).Since, 2)
		return len(all)
	}
	require.Equal(t, read("dec_1", 8), read("dec_2", 200))
}

// Open threads of a pack and of the claims that it copies are alarms while it waits, also after it was signed; each set
// of them is acknowledged by name.
func TestOpenThreadsAreAlarms(t *testing.T) {
	b := dbtest.NewBoard(t)
	s := dbtest.SizedSession(4)
	b.AddSession(t, s)
	first := b.As("a")
	first.Says(t, s.ID, 2, ledger.ReviewInput{Action: ledger.Comment, Reason: "Why?", Asks: true})
	first.Says(t, s.ID, 3, ledger.ReviewInput{Action: ledger.Comment, Reason: "Fine."})
	whole, err := b.Session(b.Ctx, b.Tenant.ID, s.ID)
	require.NoError(t, err)
	asked := whole.Claims[2].Reviews[0].ID
	v := copying(t, b, "dec_1", s)
	id := v.Life.PackID
	require.True(t, v.Content.Ledger.Entries[2].Reviews[0].Open, "pack.json says that it is open")
	require.Equal(t, map[string][]string{pack.ClaimThreads: {asked}}, sinceOf(viewOf(t, b, id)))
	require.Equal(t, []pack.OpenThread{{ID: asked, Claim: 3}}, viewOf(t, b, id).Threads)
	rows, _, err := b.Packs(b.Ctx, b.Tenant.ID, pack.Query{Limit: 10})
	require.NoError(t, err)
	require.Equal(t, len(v.Content.Alarms)+1, rows[0].Alarms, "lists count it as what an approver acknowledges")
	c, err := b.AddPackComment(b.Ctx, b.Second, id, pack.Comment{Text: "And this?", Asks: true}, "", nil)
	require.NoError(t, err)
	v = viewOf(t, b, id)
	require.Equal(t, map[string][]string{pack.ClaimThreads: {asked}, pack.PackThreads: {c.ID}}, sinceOf(v))

	ap := dbtest.Approval(v)
	ap.Acknowledged = ap.Acknowledged[:0]
	_, err = b.ApprovePack(b.Ctx, b.Approver, ap, db.Answering{}, dbtest.Render)
	require.ErrorContains(t, err, "cknowledge")
	first.Says(t, s.ID, 2, ledger.ReviewInput{Action: ledger.Resolve, Thread: asked})
	v = viewOf(t, b, id)
	require.Equal(t, map[string][]string{pack.PackThreads: {c.ID}}, sinceOf(v))
	v = b.Approve(t, b.Approver, v)
	require.Equal(t, pack.SignedOff, v.Life.State)
	require.Equal(t, []string{c.ID}, v.Life.Approvals[0].Since[0].IDs(), "who signed knew that it was open")
	require.NoError(t, b.Verified(b.Ctx, b.Tenant.ID, s.ID))

	reply, err := b.AddPackComment(b.Ctx, b.Drafter, id, pack.Comment{Text: "Yes.", Thread: c.ID}, "", nil) // signed
	require.NoError(t, err)
	require.Equal(t, c.ID, reply.Thread)
	_, err = b.AddPackComment(b.Ctx, b.Drafter, id, pack.Comment{Action: ledger.Resolve, Thread: c.ID}, "", nil)
	require.NoError(t, err)
	require.Empty(t, sinceOf(viewOf(t, b, id)))
}

// Of people who resolve a thread at the same moment one does, and of a thousand replies a hundred are stored.
func TestThreadsAtTheSameMoment(t *testing.T) {
	b := dbtest.NewBoard(t)
	id := b.Draft(t, "dec_1", "A2").Life.PackID
	c, err := b.AddPackComment(b.Ctx, b.Second, id, pack.Comment{Text: "Why?", Asks: true}, "", nil)
	require.NoError(t, err)
	results := make(chan error, 8)
	for range cap(results) {
		go func() {
			_, err := b.AddPackComment(b.Ctx, b.Drafter, id, pack.Comment{Action: ledger.Resolve, Thread: c.ID}, "", nil)
			results <- err
		}()
	}
	done := 0
	for range cap(results) {
		if err := <-results; err == nil {
			done++
		} else {
			require.Equal(t, domain.Conflict, domain.KindOf(err), err)
		}
	}
	require.Equal(t, 1, done)
	for n := range 1000 {
		_, err := b.AddPackComment(b.Ctx, b.Drafter, id, pack.Comment{Text: "So.", Thread: c.ID}, "", nil)
		if n < ledger.MaxReplies {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, "already has 100 replies")
		break
	}
	require.NoError(t, b.WithdrawPackComment(b.Ctx, b.Second, id, c.ID, "", nil))
	alone, err := b.AddPackComment(b.Ctx, b.Second, id, pack.Comment{Text: "Never mind."}, "", nil)
	require.NoError(t, err)
	require.NoError(t, b.WithdrawPackComment(b.Ctx, b.Second, id, alone.ID, "", nil))
	_, err = b.AddPackComment(b.Ctx, b.Drafter, id, pack.Comment{Text: "So.", Thread: alone.ID}, "", nil)
	require.ErrorContains(t, err, "was withdrawn")
	_, err = b.AddPackComment(b.Ctx, b.Drafter, id, pack.Comment{Text: "So.", Thread: "nothing"}, "", nil)
	require.Equal(t, domain.Invalid, domain.KindOf(err))
}
