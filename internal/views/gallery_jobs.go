package views

// galleryJobs are imports in the background, from waiting to their end.
func galleryJobs(c *Chrome) []Sample {
	job := func(in JobInput) *JobPage {
		in.ID, in.CreatedAt = "j", galleryDay
		if in.Name == "" {
			in.Name, in.Bytes = "vendor-review.json", 7<<20
		}
		if !in.open() {
			in.EndedAt = galleryDay
		}
		return NewJobPage(*c, in)
	}
	way := func(state string, in JobInput) Sample { return Sample{State: state, Body: jobUnderWay(job(in))} }
	end := func(state string, in JobInput) Sample { return Sample{State: state, Body: jobEnd(job(in))} }
	half := JobInput{State: "running", Step: "judging", Done: 1234, Total: 20_000, Attempt: 1}
	return []Sample{
		way("waiting", JobInput{State: "queued"}),
		way("partial", half),
		way("interrupted, going on", JobInput{State: "running", Step: "storing", Done: 20_000, Total: 20_000, Attempt: 3}),
		end("done", JobInput{State: "done", Done: 20_000, Total: 20_000, SessionID: "s", Created: true}),
		end("done, known already", JobInput{State: "done", SessionID: "s"}),
		end("done, with warnings", JobInput{State: "done", SessionID: "s", Created: true, Warnings: []Warning{{"session.colour", "unknown field"}, {"claims[3].quote", rtlText}, {hugeWord, hugeText}}}),
		end("failed", JobInput{State: "failed", FaultKind: "invalid", FaultPath: "claims[3].quote", Fault: "a text was expected"}),
		end("cancelled", JobInput{State: "cancelled"}),
		{State: "list", Body: jobList(c, []JobLine{
			job(half).Job, job(JobInput{State: "done", Name: "تقرير الموارد.json", Bytes: 900, SessionID: "s"}).Job, job(JobInput{State: "failed", Name: hugeWord}).Job,
		})},
	}
}
