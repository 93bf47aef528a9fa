package jobs

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/views/viewtest"
)

// TestAJobSaysWhyNoAnswerComes: while the endpoint that it asks does not answer, and no longer.
func TestAJobSaysWhyNoAnswerComes(t *testing.T) {
	job := domain.Job{ID: "j", Kind: domain.JobJudge, State: domain.JobRunning, Step: domain.JobJudging,
		Warnings: []domain.Warning{{Path: "endpoint", Msg: "The endpoint is too busy (429)."}}}
	line := NewPage(viewtest.ChromeAt("en", "/"), job).Job
	require.Contains(t, line.Warning, "The endpoint is too busy (429). The run stops asking after several failures")
	require.Equal(t, line.Warning, line.Progress().Warning)
	require.Contains(t, NewPage(viewtest.ChromeAt("ar", "/"), job).Job.Warning, "429")
	require.NotContains(t, NewPage(viewtest.ChromeAt("ar", "/"), job).Job.Warning, "busy")
	job.State = domain.JobDone
	require.Empty(t, NewPage(viewtest.ChromeAt("en", "/"), job).Job.Warning)
}
