package pack_test

import (
	"bytes"
	"encoding/base64"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
	"sanad/internal/words"
)

// TestChangedSince: each kind of change after submission is an alarm with an id of its own, which changes with what it
// is about.
func TestChangedSince(t *testing.T) {
	type change func(entries []pack.Entry, s *ledger.Session) ([]pack.Entry, *ledger.Session)
	entry := func(set func(e *pack.Entry)) change {
		return func(entries []pack.Entry, s *ledger.Session) ([]pack.Entry, *ledger.Session) {
			set(&entries[0])
			return entries, s
		}
	}
	override := func(v ledger.Verdict) change {
		return entry(func(e *pack.Entry) { e.Verdict, e.State = v, ledger.Overridden })
	}
	withdraw := func(e []pack.Entry, s *ledger.Session) ([]pack.Entry, *ledger.Session) {
		s.Documents[0].Withdrawn = "replaced"
		return e, s
	}
	seen := map[string]string{} // what each id is about
	for name, x := range map[string]struct {
		change change
		want   string
	}{
		"nothing":       {entry(func(*pack.Entry) {}), ""},
		"reviewed only": {entry(func(e *pack.Entry) { e.Reviews = nil }), ""},
		"contradicted":  {entry(func(e *pack.Entry) { e.Verdict = ledger.Contradicted }), "claims_contradicted_since[clm_001:contradicted]"},
		"other words, contradicted": {entry(func(e *pack.Entry) { e.ClaimText, e.Verdict = e.ClaimText+"!", ledger.Contradicted }),
			"claims_contradicted_since[clm_001:contradicted]"},
		"other words, unjudged": {entry(func(e *pack.Entry) { e.ClaimText, e.Verdict = e.ClaimText+"!", ledger.Unjudged }),
			"claims_changed[clm_001:]"},
		"overridden":       {override(ledger.Weak), "claims_overridden_since[clm_001:weak]"},
		"overridden anew":  {override(ledger.NotFound), "claims_overridden_since[clm_001:not_found]"},
		"both":             {override(ledger.Contradicted), "claims_contradicted_since[clm_001:contradicted] claims_overridden_since[clm_001:contradicted]"},
		"another verdict":  {entry(func(e *pack.Entry) { e.Verdict = ledger.Weak }), "claims_changed[clm_001:weak]"},
		"other words":      {entry(func(e *pack.Entry) { e.ClaimText += "!" }), "claims_changed[clm_001:supported]"},
		"withdrawn source": {withdraw, "sources_withdrawn[doc:]"},
		"the same passage elsewhere": {func(e []pack.Entry, s *ledger.Session) ([]pack.Entry, *ledger.Session) {
			other := s.Documents[0]
			other.Filename = "copy.pdf"
			s.Documents = append(s.Documents, other)
			return withdraw(e, s)
		}, ""},
		"erased claim": {func(e []pack.Entry, s *ledger.Session) ([]pack.Entry, *ledger.Session) { return e[1:], s },
			"claims_erased_since[clm_001:]"},
		"erased ledger": {func([]pack.Entry, *ledger.Session) ([]pack.Entry, *ledger.Session) { return nil, nil },
			"claims_erased_since[clm_001: clm_002: clm_003:]"},
	} {
		t.Run(name, func(t *testing.T) {
			l := reviewed(3)
			c := draftOf(hospital(), l)
			s := *l.Session
			s.Documents = slices.Clone(s.Documents)
			s.Documents[0].ID, c.Ledger.Entries[0].ChunkRoot = "doc", s.Documents[0].Chunks[0].Root
			c.Ledger.Entries[0].Verdict, c.Ledger.Entries[0].State = ledger.Supported, ledger.Confirmed
			entries, now := x.change(slices.Clone(c.Ledger.Entries), &s)
			changes := pack.CompareLedger(c.Ledger.Entries, entries)
			var documents []ledger.Document
			if now != nil {
				documents = now.Documents
			}
			since := c.ChangedSince(&changes, documents)
			var got []string
			for i := range since {
				var objects []string
				for _, o := range since[i].Objects {
					objects = append(objects, o.ID+":"+string(o.Now))
				}
				about := since[i].Kind + "[" + strings.Join(objects, " ") + "]"
				got = append(got, about)
				require.True(t, strings.HasPrefix(since[i].ID, since[i].Kind+":"))
				about += string(since[i].Objects[0].Was)
				if was, found := seen[since[i].ID]; found {
					require.Equal(t, was, about, "another change has another id")
				}
				seen[since[i].ID] = about
				for _, lang := range words.Langs {
					require.NotContains(t, since[i].Text(lang), "alarm.", lang)
				}
			}
			require.Equal(t, x.want, strings.Join(got, " "))
			require.Equal(t, x.want == "", pack.SinceDigest(since) == "")
		})
	}
}

