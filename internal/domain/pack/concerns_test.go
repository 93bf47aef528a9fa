package pack_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
	"sanad/internal/words"
)

// quiet is a pack of which there is nothing to tell: one verified call, fresh sources, claims that are supported and
// reviewed.
func quiet() *pack.Standing {
	d := hospital()
	d.ToolCalls = d.ToolCalls[:1]
	c := draftOf(d, reviewed(3))
	for i := range c.Ledger.Entries {
		c.Ledger.Entries[i].Verdict, c.Ledger.Entries[i].Flags = ledger.Supported, nil
	}
	c.SetPolicy(&pack.Policy{})
	return &pack.Standing{Content: &c, Life: &pack.Life{State: pack.SignedOff, Need: 1}, At: created}
}

func TestConcerns(t *testing.T) {
	entry := func(s *pack.Standing, i int) *pack.Entry { return &s.Content.Ledger.Entries[i] }
	for name, x := range map[string]struct {
		change func(s *pack.Standing)
		want   string
	}{
		"nothing": {func(*pack.Standing) {}, ""},
		"calls: one that failed and did nothing has only failed": {func(s *pack.Standing) {
			s.Content.ToolCalls = draftOf(hospital(), nil).ToolCalls
		}, "1 tool call departed from what was intended [T2] · 1 tool call failed [T3]"},
		"a call of which nobody said that it was verified": {func(s *pack.Standing) {
			s.Content.ToolCalls[0].VerificationStatus = pack.Unverified
		}, "1 tool call unverified [T1]"},
		"no ledger": {func(s *pack.Standing) { s.Content.Ledger = nil }, "no claim checked"},
		"verdicts": {func(s *pack.Standing) {
			entry(s, 0).Verdict, entry(s, 1).Verdict, entry(s, 2).Verdict = ledger.Contradicted, ledger.NotFound, ledger.Weak
		}, "1 claim contradicted [clm_001] · 1 claim not found in the sources [clm_002] · 1 weak claim [clm_003]"},
		"checks of citations and quotations": {func(s *pack.Standing) {
			entry(s, 0).Citations = []pack.Citation{{Anchor: "1", Status: ledger.Elsewhere}}
			entry(s, 1).Citations = []pack.Citation{{Anchor: "2", Status: ledger.NotResolved}}
			entry(s, 2).Absent = 1
		}, "1 claim wrongly cited [clm_001] · 1 claim whose citation does not hold [clm_002] · " +
			"1 claim with an invented quotation [clm_003]"},
		"flags, overrides and who has not looked": {func(s *pack.Standing) {
			entry(s, 0).Flags = []ledger.RiskType{ledger.OutdatedSource}
			entry(s, 1).Flags = []ledger.RiskType{ledger.ConflictingSources, ledger.LowConfidence}
			entry(s, 1).State = ledger.Overridden
			entry(s, 2).Reviews = nil
		}, "1 claim with conflicting sources [clm_002] · 1 claim on an outdated source [clm_001] · " +
			"1 claim with a risk flag [clm_002] · 1 verdict overridden [clm_002] · 1 of 3 claims not reviewed [clm_003]"},
		"sources": {func(s *pack.Standing) {
			s.Content.Sources[1].RetrievedAt = "2026-02-01T08:00:00Z"
			s.Content.Sources[2].SensitivityClass = "S3"
		}, "1 source stale at the decision [E2] · 1 source restricted: its text is not kept [E3]"},
		"the model's own text as a source": {func(s *pack.Standing) { s.Content.Sources[2].Kind = pack.ModelOutput },
			"1 source is the model's own text, not independent [E3]"},
		"fresh sources that have become old, until somebody signs": {func(s *pack.Standing) {
			s.Life, s.At = &pack.Life{State: pack.Draft}, created.AddDate(0, 0, 14)
		}, "4 sources have passed their freshness window since the decision [E1 E2 E3 E4]"},
		"of a draft that was given up, nobody relies on them": {func(s *pack.Standing) {
			s.Life, s.At = &pack.Life{State: pack.Discarded}, created.AddDate(0, 0, 14)
		}, ""},
		"signed while they were fresh": {func(s *pack.Standing) {
			s.At = created.AddDate(0, 0, 14)
			s.Life = &pack.Life{State: pack.SignedOff, Approvals: []pack.Approval{{At: created.Format(time.RFC3339)}}}
		}, ""},
		"signed when they no longer were": {func(s *pack.Standing) {
			s.Life = &pack.Life{State: pack.SignedOff, Approvals: []pack.Approval{{At: created.AddDate(0, 0, 14).Format(time.RFC3339)}}}
		}, "4 sources have passed their freshness window since the decision [E1 E2 E3 E4]"},
		"what became known later": {func(s *pack.Standing) {
			s.Since, s.Broken = []pack.Since{{Kind: pack.SourcesWithdrawn, Objects: []pack.Changed{{ID: "doc-1"}}},
				{Kind: pack.SinceErased, Objects: []pack.Changed{{ID: "clm_001"}, {ID: "clm_002"}}}}, true
		}, "the seal is not valid · 1 source withdrawn since [doc-1] · " +
			"2 claims erased or set aside since submission [clm_001 clm_002]"},
		"approvals, in review only": {func(s *pack.Standing) {
			s.Life = &pack.Life{State: pack.InReview, Need: 2, Hold: &pack.Hold{}}
		}, "0 of 2 approvals · under legal hold"},
		"a draft: rules of its own, then those of the policy": {func(s *pack.Standing) {
			s.Life = &pack.Life{State: pack.Draft}
			s.Content.Memo.TitleAR = ""
			s.Faults = s.Content.Validate(nil)
			p := pack.DefaultPolicy()
			s.Content.SetPolicy(p)
			s.At = created.AddDate(2, 0, 0)
		}, "4 sources have passed their freshness window since the decision [E1 E2 E3 E4] · 1 rule to meet before submission · " +
			"2 policy rules not met"},
		"returned": {func(s *pack.Standing) { s.Life = &pack.Life{State: pack.Returned} }, "returned with reasons"},
	} {
		t.Run(name, func(t *testing.T) {
			s := quiet()
			x.change(s)
			require.Equal(t, x.want, line(s.Concerns()))
		})
	}
}

