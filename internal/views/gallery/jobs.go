package gallery

import (
	"sanad/internal/domain"
	jobsviews "sanad/internal/views/jobs"
	"sanad/internal/views/ui"
	"sanad/internal/words"
)

// galleryJobs are imports in the background, from waiting to their end.
func galleryJobs(c *ui.Chrome) []Sample {
	job := func(in domain.Job) *jobsviews.Page {
		in.ID, in.CreatedAt = "j", galleryDay
		if in.Name == "" {
			in.Name, in.Bytes = "vendor-review.json", 7<<20
		}
		if !in.Open() {
			in.EndedAt = galleryDay
		}
		return jobsviews.NewPage(*c, in)
	}
	way := func(state string, in domain.Job) Sample {
		return Sample{State: state, Body: jobsviews.UnderWay(job(in))}
	}
	end := func(state string, in domain.Job) Sample { return Sample{State: state, Body: jobsviews.Ended(job(in))} }
	half := domain.Job{State: "running", Step: "judging", Done: 1234, Total: 20_000, Attempt: 1}
	return []Sample{
		way("waiting", domain.Job{State: "queued"}),
		way("partial", half),
		way("interrupted, going on",
			domain.Job{State: "running", Step: "storing", Done: 20_000, Total: 20_000, Attempt: 3}),
		end("done", domain.Job{State: "done", Done: 20_000, Total: 20_000, SessionID: "s", Created: true}),
		end("done, known already", domain.Job{State: "done", SessionID: "s"}),
		end("done, with warnings",
			domain.Job{State: "done", SessionID: "s", Created: true,
				Warnings: []domain.Warning{
					domain.Warn("session.colour", words.Msg("warning_field")),
					domain.Warn("claims[3].quote", words.AsWritten(rtlText)), domain.Warn(hugeWord, words.AsWritten(hugeText)),
				}}),
		end("failed", domain.Job{State: "failed", Fault: &domain.JobFault{Kind: "invalid", Path: "claims[3].quote",
			Said: words.Msg("refused_own_wrong")}}),
		end("cancelled", domain.Job{State: "cancelled"}),
		{State: "list", Body: ui.JobList(c, []ui.JobLine{
			job(half).Job, job(domain.Job{State: "done", Name: "تقرير الموارد.json", Bytes: 900, SessionID: "s"}).Job,
			job(domain.Job{State: "failed", Name: hugeWord}).Job,
		})},
	}
}