// TestOverriddenAgain: an override is new where it says what another one said before submission too; a comment is not.
func TestOverriddenAgain(t *testing.T) {
	override := pack.Review{Action: ledger.Override, Verdict: ledger.Weak}
	c := draftOf(hospital(), reviewed(1))
	c.Ledger.Entries[0].Verdict, c.Ledger.Entries[0].State = ledger.Weak, ledger.Overridden
	c.Ledger.Entries[0].Reviews = []pack.Review{override}
	since := func(reviews ...pack.Review) []pack.Since {
		now := slices.Clone(c.Ledger.Entries)
		now[0].Reviews = append([]pack.Review{override}, reviews...)
		changes := pack.CompareLedger(c.Ledger.Entries, now)
		return c.ChangedSince(&changes, nil)
	}
	require.Empty(t, since(pack.Review{Action: ledger.Comment}))
	again := since(override)
	require.Len(t, again, 1)
	require.Equal(t, pack.SinceOverridden, again[0].Kind)
}

// TestWithdrawnSources: a source rests on the documents that have its passage, or else on those that it names.
func TestWithdrawnSources(t *testing.T) {
	root := ledger.TextDigest("x")
	document := func(id, withdrawn string) ledger.Document {
		return ledger.Document{ID: id, Key: "key-" + id, URI: "crm://" + id, Status: ledger.Ready, Withdrawn: withdrawn,
			Chunks: []ledger.Chunk{{Root: root}}}
	}
	erased := document("a", "Erased on 2026-03-02.")
	erased.Status = ledger.Erased
	for name, x := range map[string]struct {
		source    pack.EvidenceSource
		documents []ledger.Document
		want      []string
	}{
		"by its passage": {pack.EvidenceSource{Quote: pack.Quote{ChunkRoot: "sha256:" + root}},
			[]ledger.Document{document("a", "old")}, []string{"a"}},
		"its passage is in use elsewhere": {pack.EvidenceSource{URI: "crm://a", Quote: pack.Quote{ChunkRoot: "sha256:" + root}},
			[]ledger.Document{document("a", "old"), document("b", "")}, nil},
		"by id":    {pack.EvidenceSource{InternalRef: "a"}, []ledger.Document{document("a", "old")}, []string{"a"}},
		"by key":   {pack.EvidenceSource{InternalRef: "key-a"}, []ledger.Document{document("a", "old")}, []string{"a"}},
		"by URI":   {pack.EvidenceSource{URI: "crm://a"}, []ledger.Document{document("a", "old")}, []string{"a"}},
		"erased":   {pack.EvidenceSource{InternalRef: "a"}, []ledger.Document{erased}, []string{"a"}},
		"in use":   {pack.EvidenceSource{InternalRef: "a"}, []ledger.Document{document("a", "")}, nil},
		"another":  {pack.EvidenceSource{InternalRef: "b"}, []ledger.Document{document("a", "old")}, nil},
		"no names": {pack.EvidenceSource{}, []ledger.Document{{ID: "a", Withdrawn: "old", Status: ledger.Ready}}, nil},
		"of other words, by its name": {pack.EvidenceSource{InternalRef: "a", Quote: pack.Quote{
			ChunkRoot: "sha256:" + ledger.TextDigest("y")}}, []ledger.Document{document("a", "old")}, []string{"a"}},
	} {
		t.Run(name, func(t *testing.T) {
			c := pack.Content{Sources: []pack.EvidenceSource{x.source}}
			since := c.ChangedSince(&pack.Changes{}, x.documents)
			if x.want == nil {
				require.Empty(t, since)
				return
			}
			require.Len(t, since, 1)
			require.Equal(t, pack.SourcesWithdrawn, since[0].Kind)
			require.Equal(t, x.want, since[0].IDs())
		})
	}
}

