package db_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/erasure"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
)

// copying returns a pack in review that copies a session's ledger and has further sources.
func (b *board) copying(t testing.TB, id string, s *ledger.Session, sources ...pack.EvidenceSource) *db.PackView {
	t.Helper()
	dbtest.Ask(t, b.Store, b.tenant.ID, pack.Off, pack.PolicyRules...)
	d := decisionOf(id, "A2", 1)
	d.LedgerSessionID = s.ID
	d.Evidence = append(d.Evidence, sources...)
	b.decide(t, d)
	v, err := b.CreatePack(b.ctx, b.drafter, id, db.Answering{})
	require.NoError(t, err)
	return b.submit(t, v)
}

func (b *board) pack(t testing.TB, id string) *db.PackView {
	t.Helper()
	v, err := b.Pack(b.ctx, b.tenant.ID, id)
	require.NoError(t, err)
	return v
}

// withdraw takes the first document of a session out of use.
func (b *board) withdraw(t testing.TB, s *ledger.Session) (document string) {
	t.Helper()
	document = s.Documents[0].ID
	_, err := b.WithdrawDocument(b.ctx, b.drafter, document, "old", "",
		func(s *ledger.Session, position int) (*db.Withdrawal, error) {
			affected, done := s.Withdraw(position, "old", now)
			require.True(t, done)
			return &db.Withdrawal{Ledger: assess(s), Affected: affected}, nil
		})
	require.NoError(t, err)
	return document
}

// sinceOf lists the objects of each alarm about what changed.
func sinceOf(v *db.PackView) map[string][]string {
	out := map[string][]string{}
	for i := range v.Since {
		out[v.Since[i].Kind] = v.Since[i].IDs()
	}
	return out
}

// TestChangedClaimsAreThoseOfTheWholeLedger: a pack reads only the claims that changed since submission, and finds what
// a comparison with the whole ledger finds, also where reviews are sealed.
func TestChangedClaimsAreThoseOfTheWholeLedger(t *testing.T) {
	b := newBoard(t)
	s := sizedSession(9)
	b.insert(t, s)
	first, second := b.as("a"), b.as("b")
	first.says(t, s.ID, 7, ledger.ReviewInput{Action: ledger.Override, Verdict: ledger.Weak, Reason: "Read."})
	v := b.copying(t, "dec_1", s)
	override := func(v ledger.Verdict) ledger.ReviewInput {
		return ledger.ReviewInput{Action: ledger.Override, Verdict: v, Reason: "Read."}
	}
	found := map[string]bool{}
	for i, step := range []func(){
		func() {},
		func() { first.says(t, s.ID, 0, override(ledger.Contradicted)) },
		func() { second.says(t, s.ID, 1, confirm) },
		func() { second.says(t, s.ID, 2, ledger.ReviewInput{Action: ledger.Comment, Reason: "Hm."}) },
		func() { first.says(t, s.ID, 0, ledger.ReviewInput{Action: ledger.Undo}) },
		func() { first.says(t, s.ID, 7, override(ledger.Weak)) },
		func() { first.assign(t, s.ID, ledger.Seats{{ID: "a"}, {ID: "b"}}, ledger.SecondBlind) },
		func() { first.says(t, s.ID, 3, override(ledger.Contradicted)) }, // sealed
		func() { second.says(t, s.ID, 3, override(ledger.Contradicted)) },
		func() { b.judgeAgain(t, s.ID, "run-2") },
		func() { first.says(t, s.ID, 3, override(ledger.Supported)) }, // sealed again
	} {
		step()
		whole, err := b.Session(b.ctx, b.tenant.ID, s.ID)
		require.NoError(t, err)
		want := pack.CompareLedger(v.Content.Ledger.Entries, pack.Entries(assess(whole), &pack.Provenance{}))
		got, err := b.ComparedWithLedger(b.ctx, b.tenant.ID, v.Content.Ledger)
		require.NoError(t, err)
		require.Equal(t, want, got, i)
		p := b.pack(t, v.Life.PackID)
		require.Equal(t, want, p.Changes, i)
		require.Equal(t, whole.Revision, p.Later, "the revision that everybody sees, after step %d", i)
		require.Equal(t, v.Content.ChangedSince(&want, nil), p.Since, i)
		for kind := range sinceOf(p) {
			found[kind] = true
		}
	}
	require.Equal(t, map[string]bool{pack.SinceContradicted: true, pack.SinceOverridden: true, pack.ClaimsChanged: true}, found)
}

