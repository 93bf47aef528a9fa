package pack_test

import (
	"slices"
	"strings"
	"testing"

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
	seen := map[string]string{}
	for name, x := range map[string]struct {
		change change
		want   string
	}{
		"nothing":          {entry(func(*pack.Entry) {}), ""},
		"reviewed only":    {entry(func(e *pack.Entry) { e.Reviews = nil }), ""},
		"contradicted":     {entry(func(e *pack.Entry) { e.Verdict = ledger.Contradicted }), "claims_contradicted_since[clm_001:contradicted]"},
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
			since := c.ChangedSince(&changes, now)
			var got []string
			for i := range since {
				var objects []string
				for _, o := range since[i].Objects {
					objects = append(objects, o.ID+":"+string(o.Now))
				}
				got = append(got, since[i].Kind+"["+strings.Join(objects, " ")+"]")
				require.True(t, strings.HasPrefix(since[i].ID, since[i].Kind+":"))
				require.Empty(t, seen[since[i].ID], "another change has another id")
				if name != "both" {
					seen[since[i].ID] = name
				}
				for _, lang := range words.Langs {
					require.NotContains(t, since[i].Text(lang), "alarm.", lang)
				}
			}
			require.Equal(t, x.want, strings.Join(got, " "))
			require.Equal(t, x.want == "", pack.SinceDigest(since) == "")
		})
	}
}
