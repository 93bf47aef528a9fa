package handlers

import (
	"net/http"
	"sanad/internal/domain/access"
)

// jobEndpoints are those of imports and judgings in the background.
func (s *Server) jobEndpoints() []Endpoint { return append(s.jobPages(), s.jobAPI()...) }

// jobPages are the pages and forms.
func (s *Server) jobPages() []Endpoint {
	return []Endpoint{
		{Method: http.MethodGet, Path: "/jobs", Action: access.ReadLedger, Handle: s.listJobs},
		{Method: http.MethodGet, Path: "/jobs/:id", Action: access.ReadLedger, Handle: s.showJob},
		{Method: http.MethodGet, Path: "/jobs/:id/events", Action: access.ReadLedger, Handle: s.watchJob},
		{Method: http.MethodPost, Path: "/jobs/:id/cancel", Action: access.ImportLedger, Handle: s.cancelJob},
	}
}

// jobAPI are the calls of the API.
func (s *Server) jobAPI() []Endpoint {
	return []Endpoint{
		{
			Method: http.MethodGet, Path: "/api/v1/jobs", Action: access.ReadLedger,
			Doc: &Doc{
				ID: "listJobs", Tag: "jobs", Summary: "List jobs",
				Description: "The newest first. Ended ones are kept for 30 days.",
				Query:       listByState("", jobStatuses), Answers: []Answer{pageOf("jobs", apiJob{})},
			},
			Handle: takesStatus(s.apiListJobs),
		},
		{
			Method: http.MethodGet, Path: "/api/v1/jobs/:id", Action: access.ReadLedger,
			Doc: &Doc{
				ID: "showJob", Tag: "jobs", Summary: "See how far a job is",
				Description: "While it is queued or running, ask again after a second.",
				Answers:     []Answer{{Status: "200", Description: "The job.", Body: apiJob{}}},
			},
			Handle: s.apiShowJob,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/jobs/:id/cancel", Action: access.ImportLedger,
			Doc: &Doc{
				ID: "cancelJob", Tag: "jobs", Summary: "Cancel a job",
				Description: "Nothing of it will be stored. To cancel it again changes nothing.", Reads: noFields,
				BodyOptional: true, Conflicts: true,
				Answers: []Answer{{Status: "200", Description: "The job, cancelled.", Body: apiJob{}}},
			},
			Idempotent: s.apiCancelJob,
		},
	}
}
