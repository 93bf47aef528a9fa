package packs

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/pack"
	"sanad/internal/views/ui"
	"sanad/internal/views/viewtest"
)

// TestBar: each reader is told the one thing that they can do now, or for whom the pack waits.
func TestBar(t *testing.T) {
	broken := []pack.Concern{{Kind: pack.RulesBroken, N: 2}, {Kind: pack.PolicyBroken, N: 1}}
	twice := domain.Refuse(domain.Conflict, "", "refused_pack_twice")
	maker := domain.Refuse(domain.Conflict, "", "refused_pack_maker")
	names := map[string]string{"u1": "Yousef"}
	for name, x := range map[string]struct {
		state pack.State
		read  bool // a viewer
		in    Input
		want  string
	}{
		"a sound draft":  {state: pack.Draft, want: "Every rule is met. | Submit for review → /submit | Edit draft"},
		"a broken draft": {state: pack.Draft, in: Input{Concerns: broken}, want: "3 rules must be met before the draft can be submitted. | Edit draft → /edit#faults |"},
		"a draft, for a viewer": {state: pack.Draft, read: true, in: Input{Names: names},
			want: "Waiting for Yousef. | →  |"},
		"in review, for who may sign": {state: pack.InReview, in: Input{Decide: Decide{Shown: true}},
			want: "After you, one more approver signs. | Approve as the first of two… → /sign | Return with reasons"},
		"in review, for the last": {state: pack.InReview, in: Input{Decide: Decide{Shown: true, Last: true}, Pack: with(func(l *pack.Life) { l.Approvals = []pack.Approval{{Actor: "u2"}} })},
			want: "Your signature is the last one that is needed. | Sign off pack… → /sign | Return with reasons"},
		"in review, for who has signed": {state: pack.InReview, in: Input{Decide: Decide{Shown: true, Why: twice, Waits: waiting("Nasser")}},
			want: "You have signed this version. Waiting for Nasser. | →  | Return with reasons"},
		"in review, for its maker": {state: pack.InReview, in: Input{Decide: Decide{Shown: true, Why: maker, Waits: waiting("Sara", "Nasser")}},
			want: "You cannot approve this version. Waiting for Sara, Nasser. | →  | Return with reasons"},
		"in review, for a reviewer": {state: pack.InReview, in: Input{Decide: Decide{Waits: waiting("Sara")}},
			want: "Waiting for Sara. | →  |"},
		"in review, and nobody may": {state: pack.InReview, want: "None of the organisation's approvers may approve it as it stands. | →  |"},
		"returned":                  {state: pack.Returned, want: "Returned: correct it in a new version. | Create a new version → /versions |"},
		"returned, mended already": {state: pack.Returned, in: Input{Versions: []Version{{ID: "pack_2"}}},
			want: "Returned: correct it in a new version. | Open the newer version → /packs/pack_2 |"},
		"returned, for a viewer": {state: pack.Returned, read: true, in: Input{Names: names}, want: "Waiting for Yousef to create a new version. | →  |"},
		"returned, for an approver who did not make it": {state: pack.Returned, in: Input{Names: names, Reader: "u2"},
			want: "Waiting for Yousef to create a new version. | →  |"},
		"returned, for its maker": {state: pack.Returned, in: Input{Names: names, Reader: "u1"},
			want: "Returned: correct it in a new version. | Create a new version → /versions |"},
		"signed":               {state: pack.SignedOff, in: Input{Exports: Exports{Signed: true, At: true}}, want: "This pack is signed and sealed. | Export pack → #sec-export |"},
		"signed, for a viewer": {state: pack.SignedOff, read: true, want: "This pack is signed and sealed. | Request a copy → #sec-export |"},
		"superseded": {state: pack.Superseded, in: Input{Pack: with(func(l *pack.Life) { l.SupersededBy = "pack_2" })},
			want: "A newer version has replaced this one. | Open the newer version → /packs/pack_2 |"},
		"discarded": {state: pack.Discarded, want: "| →  |"},
	} {
		t.Run(name, func(t *testing.T) {
			in := x.in
			if in.Pack == nil {
				in.Pack = onPack(x.state)
			}
			in.Pack.Life.State = x.state
			c := viewtest.ChromeAt("en", "/packs/"+in.Pack.Content.PackID)
			if !x.read {
				c.May = ui.May{DraftPack: true, DecidePack: true}
			}
			b := NewPage(c, in).Bar
			to := strings.TrimPrefix(b.Href+b.Post, "/packs/"+in.Pack.Content.PackID)
			got := strings.Join([]string{b.Says, b.Do + " → " + to, b.Other}, " | ")
			got = strings.NewReplacer("\u2068", "", "\u2069", "").Replace(got)
			require.Equal(t, strings.Join(strings.Fields(x.want), " "), strings.Join(strings.Fields(got), " "))
		})
	}
}