// TestApprovalNamesWhatChanged: an approval that does not name each alarm about what changed since submission is
// refused with the ids that it lacks, and so is one that names an alarm that is gone.
func TestApprovalNamesWhatChanged(t *testing.T) {
	f := freeze(t, draftOf(hospital(), reviewed(3)))
	since := changed(f, "clm_001")
	all := append(allOf(f), since[0].ID)
	at := created.Add(time.Hour)
	var missing *pack.MissingError
	_, err := f.Content.CheckApproval("u2", at, &pack.Life{}, since, allOf(f))
	require.ErrorAs(t, err, &missing)
	require.Equal(t, []string{since[0].ID}, missing.Alarms)
	_, err = f.Content.CheckApproval("u2", at, &pack.Life{}, changed(f, "clm_002"), all)
	require.ErrorAs(t, err, &missing, "another change")
	_, err = f.Content.CheckApproval("u2", at, &pack.Life{}, nil, all)
	require.ErrorContains(t, err, "no alarm with this id")
	kept, err := f.Content.CheckApproval("u2", at, &pack.Life{}, since, all)
	require.NoError(t, err)
	require.Equal(t, all, kept)
}

// changed returns the alarm about a claim that was contradicted after submission.
func changed(f *pack.Frozen, claim string) []pack.Since {
	now := slices.Clone(f.Content.Ledger.Entries)
	for i := range now {
		if now[i].ClaimID == claim {
			now[i].Verdict = ledger.Contradicted
		}
	}
	changes := pack.CompareLedger(f.Content.Ledger.Entries, now)
	return f.Content.ChangedSince(&changes, nil)
}

// TestVerifyFindsWhatChangedSinceSubmission: whatever becomes of these alarms in a pack's files, a check names it; in
// the Statement also if the tenant's own key has signed it again.
func TestVerifyFindsWhatChangedSinceSubmission(t *testing.T) {
	f := freeze(t, draftOf(hospital(), reviewed(3)))
	since := changed(f, "clm_001")
	s := signOffSince(t, f, since, "u2")
	require.Equal(t, pack.Verified, pack.Verify(s.files, pack.Trust{Key: public}).Verdict)
	require.Equal(t, since, s.statement.Predicate.Approvals[0].Since)
	id := since[0].ID

	for name, x := range map[string]struct {
		change func(a *pack.StatementApproval)
		check  string
	}{
		"removed":          {func(a *pack.StatementApproval) { a.Since = nil }, pack.CheckPolicy},
		"not acknowledged": {func(a *pack.StatementApproval) { a.Acknowledged = allOf(f) }, pack.CheckPolicy},
		"removed, with what was acknowledged": {func(a *pack.StatementApproval) { a.Since, a.Acknowledged = nil, allOf(f) },
			pack.CheckLog},
		"about another claim": {func(a *pack.StatementApproval) { a.Since[0].Objects[0].ID = "clm_002" }, pack.CheckPolicy},
		"another verdict":     {func(a *pack.StatementApproval) { a.Since[0].Objects[0].Now = ledger.Weak }, pack.CheckPolicy},
		"of another kind":     {func(a *pack.StatementApproval) { a.Since[0].Kind = pack.ClaimsChanged }, pack.CheckPolicy},
		"about nothing":       {func(a *pack.StatementApproval) { a.Since[0].Objects = nil }, pack.CheckPolicy},
		"another alarm in its place": {func(a *pack.StatementApproval) {
			a.Since = changed(f, "clm_002")
			a.Acknowledged = append(allOf(f), a.Since[0].ID)
		}, pack.CheckLog},
	} {
		t.Run(name, func(t *testing.T) {
			s := signOffSince(t, f, changed(f, "clm_001"), "u2")
			x.change(&s.statement.Predicate.Approvals[0])
			payload, err := s.statement.Bytes()
			require.NoError(t, err)
			envelope, err := pack.Sign(payload, key)
			require.NoError(t, err)
			s.files.Envelope, s.files.Bundle = bytesOf(t, envelope), bytesOf(t, pack.NewBundle(envelope))
			r := pack.Verify(s.files, pack.Trust{Key: public})
			require.Equal(t, pack.OK, r.Status(pack.CheckSignature))
			require.Equal(t, pack.Failed, r.Status(x.check), "%+v", r.Checks)
			require.Equal(t, pack.Refused, r.Verdict)
		})
	}

	t.Run("not signed again", func(t *testing.T) {
		envelope := *s.envelope
		payload, err := base64.StdEncoding.DecodeString(envelope.Payload)
		require.NoError(t, err)
		require.Contains(t, string(payload), id)
		envelope.Payload = base64.StdEncoding.EncodeToString(bytes.ReplaceAll(payload, []byte(id), []byte("x")))
		files := s.files
		files.Envelope = bytesOf(t, &envelope)
		require.Equal(t, pack.Failed, pack.Verify(files, pack.Trust{Key: public}).Status(pack.CheckSignature))
	})
}
