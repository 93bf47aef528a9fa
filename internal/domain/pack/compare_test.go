package pack_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
	"sanad/internal/domain/text/redline"
)

func TestCompare(t *testing.T) {
	older := draftOf(hospital(), session(4))
	same := pack.Compare(&older, &older)
	require.True(t, same.None())

	newer := draftOf(hospital(), session(5))
	e := newer.Ledger.Entries
	e[0].Verdict, e[0].State = ledger.NotFound, ledger.Overridden                        // flips
	e[1].Reviews = []pack.Review{{Actor: "u9", Action: ledger.Comment, Reason: "Seen."}} // reviewed
	e[3].ClaimText = "Another claim."                                                    // dropped and added
	newer.Sources[0].ContentHash = pack.Hash([]byte("new"))                              // content
	newer.Sources[1].Excerpt, newer.Sources[1].ExcerptHash = "x", pack.Hash([]byte("x")) // excerpt alone
	newer.Sources[2].URI = "https://elsewhere.example"                                   // dropped and added
	newer.Memo = older.Memo
	newer.Memo.TitleEN = strings.Replace(older.Memo.TitleEN, "Riyadh Hospital", "Jeddah Clinic", 1)
	c := pack.Compare(&older, &newer)
	require.False(t, c.None())
	require.Equal(t, []string{"clm_004", "clm_005"}, ids(c.ClaimsAdded))
	require.Equal(t, []string{"clm_004"}, ids(c.ClaimsDropped))
	require.Equal(t, []pack.ClaimChange{{
		ClaimID: "clm_001", Number: 1, Text: "Claim 1.", Old: ledger.Supported, New: ledger.NotFound,
		Overridden: true,
	}}, c.Flips)
	require.Equal(t, []string{"clm_002"}, ids(c.Reviewed))
	require.Equal(t, "excerpt", c.SourcesChanged[1].Fields[0].Name)
	c.SourcesChanged[1].Fields = nil
	require.Equal(t, []pack.SourceChange{
		{
			Position: 0, Source: "crm.hubspot.contact", OldHash: older.Sources[0].ContentHash,
			NewHash: pack.Hash([]byte("new")),
		},
		{Position: 1, Source: "وزارة الصحة", OldHash: older.Sources[1].ExcerptHash, NewHash: pack.Hash([]byte("x"))},
	}, c.SourcesChanged)
	require.Len(t, c.SourcesAdded, 1)
	require.Len(t, c.SourcesDropped, 1)
	require.Len(t, c.Memo, 1)
	require.Equal(t, "title_en", c.Memo[0].Name)
	require.Equal(t, []redline.Piece{{
		Op: redline.Kept, Text: "Decision memo: ",
	}, {
		Op: redline.Removed, Text: "Riyadh Hospital ",
	}, {Op: redline.Added, Text: "Jeddah Clinic "}, {Op: redline.Kept, Text: "fit"}}, c.Memo[0].Pieces)

	none := draftOf(hospital(), nil)
	c = pack.Compare(&older, &none)
	require.Len(t, c.ClaimsDropped, 4)
	c = pack.Compare(&none, &older)
	require.Len(t, c.ClaimsAdded, 4)
}

func ids(changes []pack.ClaimChange) []string {
	var out []string
	for _, c := range changes {
		out = append(out, c.ClaimID)
	}
	return out
}

func TestEqualClaimsPairInOrder(t *testing.T) {
	three := []pack.Entry{{ClaimText: "x", Number: 1}, {ClaimText: "x", Number: 2}, {ClaimText: "x", Number: 3}}
	c := pack.CompareLedger(three, three[:2])
	require.Empty(t, c.ClaimsAdded)
	require.Equal(t, []pack.ClaimChange{{Number: 3, Text: "x"}}, c.ClaimsDropped)
}