// TestDocumentsWithdrawnSinceSubmission: of the ledger and of those that sources name, the documents that were
// withdrawn or erased after submission are in the alarm, and none that had been before.
func TestDocumentsWithdrawnSinceSubmission(t *testing.T) {
	b := newBoard(t)
	var all []*ledger.Session
	for _, name := range []string{"own", "named", "named and withdrawn before", "another"} {
		s := sizedSession(2)
		for i := range s.Documents[0].Chunks {
			c := &s.Documents[0].Chunks[i]
			c.Text = name + ": " + c.Text
			c.Hash, c.Root = ledger.ChunkDigest(c.Text), ledger.TextDigest(c.Text)
		}
		b.insert(t, s)
		all = append(all, s)
	}
	own, named, before, another := all[0], all[1], all[2], all[3]
	source := func(s *ledger.Session) pack.EvidenceSource {
		out := decisionOf("x", "A2", 1).Evidence[0]
		out.InternalRef, out.Excerpt, out.ContentHash = s.Documents[0].ID, s.Documents[0].Chunks[0].Text, ""
		return out
	}
	b.withdraw(t, before)
	id := b.copying(t, "dec_1", own, source(named), source(before)).Life.PackID
	require.Empty(t, b.pack(t, id).Since)
	b.withdraw(t, another)
	require.Empty(t, b.pack(t, id).Since)

	b.withdraw(t, named)
	v := b.pack(t, id)
	require.Equal(t, map[string][]string{pack.SourcesWithdrawn: {named.Documents[0].ID}}, sinceOf(v))
	b.erase(t, erasure.Document, named.Documents[0].ID)
	require.Equal(t, v.Since, b.pack(t, id).Since, "an erased one stays in it")
	b.erase(t, erasure.Document, before.Documents[0].ID)
	b.withdraw(t, own)
	require.Equal(t, []string{own.Documents[0].ID, named.Documents[0].ID, before.Documents[0].ID},
		sinceOf(b.pack(t, id))[pack.SourcesWithdrawn])
}

// TestErasedLedgerIsAnAlarm: nobody can erase what a pack refers to (ER-2), but a store of which somebody deleted rows
// by hand says so.
func TestErasedLedgerIsAnAlarm(t *testing.T) {
	b := newBoard(t)
	s := sizedSession(2)
	b.insert(t, s)
	id := b.copying(t, "dec_1", s).Life.PackID
	must(t, unguarded(t, b.dir), "UPDATE sessions SET id = 'gone' WHERE id = ?", s.ID)
	v := b.pack(t, id)
	require.Equal(t, map[string][]string{pack.SinceErased: {"clm_0", "clm_1"}}, sinceOf(v))
	require.Zero(t, v.Later)
}

// TestWhatChangesDuringRenderingIsAskedFor: the ledger changes after the approval was checked and before it is stored.
func TestWhatChangesDuringRenderingIsAskedFor(t *testing.T) {
	b := newBoard(t)
	s := sizedSession(2)
	b.insert(t, s)
	v := b.copying(t, "dec_1", s)
	meanwhile := func(f *pack.Frozen, l *pack.Life) ([]byte, []byte, error) {
		b.as("a").says(t, s.ID, 1, ledger.ReviewInput{Action: ledger.Override, Verdict: ledger.Contradicted, Reason: "Read."})
		return render(f, l)
	}
	_, err := b.ApprovePack(b.ctx, b.approver, approval(v), db.Answering{}, meanwhile)
	var missing *pack.MissingError
	require.ErrorAs(t, err, &missing)
	v = b.pack(t, v.Life.PackID)
	require.Empty(t, v.Life.Approvals)
	require.Len(t, v.Since, 2)
	require.Equal(t, []string{v.Since[0].ID, v.Since[1].ID}, missing.Alarms)

	given := approval(v)
	given.Acknowledged = append(given.Acknowledged, missing.Alarms...)
	signed, err := b.ApprovePack(b.ctx, b.approver, given, db.Answering{}, render)
	require.NoError(t, err)
	require.Equal(t, v.Since, signed.Life.Approvals[0].Since)
	require.Equal(t, v.Since, b.pack(t, v.Life.PackID).Life.Approvals[0].Since, "it is stored")
	b.verified(t, v.Life.PackID)
}

// TestChangedClaimsAreReadAlone: of a ledger that has changed since, a pack reads as much whatever its size, and
// neither answer, passages nor evidence.
func TestChangedClaimsAreReadAlone(t *testing.T) {
	b := newBoard(t)
	read := func(decision string, claims int) (queries int) {
		s := sizedSession(claims)
		b.insert(t, s)
		id := b.copying(t, decision, s).Life.PackID
		b.as("a").says(t, s.ID, 3, ledger.ReviewInput{Action: ledger.Override, Verdict: ledger.Contradicted, Reason: "Read."})
		all := sentBy(t, b.fixture, func() error { _, err := b.Pack(b.ctx, b.tenant.ID, id); return err })
		for _, q := range all {
			for _, table := range []string{"answer_parts", "matches", "citations", "chunks"} {
				require.NotContains(t, q.query, "FROM "+table)
			}
		}
		require.Len(t, b.pack(t, id).Since, 2)
		return len(all)
	}
	require.Equal(t, read("dec_1", 8), read("dec_2", 200))
}