// line writes concerns with what they are about.
func line(all []pack.Concern) string {
	var out []string
	for i := range all {
		text := all[i].Text("en", nil)
		if len(all[i].Objects) > 0 {
			text += " [" + strings.Join(all[i].Objects, " ") + "]"
		}
		out = append(out, text)
	}
	return strings.Join(out, " · ")
}

// TestConcernsNameEveryAlarm: what an approver acknowledges is on the line, so that a green line means that there is
// nothing to acknowledge.
func TestConcernsNameEveryAlarm(t *testing.T) {
	for _, kind := range append(pack.SinceKinds, pack.AlarmKinds...) {
		require.Contains(t, pack.ConcernKinds, kind)
	}
	c := draftOf(hospital(), session(4))
	c.SetPolicy(&pack.Policy{})
	require.NotEmpty(t, c.Alarms)
	s := pack.Standing{Content: &c, Life: &pack.Life{State: pack.InReview, Need: 1}, At: created}
	all := s.Concerns()
	counts := map[string]int{}
	for _, x := range all {
		counts[x.Kind] = x.N
	}
	want := map[string]int{}
	for _, a := range c.Alarms {
		want[a.Kind] += max(len(a.Claims), 1)
	}
	for kind, n := range want {
		require.GreaterOrEqual(t, counts[kind], n, kind)
	}
}

func TestEveryConcernHasWords(t *testing.T) {
	for _, kind := range pack.ConcernKinds {
		for _, lang := range words.Langs {
			x := pack.Concern{Kind: kind, N: 1}
			if kind == pack.ApprovalsMissing {
				x.Of = 3
			}
			require.NotContains(t, x.Text(lang, nil), "concern_", "%s in %s", kind, lang)
		}
	}
	unreviewed := pack.Concern{Kind: pack.ClaimsUnreviewed, N: 25, Of: 61}
	require.Equal(t, "25 of 61 claims not reviewed", unreviewed.Text("en", nil))
	require.Equal(t, "لم تُراجَع 25 إفادة من 61", unreviewed.Text("ar", nil))
}

func TestMostlyLatin(t *testing.T) {
	for name, x := range map[string]struct {
		text string
		want bool
	}{
		"empty":             {"", false},
		"Arabic":            {"أفرجت الأداة عن الدفعة خلافًا للمقصود.", false},
		"English":           {"The payment was released against the intent of the agent.", true},
		"English, one word": {"الملخص: the payment was released against the intent.", true},
		"a short name":      {"شركة Gulf Medical", false},
		"tool names and amounts": {"استدعاء crm.get_contact ثم erp.release_payment و`payments.hold_everything_back`: USD 250,000.00 " +
			"و AED 12,500 (T2, PDF, LLC, getContact).", false},
		"only tool names":    {"الأدوات: crm.get_contact erp.release_payment mail.send_message hubspot.update_record", false},
		"a link":             {"انظر [الصفحة](https://registry.example/companies/gulf-medical-supplies) https://registry.example/x", false},
		"a quoted source":    {"ورد في العقد: «the supplier shall deliver within thirty days of signature».", false},
		"references":         {"[E1] [E2] [E3] [E4] [E5] [E6] [E7] [E8] [E9] [E10] [E11] [E12] [E13] [E14] نص", false},
		"names among Arabic": {"راجعت لجنة الاستثمار عرض Gulf Development Fund وعرض Riyadh Hospital وقررت المضي في التعاقد.", false},
		"mixed, mostly English": {
			"## الأساس\n\nThe limit rests on the audited accounts and on the guarantee of the parent company.", true},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, x.want, pack.MostlyLatin(x.text)) })
	}
}
