package packs

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/pack"
	"sanad/internal/domain/text/redline"
	"sanad/internal/views/viewtest"
)

// TestCompareShowsEveryPart: whatever part differs has its section, its label and its words in the reader's language.
func TestCompareShowsEveryPart(t *testing.T) {
	two, _ := redline.Compare("get 1", "get 2")
	change := pack.Changes{
		Decision: []pack.FieldChange{{Name: "approval_class", Old: "A2", New: "A3"}, {Name: "ledger_session_id", New: "s1"}},
		Calls: []pack.ItemChange{{Kind: pack.MendChanged, Name: "crm.get", Fields: []pack.FieldChange{
			{Name: "intended_action", Old: "get 1", New: "get 2", Pieces: two},
			{Name: "verification_status", Old: "verified", New: "failed"}}}},
		Prompts:        []pack.ItemChange{{Kind: pack.MendAdded, Name: "reason", Fields: []pack.FieldChange{{Name: "template_version", New: "1.2"}}}},
		Attachments:    []pack.ItemChange{{Kind: pack.MendRemoved, Name: "محضر.pdf", Fields: []pack.FieldChange{{Name: "sha256", Old: "ab"}}}},
		Policy:         []pack.FieldChange{{Name: pack.JudgementRecent, Old: "off", New: "must 90"}, {Name: "version", Old: "1", New: "2"}},
		SourcesChanged: []pack.SourceChange{{Source: "crm", OldHash: "h", NewHash: "h", Fields: []pack.FieldChange{{Name: "confidence", Old: "0.5", New: "0.9"}}}},
	}
	for lang, want := range map[string][]string{
		"en": {"Approval class", "one approver", "two approvers", "Session", "Intended", "Reported by the system", "Failed", "crm.get",
			"Prompts", "1.2", "Attachments", "محضر.pdf", "removed", "Sign-off policy", "Required", "90 days", "50%", "90%"},
		"ar": {"الجلسة", "سياسة الاعتماد", "إلزامي", "90 يومًا", "أُضيف", "حُذف", "محضر.pdf"},
	} {
		c := viewtest.ChromeAt(lang, "/packs/p/compare")
		page := viewtest.Html(t, Compare(NewComparePage(c, CompareInput{Changes: change, Old: Version{ID: "p1"}, New: Version{ID: "p2"}})))
		for _, text := range want {
			require.Contains(t, page, text, lang)
		}
		require.NotRegexp(t, `pk_cmp_|pk_class_|policy\.|<no value>`, page)
	}
}
