package jobs

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/views/viewtest"
	"sanad/internal/words"
)

// TestAJobSaysWhyNoAnswerComes: while the endpoint that it asks does not answer, and no longer.
func TestAJobSaysWhyNoAnswerComes(t *testing.T) {
	job := domain.Job{ID: "j", Kind: domain.JobJudge, State: domain.JobRunning, Step: domain.JobJudging,
		Warnings: []domain.Warning{domain.Warn("endpoint", words.Msg("cause_model_busy", "Status", 429))}}
	line := NewPage(viewtest.ChromeAt("en", "/"), job).Job
	require.Contains(t, line.Warning, "The endpoint is too busy (429). The run stops asking after several failures")
	require.Equal(t, line.Warning, line.Progress().Warning)
	require.Contains(t, NewPage(viewtest.ChromeAt("ar", "/"), job).Job.Warning, "429")
	require.NotContains(t, NewPage(viewtest.ChromeAt("ar", "/"), job).Job.Warning, "busy")
	job.State = domain.JobDone
	require.Empty(t, NewPage(viewtest.ChromeAt("en", "/"), job).Job.Warning)
}

// TestAFailedJobSaysWhy: in the reader's language, with its place.
func TestAFailedJobSaysWhy(t *testing.T) {
	said := func(lang string, f domain.JobFault) string {
		return NewPage(viewtest.ChromeAt(lang, "/"), domain.Job{ID: "j", Kind: domain.JobFile, State: domain.JobFailed, Fault: &f}).Fault
	}
	known := domain.FaultOfJob("internal", "claims[3]", words.Msg("refused_own_wrong"))
	require.Equal(t, "\u2068claims[3]\u2069: "+known.Msg, said("en", known))
	require.Equal(t, "\u2068claims[3]\u2069: حدث خطأ هنا ولم يُحفظ شيء. أعد الإرسال، أو أبلغ مشغّل النظام.", said("ar", known))
}

// TestAJobShowsVerdictsAsTheyCome: how many there are of each, and the newest; no more once it has ended.
func TestAJobShowsVerdictsAsTheyCome(t *testing.T) {
	job := domain.Job{ID: "j", Kind: domain.JobFile, State: domain.JobRunning, Step: domain.JobJudging, Done: 3, Total: 40}
	for _, x := range []domain.JobVerdict{{Number: 1, Text: "It <rains>.", Verdict: "supported"},
		{Number: 3, Text: "تمطر السماء.", Verdict: "contradicted"}, {Number: 2, Text: "It snows.", Verdict: ""}} {
		job.Verdicts = job.Verdicts.With(x)
	}
	for lang, want := range map[string][]string{
		"en": {"Verdicts so far", "Supported", "Contradicted", "Unjudged", "It &lt;rains&gt;.", "It snows.", `dir="rtl">تمطر السماء.`},
		"ar": {"الأحكام حتى الآن", "It snows."},
	} {
		p := NewPage(viewtest.ChromeAt(lang, "/"), job)
		require.Len(t, p.Tallies, 3)
		require.Equal(t, "It snows.", p.Judged[0].Text)
		html := viewtest.Html(t, Show(p))
		for _, w := range want {
			require.Contains(t, html, w)
		}
	}
	require.Contains(t, NewPage(viewtest.ChromeAt("en", "/"), job).Judged[0].Badge.Class, "badge-unjudged",
		"no verdict, no colour")
	job.State = domain.JobCancelled
	require.NotContains(t, viewtest.Html(t, Show(NewPage(viewtest.ChromeAt("en", "/"), job))), "so far")
}
