package audit

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/audit"
	"sanad/internal/views/ui"
	"sanad/internal/views/viewtest"
)

const someID = "6b1f6c1e-0c52-4a56-9a35-0d9a3a0f5b11"

func TestEventLines(t *testing.T) {
	en := viewtest.ChromeAt("en", "/audit")
	for name, c := range map[string]struct {
		in   ui.EventRow
		want ui.EventLine
	}{
		"a person known today": {
			ui.EventRow{Seq: 7, Actor: someID, Name: "Huda", Action: "session.imported", Kind: "session",
				ObjectID: someID},
			ui.EventLine{Who: "Huda", Known: true, Action: "Session imported", Object: "Session \u20686b1f6c1e\u2069",
				ObjectHref: "/sessions/" + someID},
		},
		"one who has left": {
			ui.EventRow{Actor: someID, Action: "user.disabled", Kind: "user", ObjectID: someID},
			ui.EventLine{Who: "6b1f6c1e", Action: "Access disabled", Object: "Person \u20686b1f6c1e\u2069",
				ObjectHref: "/admin/users/" + someID},
		},
		"the operator": {ui.EventRow{Actor: domain.Operator, Action: "tenant.added"},
			ui.EventLine{Who: "Operator", Known: true, Action: "Organisation added"}},
		"an unknown action": {ui.EventRow{Actor: "x", Action: "new.thing", Kind: "thing", ObjectID: "1"},
			ui.EventLine{Who: "x", Action: "new.thing", Object: "thing \u20681\u2069"}},
	} {
		t.Run(name, func(t *testing.T) {
			l := en.EventLine(c.in)
			require.Equal(t, c.want,
				ui.EventLine{Who: l.Who, Known: l.Known, Action: l.Action, Object: l.Object, ObjectHref: l.ObjectHref})
		})
	}
}

func TestAuditPageKeepsItsFilters(t *testing.T) {
	first := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	in := Input{Query: audit.Query{Action: "claim.", Actor: someID, From: first, To: first.AddDate(0, 0, 30)}, Next: 41,
		Rows: []ui.EventRow{{Seq: 42}}}
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
	require.Contains(t, page, "Event 5: its \u2068actor\u2069 is not what its bytes say.")
	require.Contains(t, page, "Event 1,200 is missing.")
	arabic := viewtest.Html(t, Show(NewPage(viewtest.ChromeAt("ar", "/audit"), in)))
	require.Contains(t, arabic, "الحدث 5: ")
	require.NotContains(t, arabic, "is not what its bytes say")
	require.Contains(t, page, "<dd><b>5</b></dd>")
	require.Contains(t, page, "Ahead of the database")
	in.Report = &Report{Report: audit.Report{Size: 12, CheckpointFile: "agrees"}}
	page = viewtest.Html(t, Show(NewPage(viewtest.ChromeAt("ar", "/audit"), in)))
	require.Contains(t, page, "السجل سليم")
	require.NotContains(t, page, "أول حدث معطوب")
}

// Each family of actions and each result of comparing checkpoints has a message.
func TestEveryFamilyAndCheckpointResultHasAMessage(t *testing.T) {
	viewtest.HasWords(t, map[string][]string{"family_": EventFamilies,
		"aud_checkpoint_file_": slices.Collect(maps.Values(checkpointFileWords))})
}
