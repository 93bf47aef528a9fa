package packs

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
)

// TestPackWordsComplete checks that there is a word for everything that a pack can contain.
func TestPackWordsComplete(t *testing.T) {
	ids := []string{"level_mandatory", "level_recommended", "level_skip", "class_S2", "class_S3", "role_viewer",
		"role_reviewer", "role_approver", "role_admin"}
	for _, s := range pack.States {
		ids = append(ids, "status_"+string(s))
	}
	for _, s := range pack.SourceKinds {
		ids = append(ids, "kind_"+s)
	}
	for _, s := range pack.VerificationStatuses {
		ids = append(ids, "call_"+s)
	}
	for _, s := range ledger.ReviewStates {
		ids = append(ids, "state_"+string(s))
	}
	for _, lang := range languages {
		for _, id := range ids {
			require.NotEqual(t, id, lang.T(id), "%s has no word for it", lang.Code)
		}
		for _, r := range pack.Reasons {
			require.NotEmpty(t, lang.reason(r))
		}
	}
}

// TestPackNames checks that values of another version are shown unchanged.
func TestPackNames(t *testing.T) {
	for i := range languages {
		p := &languages[i]
		require.Equal(t, "hologram", p.name("kind_", "hologram"))
		require.Equal(t, "no time", p.instant("no time"))
		require.Equal(t, "–", p.share(nil))
		require.Equal(t, "70%", p.share(new(0.695)))
		require.Equal(t, "a rule of later", p.reason(pack.Reason{Name: "a rule of later"}))
	}
}

// TestPackNotes checks that verdict.v1's sentences without quotations are in both languages.
func TestPackNotes(t *testing.T) {
	for _, matches := range [][]ledger.Match{nil, {{Support: ledger.None, Similarity: 0.9}}} {
		said := ledger.DecideVerdict(matches).Notes()
		require.Equal(t, said, languages[0].note(said))
		require.Regexp(t, `^\p{Arabic}`, languages[1].note(said))
	}
	require.Equal(t, "another's words", languages[1].note("another's words"))
}
