package jobs

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/job"
	"sanad/internal/views/viewtest"
	"sanad/internal/words"
)

// TestAJobSaysWhyNoAnswerComes: while the endpoint that it asks does not answer, and no longer.
func TestAJobSaysWhyNoAnswerComes(t *testing.T) {
	work := job.Job{ID: "j", Kind: job.Judge, State: job.Running, Step: job.Judging,
		Warnings: []domain.Warning{domain.Warn("endpoint", words.Msg("cause_model_busy", "Status", 429))}}
	line := NewPage(viewtest.ChromeAt("en", "/"), work).Job
	require.Contains(t, line.Warning, "The endpoint is too busy (429). The run stops asking after several failures")
	require.Equal(t, line.Warning, line.Progress().Warning)
	require.Contains(t, NewPage(viewtest.ChromeAt("ar", "/"), work).Job.Warning, "429")
	require.NotContains(t, NewPage(viewtest.ChromeAt("ar", "/"), work).Job.Warning, "busy")
	work.State = job.Done
	require.Empty(t, NewPage(viewtest.ChromeAt("en", "/"), work).Job.Warning)
}

// TestAFailedJobSaysWhy: in the reader's language, with its place.
func TestAFailedJobSaysWhy(t *testing.T) {
	said := func(lang string, f job.Fault) string {
		return NewPage(viewtest.ChromeAt(lang, "/"), job.Job{ID: "j", Kind: job.File, State: job.Failed, Fault: &f}).Fault
	}
	known := job.FaultOf("internal", "claims[3]", words.Msg("refused_own_wrong"))
	require.Equal(t, "\u2068claims[3]\u2069: "+known.Msg, said("en", known))
	require.Equal(t, "\u2068claims[3]\u2069: حدث خطأ هنا ولم يُحفظ شيء. أعد الإرسال، أو أبلغ مشغّل النظام.", said("ar", known))
}

// TestAJobShowsVerdictsAsTheyCome: how many there are of each, and the newest; no more once it has ended.
func TestAJobShowsVerdictsAsTheyCome(t *testing.T) {
	work := job.Job{ID: "j", Kind: job.File, State: job.Running, Step: job.Judging, Done: 3, Total: 40}
	for _, x := range []job.Verdict{{Number: 1, Text: "It <rains>.", Verdict: "supported"},
		{Number: 3, Text: "تمطر السماء.", Verdict: "contradicted"}, {Number: 2, Text: "It snows.", Verdict: ""}} {
		work.Verdicts = work.Verdicts.With(x)
	}
	for lang, want := range map[string][]string{
		"en": {"Verdicts so far", "Supported", "Contradicted", "Unjudged", "It &lt;rains&gt;.", "It snows.", `dir="rtl" lang="ar">تمطر السماء.`},
		"ar": {"الأحكام حتى الآن", "It snows."},
	} {
		p := NewPage(viewtest.ChromeAt(lang, "/"), work)
		require.Len(t, p.Tallies, 3)
		require.Equal(t, "It snows.", p.Judged[0].Text)
		html := viewtest.Html(t, Show(p))
		for _, w := range want {
			require.Contains(t, html, w)
		}
	}
	require.Contains(t, NewPage(viewtest.ChromeAt("en", "/"), work).Judged[0].Badge.Class, "badge-unjudged",
		"no verdict, no colour")
	work.State = job.Cancelled
	require.NotContains(t, viewtest.Html(t, Show(NewPage(viewtest.ChromeAt("en", "/"), work))), "so far")
}
