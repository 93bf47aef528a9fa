package gallery

import (
	"sanad/internal/domain"
	"sanad/internal/domain/job"
	jobsviews "sanad/internal/views/jobs"
	"sanad/internal/views/ui"
	"sanad/internal/words"
)

// galleryJobs are imports in the background, from waiting to their end.
func galleryJobs(c *ui.Chrome) []Sample {
	work := func(in job.Job) *jobsviews.Page {
		in.ID, in.CreatedAt = "j", galleryDay
		if in.Name == "" {
			in.Name, in.Bytes = "vendor-review.json", 7<<20
		}
		if !in.Open() {
			in.EndedAt = galleryDay
		}
		return jobsviews.NewPage(*c, in)
	}
	way := func(state string, in job.Job) Sample {
		return Sample{State: state, Body: jobsviews.UnderWay(work(in))}
	}
	end := func(state string, in job.Job) Sample { return Sample{State: state, Body: jobsviews.Ended(work(in))} }
	half := job.Job{State: "running", Step: "judging", Done: 1234, Total: 20_000, Attempt: 1}
	return []Sample{
		way("waiting", job.Job{State: "queued"}),
		way("partial", half),
		way("interrupted, going on",
			job.Job{State: "running", Step: "storing", Done: 20_000, Total: 20_000, Attempt: 3}),
		end("done", job.Job{State: "done", Done: 20_000, Total: 20_000, SessionID: "s", Created: true}),
		end("done, known already", job.Job{State: "done", SessionID: "s"}),
		end("done, with warnings",
			job.Job{State: "done", SessionID: "s", Created: true,
				Warnings: []domain.Warning{
					domain.Warn("session.colour", words.Msg("warning_field")),
					domain.Warn("claims[3].quote", words.AsWritten(rtlText)), domain.Warn(hugeWord, words.AsWritten(hugeText)),
				}}),
		end("failed", job.Job{State: "failed", Fault: &job.Fault{Kind: "invalid", Path: "claims[3].quote",
			Said: words.Msg("refused_own_wrong")}}),
		end("cancelled", job.Job{State: "cancelled"}),
		{State: "list", Body: ui.JobList(c, []ui.JobLine{
			work(half).Job, work(job.Job{State: "done", Name: "تقرير الموارد.json", Bytes: 900, SessionID: "s"}).Job,
			work(job.Job{State: "failed", Name: hugeWord}).Job,
		})},
	}
}
