package audit

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/audit"
	"sanad/internal/views/say"
	"sanad/internal/views/viewtest"
)

const someID = "6b1f6c1e-0c52-4a56-9a35-0d9a3a0f5b11"

func TestAuditPageKeepsItsFilters(t *testing.T) {
	first := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	in := Input{Query: audit.Query{Action: "claim.", Actor: someID, From: first, To: first.AddDate(0, 0, 30)}, Next: 41,
		Rows: []say.Event{{Seq: 42}}}
	p := NewPage(viewtest.ChromeAt("en", "/audit"), in)
	require.Equal(t, "/audit?action=claim&actor="+someID+"&before=41&from=2026-11-01&to=2026-11-30", p.NextHref)
	require.Equal(t, "/audit?action=claim&actor="+someID+"&from=2026-11-01&to=2026-11-30", p.FirstHref)
	require.Contains(t, viewtest.Html(t, Show(p)), "&amp;before=41")
	in.Next = 0
	require.NotContains(t, viewtest.Html(t, Show(NewPage(viewtest.ChromeAt("en", "/audit"), in))), `rel="next"`)
}

func TestReportSaysWhatWasFound(t *testing.T) {
	in := Input{Report: &Report{Report: audit.Report{Size: 12, FirstBad: 5,
		Faults:         []audit.Fault{{Kind: "column", Seq: 5, Detail: "actor"}, {Kind: "missing", Seq: 1200}},
		CheckpointFile: "is ahead of the database"}}}
	page := viewtest.Html(t, Show(NewPage(viewtest.ChromeAt("en", "/audit"), in)))
	require.Contains(t, page, "alert-bad")
	require.Contains(t, page, "Event 5: the stored \u2068actor\u2069 does not match the event’s bytes.")
	require.Contains(t, page, "Event 1,200 is missing.")
	arabic := viewtest.Html(t, Show(NewPage(viewtest.ChromeAt("ar", "/audit"), in)))
	require.Contains(t, arabic, "الحدث 5: ")
	require.NotContains(t, arabic, "does not match the event’s bytes")
	require.Contains(t, page, "<dd><b>5</b></dd>")
	require.Contains(t, page, "Ahead of the database")
	in.Report = &Report{Report: audit.Report{Size: 12, CheckpointFile: "agrees"}}
	page = viewtest.Html(t, Show(NewPage(viewtest.ChromeAt("ar", "/audit"), in)))
	require.Contains(t, page, "سجل التدقيق سليم")
	require.NotContains(t, page, "أول حدث معطوب")
}

// Each family of actions and each result of comparing checkpoints has a message.
func TestEveryFamilyAndCheckpointResultHasAMessage(t *testing.T) {
	viewtest.HasWords(t, map[string][]string{"family_": EventFamilies,
		"aud_checkpoint_file_": slices.Collect(maps.Values(checkpointFileWords))})
}