func TestRetainUntil(t *testing.T) {
	for at, want := range map[string]string{
		"2026-03-01T09:30:00Z": "2033-03-01T09:30:00Z", "2028-02-29T00:00:00Z": "2035-03-01T00:00:00Z",
		"2029-12-31T23:59:59Z":      "2036-12-31T23:59:59Z",
		"2028-02-29T01:00:00+03:00": "2035-02-28T22:00:00Z", // in UTC it is the 28th
	} {
		when, err := time.Parse(time.RFC3339, at)
		require.NoError(t, err)
		require.Equal(t, want, pack.RetainUntil(when).Format(time.RFC3339))
	}
}

func TestMayPurge(t *testing.T) {
	admin, second := actor("u1", access.Admin), actor("u2", access.Approver)
	until := created.AddDate(7, 0, 0)
	stamp := until.Format(time.RFC3339)
	l := func(change func(l *pack.Life)) *pack.Life {
		out := inState(t, pack.SignedOff)[0]
		change(out)
		return out
	}
	nothing := func(*pack.Life) {}
	foreign, machine, operator := second, admin, admin
	foreign.Tenant, machine.Human, operator.ID = "another", false, access.Operator
	for name, tt := range map[string]struct {
		life        *pack.Life
		until       string
		now         time.Time
		who, second access.Actor
		reasons     int
	}{
		"at the border": {life: l(nothing), until: stamp, now: until, who: admin, second: second},
		"a second before": {
			life: l(nothing), until: stamp, now: until.Add(-time.Second), who: admin, second: second,
			reasons: 1,
		},
		"no date": {life: l(nothing), now: until, who: admin, second: second, reasons: 1},
		"on hold": {
			life: l(func(l *pack.Life) { l.Hold = &pack.Hold{Reason: "case 7"} }), until: stamp, now: until,
			who: admin, second: second, reasons: 1,
		},
		"in review": {
			life: inState(t, pack.InReview)[0], until: stamp, now: until, who: admin, second: second,
			reasons: 1,
		},
		"no administrator":    {life: l(nothing), until: stamp, now: until, who: second, second: admin, reasons: 1},
		"alone":               {life: l(nothing), until: stamp, now: until, who: admin, second: admin, reasons: 1},
		"second of elsewhere": {life: l(nothing), until: stamp, now: until, who: admin, second: foreign, reasons: 1},
		"second is a reviewer": {
			life: l(nothing), until: stamp, now: until, who: admin, second: actor("u2", access.Reviewer),
			reasons: 1,
		},
		"a machine": {
			life: l(nothing), until: stamp, now: until, who: machine, second: second, reasons: 1,
		},
		"the command line": {
			life: l(nothing), until: stamp, now: until, who: operator, second: second, reasons: 1,
		},
		"everything": {
			life: l(func(l *pack.Life) { l.Hold, l.State = &pack.Hold{}, pack.InReview }), until: stamp,
			now: created, who: machine, second: machine, reasons: 5,
		},
	} {
		require.Len(t, pack.MayPurge(tt.life, tt.until, tt.now, tt.who, tt.second), tt.reasons, name)
	}
	c := draftOf(hospital(), nil)
	require.Equal(t, pack.Tombstone{PackID: id1, DecisionID: "dec_abc123", Digest: digest,
		CreatedAt: "2026-03-01T09:30:00Z", RetainUntil: "2033-03-01T09:30:00Z",
		PurgedAt: "2033-03-01T09:30:00Z", PurgedBy: "u1", SecondBy: "u2"},
		pack.NewTombstone(&c, l(nothing), until, admin, second))
}

