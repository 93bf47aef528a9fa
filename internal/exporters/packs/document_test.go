package packs

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
	"sanad/internal/exporters/exporttest"
	"sanad/internal/exporters/prose"
)

// TestPackSigned checks that only a signed-off pack lacks the warning, superseded or not.
func TestPackSigned(t *testing.T) {
	one := []pack.Approval{{Actor: "act_a"}}
	for _, x := range []struct {
		life pack.Life
		want bool
	}{
		{pack.Life{State: pack.Draft, Need: 1}, false},
		{pack.Life{State: pack.InReview, Need: 2, Approvals: one}, false},
		{pack.Life{State: pack.Returned, Need: 2, Approvals: one}, false},
		{pack.Life{State: pack.SignedOff, Need: 1, Approvals: one}, true},
		{pack.Life{State: pack.Superseded, Need: 1, Approvals: one}, true},
		{pack.Life{State: pack.Superseded, Need: 2, Approvals: one}, false},
		{pack.Life{State: pack.Superseded}, false},
	} {
		d := Document{Life: x.life}
		require.Equal(t, x.want, d.signed(), "%+v", x.life)
	}
}

// TestPackSuperseded checks that predecessor and successor are named and that the approval is still shown.
func TestPackSuperseded(t *testing.T) {
	d := fixtures["payment"](t)
	d.Content.Version, d.Content.Supersedes = 2, "pack_1111111111111111"
	d.Life.State, d.Life.SupersededBy = pack.Superseded, "pack_3333333333333333"
	var md bytes.Buffer
	require.NoError(t, Markdown(&md, d))
	en, ar := exporttest.Pages(t, written(t, d))
	for _, text := range []string{en, ar, md.String()} {
		for _, word := range []string{"pack_1111111111111111", "pack_3333333333333333", "Khalid Al-Mutairi"} {
			require.Contains(t, exporttest.Letters(text), exporttest.Letters(word))
		}
	}
	require.Contains(t, en, "Superseded")
	require.Contains(t, exporttest.Letters(ar), exporttest.Letters(languages[1].T("status_superseded")))
}

// TestPackDate checks that the file's date is that of its latest event, even if some times can't be parsed.
func TestPackDate(t *testing.T) {
	d := Document{}
	require.True(t, d.at().Equal(time.Unix(0, 0)))
	d.Content.CreatedAt, d.Life.SubmittedAt = "2026-11-20T07:15:00Z", "tomorrow"
	d.Life.Approvals = []pack.Approval{{At: "2026-11-21T10:00:00+03:00"}, {At: "2026-11-20T10:00:00Z"}}
	require.Equal(t, "2026-11-21T07:00:00Z", d.at().Format(time.RFC3339))
	d.Life.Return = &pack.Return{At: "2026-11-22T00:00:00Z"}
	require.Equal(t, 22, d.at().Day())
}

// TestPackAge checks that ages are rounded up to hours and that sources older than the decision allows are marked.
func TestPackAge(t *testing.T) {
	day := 24
	d := Document{}
	d.Content.DecidedAt, d.Content.FreshnessWindowHours = "2026-11-18T10:00:00Z", &day
	for at, want := range map[string]struct {
		hours     int
		ok, stale bool
	}{
		"2026-11-18T10:00:00Z": {0, true, false},
		"2026-11-17T10:00:00Z": {24, true, false},
		"2026-11-17T09:59:59Z": {25, true, true},
		"2026-11-18T10:00:01Z": {-1, true, false},
		"":                     {0, false, false},
	} {
		hours, ok := d.age(&pack.EvidenceSource{RetrievedAt: at})
		require.Equal(t, want.ok, ok, at)
		require.Equal(t, want.hours, hours, at)
		require.Equal(t, want.stale, ok && d.stale(hours), at)
	}
}

// TestPackListsClaimsSetAside checks that what no longer counts is in every form of a pack, with who said so and why.
func TestPackListsClaimsSetAside(t *testing.T) {
	d := fixtures["hospital"](t)
	l := *d.Content.Ledger
	all := l.Entries
	l.Entries, l.SetAside = all[:len(all)-2], append([]pack.Entry{}, all[len(all)-2:]...)
	l.SetAside[0].State, l.SetAside[0].Reviews = ledger.Replaced, []pack.Review{{Actor: "Sara Haddad", Role: "reviewer",
		At: "2026-11-20T08:00:00Z", Action: ledger.Replace, By: "act_sara", Member: true, ReplacedBy: []int{1, 2}}}
	l.SetAside[1].State, l.SetAside[1].Reviews = ledger.SetAside, []pack.Review{{Actor: "Sara Haddad", Role: "reviewer",
		At: "2026-11-20T08:00:00Z", Action: ledger.NotAClaim, Reason: "It only leads in.", By: "act_sara", Member: true}}
	d.Content.Ledger = &l
	var md bytes.Buffer
	require.NoError(t, Markdown(&md, d))
	en, ar := exporttest.Pages(t, written(t, d))
	for _, text := range []string{en, ar, md.String()} {
		for _, word := range []string{"It only leads in.", "Sara Haddad", "C1", l.SetAside[1].ClaimText} {
			require.Contains(t, exporttest.Letters(text), exporttest.Letters(word))
		}
	}
	require.Contains(t, md.String(), "Set aside")
	require.Contains(t, en, "Set aside")
	require.Contains(t, exporttest.Letters(ar), exporttest.Letters(languages[1].T("set_aside")))
}

// TestPackShowsQuotationsWithoutMarks: the quotation of a Markdown file is written as people read it, that of any other
// file as it is.
func TestPackShowsQuotationsWithoutMarks(t *testing.T) {
	const words = "Staff get **30 days** a year."
	for name, want := range map[string]string{"rules.md": "Staff get 30 days a year.", "rules.txt": words} {
		d := markdownWriter{language: languages[0], d: &Document{Content: pack.Content{}}}
		d.claim(&pack.Entry{Document: name, Snippet: words, Notes: "It says: " + words})
		require.Contains(t, d.String(), prose.Inline("It says: "+want))
		d.source(0, &pack.EvidenceSource{Source: name, Quote: pack.Quote{Excerpt: words}})
		require.Contains(t, d.String(), prose.Quoted(want))
	}
}