// waiting is what waits for some people.
func waiting(names ...string) (w pack.Waits) {
	for _, name := range names {
		w.Waiting = append(w.Waiting, pack.Waiting{Person: access.Person{ID: name, Name: name}})
	}
	return w
}

func with(change func(*pack.Life)) *pack.Pack {
	x := onPack(pack.InReview)
	change(&x.Life)
	return x
}

// TestAlarmLine: each concern leads to what it is about, several to the section that shows only them.
func TestAlarmLine(t *testing.T) {
	in := Input{Pack: onPack(pack.SignedOff), Concerns: []pack.Concern{
		{Kind: pack.CallDeparted, N: 1, Objects: []string{"T2"}},
		{Kind: pack.CallUnverified, N: 2, Objects: []string{"T1", "T3"}},
		{Kind: pack.ApprovalsMissing, N: 0, Of: 2}}}
	page := packHTML(t, "en", in)
	_, line, _ := strings.Cut(page, `<ul class="alarm-line"`)
	line, _, _ = strings.Cut(line, "</ul>")
	require.Contains(t, line, `href="#t2">1 tool call departed from what was intended</a>`)
	require.Contains(t, line, `?only=call_unverified#sec-tools">2 tool calls unverified</a>`)
	require.Contains(t, line, `href="#sec-approvals">0 of 2 approvals</a>`)
	require.Equal(t, 1, strings.Count(line, `class="is-grave"`))
	require.Less(t, strings.Index(page, `class="alarm-line"`), strings.Index(page, "pack-needs"), "before the requirement")

	c := viewtest.ChromeAt("en", "/packs/"+in.Pack.Content.PackID+"?only=call_unverified")
	p := NewPage(c, in)
	require.Equal(t, []string{"t1", "t3"}, []string{p.Calls[0].ID, p.Calls[1].ID})
	require.Len(t, p.Calls, 2)
	require.Equal(t, "/packs/"+in.Pack.Content.PackID+"#t2", p.Line.Items[0].Href, "out of the filter")

	in.Pack = onPack(pack.InReview)
	in.Pack.Life.Mandatory = true
	in.Pack.Content.Alarms = []pack.Alarm{{ID: "call_departed:T2", Kind: pack.CallDeparted, Object: "T2"}}
	page = packHTML(t, "en", in)
	_, line, _ = strings.Cut(page, `<ul class="alarm-line"`)
	line, _, _ = strings.Cut(line, "</ul>")
	require.NotContains(t, line, "departed", "it is said one by one before signing")
	require.NotContains(t, line, "approvals", "the stamp says it")
	require.Contains(t, page, "Unresolved: 0 of 2 approvals")
	require.Contains(t, line, "1 alarm to read before signing")
	require.Contains(t, line, `#attention"`)

	in.Concerns, in.Pack.Content.Alarms = nil, nil
	require.Contains(t, packHTML(t, "en", in), "There are no concerns about this pack.")
	require.Contains(t, packHTML(t, "ar", in), "لا شيء يستدعي التنبيه")
}