// TestCompareEveryPart: what differs between two versions is told whatever part of the pack it is in.
// A claim that was set aside between two versions is told from one that is gone.
func TestCompareTellsWhatWasSetAside(t *testing.T) {
	older, newer := draftOf(hospital(), reviewed(7)), draftOf(hospital(), setAside())
	c := pack.Compare(&older, &newer)
	require.Len(t, c.ClaimsDropped, 2)
	for _, x := range c.ClaimsDropped {
		require.True(t, x.SetAside, x.ClaimID)
	}
	newer.Ledger.SetAside = newer.Ledger.SetAside[:1]
	c = pack.Compare(&older, &newer)
	require.Equal(t, []bool{true, false}, []bool{c.ClaimsDropped[0].SetAside, c.ClaimsDropped[1].SetAside})
	c = pack.Compare(&newer, &newer)
	require.True(t, c.None(), "a claim that neither version counts is no difference")
}

func TestCompareEveryPart(t *testing.T) {
	file := pack.Attachment{Name: "minutes.pdf", MediaType: "application/pdf", SHA256: "aa"}
	half := 0.5
	for name, x := range map[string]struct {
		change func(c *pack.Content)
		want   string
	}{
		"decision":         {func(c *pack.Content) { c.Statement = "Do not meet them." }, "decision statement"},
		"class":            {func(c *pack.Content) { c.ApprovalClass = "A3" }, "decision approval_class"},
		"session":          {func(c *pack.Content) { c.Ledger = nil; c.LedgerSessionID = "other" }, "decision ledger_session_id"},
		"intended action":  {func(c *pack.Content) { c.ToolCalls[0].IntendedAction = "x" }, "call 1 changed intended_action"},
		"actual action":    {func(c *pack.Content) { c.ToolCalls[0].ActualAction = "x" }, "call 1 changed actual_action"},
		"a person decided": {func(c *pack.Content) { c.ToolCalls[0].Departure = &pack.Departure{Result: "differs"} }, "call 1 changed departure"},
		"a call less":      {func(c *pack.Content) { c.ToolCalls = c.ToolCalls[1:] }, "call 1 removed intended_action"},
		"prompt":           {func(c *pack.Content) { c.Prompts[0].TemplateVersion = "9" }, "prompt 1 changed template_version"},
		"prompt more": {func(c *pack.Content) {
			c.Prompts = append(c.Prompts, pack.PromptRecord{TemplateName: "n", TemplateVersion: "1"})
		},
			"prompt added template_version"},
		"attachment":       {func(c *pack.Content) { c.Attachments = append(c.Attachments, file) }, "file 1 added sha256"},
		"policy":           {func(c *pack.Content) { c.SetPolicy(&pack.Policy{Version: 7, Rules: pack.DefaultPolicy().Rules}) }, "policy version"},
		"source's share":   {func(c *pack.Content) { c.Sources[0].Confidence = &half }, "source confidence"},
		"source retrieved": {func(c *pack.Content) { c.Sources[0].RetrievedAt = "2026-01-01T00:00:00Z" }, "source retrieved_at"},
	} {
		t.Run(name, func(t *testing.T) {
			older, newer := draftOf(hospital(), session(4)), draftOf(hospital(), session(4))
			older.SetPolicy(pack.DefaultPolicy())
			newer.SetPolicy(pack.DefaultPolicy())
			same := pack.Compare(&older, &newer)
			require.True(t, same.None())
			newer.ToolCalls = append([]pack.ToolCallRecord{}, newer.ToolCalls...)
			x.change(&newer)
			c := pack.Compare(&older, &newer)
			require.False(t, c.None())
			var got []string
			fields := func(of string, all []pack.FieldChange) {
				for _, f := range all {
					got = append(got, of+" "+f.Name)
				}
			}
			items := func(of string, all []pack.ItemChange) {
				for _, i := range all {
					fields(fmt.Sprint(of, " ", i.Position+1, " ", i.Kind), i.Fields)
				}
			}
			fields("decision", c.Decision)
			items("call", c.Calls)
			items("prompt", c.Prompts)
			items("file", c.Attachments)
			fields("policy", c.Policy)
			for _, s := range c.SourcesChanged {
				fields("source", s.Fields)
			}
			require.Regexp(t, strings.ReplaceAll(x.want, "prompt added", `prompt \d added`), got[0])
		})
	}
}
