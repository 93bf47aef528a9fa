package db

import "sanad/internal/db/jobs"

// What callers know of package jobs by the store's name.
type (
	ClaimedJob = jobs.ClaimedJob
	JobBeat    = jobs.JobBeat
	JobInput   = jobs.JobInput
	JobQuery   = jobs.JobQuery
	PerTenant  = jobs.PerTenant
	jobStore   = jobs.Store
)

// What callers know of package jobs by the store's name.
const (
	MaxOpenJobs = jobs.MaxOpenJobs
)
