package app

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
	"sanad/internal/exporters"
)

// falseClaim is a session whose only claim its source does not hold.
const falseClaim = `{"format": "sanad.session/v1", "session": {"title": "Fees", "query": "What is the fee?",
	"answer": "The Moon is made of green cheese."},
	"documents": [{"id": "d", "filename": "fees.txt", "chunks": [{"id": "c", "text": "The fee for a permit is 5 euros."}]}],
	"claims": [{"claim_id": "c1", "claim_text": "The Moon is made of green cheese.", "claim_type": "fact",
	"importance": "critical", "start_offset": 0, "end_offset": 33}]}`

// forged returns an exported ledger that was edited: its false claim is judged supported with 0.9652 and confirmed by
// somebody who never saw it.
func forged(t *testing.T, s *ledger.Session) []byte {
	t.Helper()
	c := &s.Claims[0]
	c.Unjudged, c.Judge = "", "lexical"
	c.Matches = []ledger.Match{{Similarity: 0.9652, Support: ledger.Full, Snippet: "The fee"}}
	c.Reviews = []ledger.Review{{Actor: "Alpha Approver", Role: "approver", At: testTime, Action: ledger.Confirm,
		Verdict: ledger.Supported, Reason: "read it all"}}
	l := ledger.Assess(s, ledger.DefaultFreshness)
	require.Equal(t, ledger.Supported, l.Entries[0].Verdict)
	var b strings.Builder
	require.NoError(t, exporters.JSON(&b, &l))
	require.Contains(t, b.String(), "0.9652")
	return []byte(b.String())
}

// TestForgedLedgerSettlesNothing imports an edited export into another tenant: the file's review and figure are shown
// as the file's, with its name and who brought it, and the claim has our judge's verdict and no review.
func TestForgedLedgerSettlesNothing(t *testing.T) {
	f := newFixture(t)
	first, err := f.importer().Import(f.ctx, read(t, falseClaim), nil)
	require.NoError(t, err)
	s, err := f.store.Session(f.ctx, f.actor.Tenant, first.SessionID)
	require.NoError(t, err)
	honest := ledger.Assess(s, ledger.DefaultFreshness).Entries[0].Verdict
	require.NotEqual(t, ledger.Supported, honest)

	other, err := f.store.EnsureTenant(f.ctx, "other", "Other")
	require.NoError(t, err)
	in := f.importer()
	in.Actor, in.File = access.Actor{Tenant: other.ID, ID: "u1", User: "Noura", Role: access.Reviewer}, "fees.json"
	taken, err := in.Import(f.ctx, read(t, string(forged(t, s))), nil)
	require.NoError(t, err)
	require.Contains(t, taken.Warnings[len(taken.Warnings)-1].Msg, "do not settle claims here")

	got, err := f.store.Session(f.ctx, other.ID, taken.SessionID)
	require.NoError(t, err)
	l := ledger.Assess(got, ledger.DefaultFreshness)
	e := l.Entries[0]
	require.Equal(t, honest, e.Verdict)
	require.Equal(t, ledger.Unreviewed, e.State)
	require.Empty(t, e.Claim.Reviews)
	said := e.Claim.Imported[0]
	require.Equal(t, []any{"lexical", ledger.Supported, 0.9652}, []any{said.Judge, said.Verdict, said.Confidence})
	require.Equal(t, "Alpha Approver", said.Reviews[0].Actor)
	from := got.ImportOf(&said)
	require.Equal(t, []any{"fees.json", "u1", "Noura", ""}, []any{from.File, from.By, from.ByName, from.Store})
	require.True(t, from.At.Equal(testTime))

	for _, e := range pack.Entries(&l, &pack.Provenance{}) {
		require.Equal(t, honest, e.Verdict)
		require.Empty(t, e.Reviews, "nobody here has reviewed it")
	}
	for _, name := range []string{"markdown", "json"} {
		format, err := exporters.FormatByName(name)
		require.NoError(t, err)
		file, err := format.Render(&l)
		require.NoError(t, err)
		require.Contains(t, string(file), "fees.json", "every export names the file")
		require.Contains(t, string(file), "Noura")
	}
}

// TestTrustedStore imports a signed export: under a key that the tenant trusts it names the other store, unless a byte
// of it was changed; the claims are judged again all the same.
func TestTrustedStore(t *testing.T) {
	f := newFixture(t)
	first, err := f.importer().Import(f.ctx, read(t, falseClaim), nil)
	require.NoError(t, err)
	reviewer := access.Actor{Tenant: f.actor.Tenant, ID: "u2", User: "Amal", Role: access.Reviewer, Human: true}
	_, err = f.store.Review(f.ctx, reviewer, first.SessionID, db.ReviewRequest{Decision: ledger.Decision{
		ReviewInput: ledger.ReviewInput{Action: ledger.Override, Verdict: ledger.Supported, Reason: "seen"},
		At:          testTime.Add(time.Hour), NewID: func() string { return "r" }}})
	require.NoError(t, err)
	s, err := f.store.Session(f.ctx, f.actor.Tenant, first.SessionID)
	require.NoError(t, err)
	format, err := exporters.FormatByName("json")
	require.NoError(t, err)
	file := f.export(t, s, format)
	require.Equal(t, file, f.export(t, s, format), "the same ledger has one signature")
	keys, err := f.store.Keys(f.ctx, f.actor.Tenant)
	require.NoError(t, err)
	var public []byte
	for _, k := range keys {
		if k.Purpose == "sign" {
			public = k.Public
		}
	}

	for name, c := range map[string]struct {
		trust bool
		file  string
		store string
	}{
		"no key is trusted by default": {false, file, ""},
		"a trusted key":                {true, file, "Head office"},
		"laid out otherwise":           {true, strings.ReplaceAll(file, "\n", ""), "Head office"},
		"a changed reviewer":           {true, strings.Replace(file, "Amal", "Alpha", 1), ""},
		"a changed question":           {true, strings.Replace(file, "What is the fee?", "What is a fee?", 1), ""},
		"another field":                {true, strings.Replace(file, `"summary": {`, `"more": 1, "summary": {`, 1), ""},
		"without its signature":        {true, strings.Replace(file, `"signature": {`, `"signed": {`, 1), ""},
	} {
		t.Run(name, func(t *testing.T) {
			other, err := f.store.EnsureTenant(f.ctx, "t"+strings.ReplaceAll(name, " ", "-"), "Other")
			require.NoError(t, err)
			in := f.importer()
			in.Actor = access.Actor{Tenant: other.ID, ID: "u1", User: "Noura", Role: access.Admin}
			if c.trust {
				_, err = f.store.TrustKey(f.ctx, in.Actor, "Head office", public)
				require.NoError(t, err)
			}
			taken, err := in.Import(f.ctx, read(t, c.file), nil)
			require.NoError(t, err)
			got, err := f.store.Session(f.ctx, other.ID, taken.SessionID)
			require.NoError(t, err)
			require.Equal(t, c.store, got.Imports[0].Store)
			e := ledger.Assess(got, ledger.DefaultFreshness).Entries[0]
			require.NotEqual(t, ledger.Supported, e.Verdict, "our judge's verdict stands")
			require.Equal(t, ledger.Unreviewed, e.State)
			require.Len(t, e.Claim.Imported[0].Reviews, 1)
		})
	}
}
