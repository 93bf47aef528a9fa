package gallery

import (
	jobsviews "sanad/internal/views/jobs"
	"sanad/internal/views/ui"
)

// galleryJobs are imports in the background, from waiting to their end.
func galleryJobs(c *ui.Chrome) []Sample {
	job := func(in ui.JobInput) *jobsviews.Page {
		in.ID, in.CreatedAt = "j", galleryDay
		if in.Name == "" {
			in.Name, in.Bytes = "vendor-review.json", 7<<20
		}
		if !in.Open() {
			in.EndedAt = galleryDay
		}
		return jobsviews.NewPage(*c, in)
	}
	way := func(state string, in ui.JobInput) Sample {
		return Sample{State: state, Body: jobsviews.UnderWay(job(in))}
	}
	end := func(state string, in ui.JobInput) Sample { return Sample{State: state, Body: jobsviews.Ended(job(in))} }
	half := ui.JobInput{State: "running", Step: "judging", Done: 1234, Total: 20_000, Attempt: 1}
	return []Sample{
		way("waiting", ui.JobInput{State: "queued"}),
		way("partial", half),
		way("interrupted, going on",
			ui.JobInput{State: "running", Step: "storing", Done: 20_000, Total: 20_000, Attempt: 3}),
		end("done", ui.JobInput{State: "done", Done: 20_000, Total: 20_000, SessionID: "s", Created: true}),
		end("done, known already", ui.JobInput{State: "done", SessionID: "s"}),
		end("done, with warnings",
			ui.JobInput{State: "done", SessionID: "s", Created: true,
				Warnings: []ui.Warning{{Path: "session.colour", Msg: "unknown field"},
					{Path: "claims[3].quote", Msg: rtlText}, {Path: hugeWord, Msg: hugeText}}}),
		end("failed", ui.JobInput{State: "failed", FaultKind: "invalid", FaultPath: "claims[3].quote",
			Fault: "a text was expected"}),
		end("cancelled", ui.JobInput{State: "cancelled"}),
		{State: "list", Body: ui.JobList(c, []ui.JobLine{
			job(half).Job, job(ui.JobInput{State: "done", Name: "تقرير الموارد.json", Bytes: 900, SessionID: "s"}).Job,
			job(ui.JobInput{State: "failed", Name: hugeWord}).Job,
		})},
	}
}
