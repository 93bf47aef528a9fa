package ui_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/audit"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
	"sanad/internal/views/viewtest"
)

func flat(said []say.Piece) string {
	out := ""
	for _, p := range said {
		out += p.Text
	}
	return out
}

func row(action, kind, id, details string) say.Event {
	var f audit.Facts
	if err := json.Unmarshal([]byte(`{"details":`+details+`}`), &f); err != nil {
		panic(err)
	}
	names := audit.Names{Things: map[audit.Ref]audit.Name{{Kind: "session", ID: "s"}: {Text: "Leave policy"}}}
	return say.Event{Action: action, Kind: kind, ObjectID: id, Actor: "sara", Name: "Sara", Facts: &f, Names: &names}
}

// TestTrailFoldsEqualEventsByDay checks that equal events of one person in a row are one line that opens to the list.
func TestTrailFoldsEqualEventsByDay(t *testing.T) {
	c := viewtest.ChromeAt("en", "/audit")
	at := time.Date(2026, 11, 24, 9, 0, 0, 0, time.UTC)
	var rows []say.Event
	add := func(n int, r say.Event) {
		for range n {
			r.At, r.Seq = at, int64(len(rows)+1)
			rows = append(rows, r)
		}
	}
	confirm := row("claim.reviewed", "session", "s", `{"claim":4,"action":"confirm","verdict":"supported"}`)
	add(12, confirm)
	add(1, row("claim.reviewed", "session", "s", `{"claim":4,"action":"comment"}`))
	other := confirm
	other.Actor, other.Name = "omar", "Omar"
	add(1, other)
	add(3, row("log.verified", "tenant", "z", `{"ok":true}`))
	at = at.AddDate(0, 0, -1)
	add(2, row("log.verified", "tenant", "z", `{"ok":true}`))
	days := c.Trail(rows)
	require.Len(t, days, 2)
	require.Equal(t, []string{"24 Nov 2026", "23 Nov 2026"}, []string{days[0].Date, days[1].Date})
	require.Len(t, days[0].Groups, 4)
	require.Equal(t, "Sara confirmed 12 claims in Leave policy, one by one", flat(days[0].Groups[0].Said))
	require.Len(t, days[0].Groups[0].Lines, 12)
	require.Nil(t, days[0].Groups[1].Said)
	require.Equal(t, "Sara: Log verified, 3 times", flat(days[0].Groups[3].Said))
	require.Len(t, days[1].Groups, 1, "a day is not joined to another")
	page := viewtest.Html(t, ui.Trail(&c, days, true))
	for seq := range int64(len(rows)) {
		require.Contains(t, page, `<li id="e`+c.Num(int(seq+1))+`"`, "each event is on the page")
	}
	ar := viewtest.ChromeAt("ar", "/audit")
	require.Equal(t, "Sara: تأكيد حكم 12 إفادة في Leave policy، واحدة واحدة", flat(ar.Trail(rows)[0].Groups[0].Said))
}

// TestTrailTellsBulkStepsApart: claims confirmed in one step, in another one, and one by one, are three lines.
func TestTrailTellsBulkStepsApart(t *testing.T) {
	c := viewtest.ChromeAt("en", "/audit")
	var rows []say.Event
	for i, batch := range []string{"a", "a", "b", "b", "b", "", ""} {
		r := row("claim.reviewed", "session", "s", `{"claim":4,"action":"confirm","verdict":"supported","batch":"`+batch+`"}`)
		r.At, r.Seq = time.Date(2026, 11, 24, 9, 0, 0, 0, time.UTC), int64(i+1)
		rows = append(rows, r)
	}
	var said []string
	for _, g := range c.Trail(rows)[0].Groups {
		said = append(said, flat(g.Said))
	}
	require.Equal(t, []string{"Sara confirmed 2 claims in Leave policy in one bulk step",
		"Sara confirmed 3 claims in Leave policy in one bulk step", "Sara confirmed 2 claims in Leave policy, one by one"}, said)
}

// TestEqualEventsNameWhatTheyAreAbout: of several in a row the line says what was done to which, each once.
func TestEqualEventsNameWhatTheyAreAbout(t *testing.T) {
	names := audit.Names{Things: map[audit.Ref]audit.Name{}}
	var rows []say.Event
	for i, id := range []string{"a", "b", "b", "c", "d"} {
		names.Things[audit.Ref{Kind: "pack", ID: id}] = audit.Name{Text: "Pack " + id, Version: 1}
		e := row("pack.submitted", "pack", id, `{}`)
		e.Seq, e.Names = int64(i+1), &names
		rows = append(rows, e)
	}
	for lang, want := range map[string]string{"en": "Sara: Pack submitted for review, 5 times: Pack a, Pack b, Pack c…",
		"ar": "Sara: تقديم الحزمة للمراجعة، 5 مرات: Pack a، Pack b، Pack c…"} {
		c := viewtest.ChromeAt(lang, "/audit")
		require.Equal(t, want, flat(c.Trail(rows)[0].Groups[0].Said))
	}
	c := viewtest.ChromeAt("en", "/audit")
	second := row("tenant.changed", "tenant", "t", `{"second_review":"open"}`)
	require.Equal(t, "Sara set the second review of new sessions to: Open: each sees the other’s",
		flat(c.Trail([]say.Event{second})[0].Groups[0].Lines[0].Said))
}
