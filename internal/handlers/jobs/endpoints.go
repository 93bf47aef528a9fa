package jobs

import (
	"net/http"

	"sanad/internal/domain/access"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/apidoc"
)

// Endpoints returns the endpoints of imports and judgings in the background.
func Endpoints(core *web.Server, stopping <-chan struct{}) []web.Endpoint {
	s := &server{Server: core, stopping: stopping}
	return append(s.pages(), s.api()...)
}

// pages are the pages and forms.
func (s *server) pages() []web.Endpoint {
	return []web.Endpoint{
		{Method: http.MethodGet, Path: "/jobs", Action: access.ReadLedger, Handle: s.listJobs},
		{Method: http.MethodGet, Path: "/jobs/:id", Action: access.ReadLedger, Handle: s.showJob},
		{Method: http.MethodGet, Path: "/jobs/:id/events", Action: access.ReadLedger, Handle: s.watchJob},
		{Method: http.MethodPost, Path: "/jobs/:id/cancel", Action: access.ImportLedger, Handle: s.cancelJob},
	}
}

// api are the calls of the API.
func (s *server) api() []web.Endpoint {
	return []web.Endpoint{
		{
			Method: http.MethodGet, Path: "/api/v1/jobs", Action: access.ReadLedger,
			Doc: &apidoc.Doc{
				ID: "listJobs", Tag: "jobs", Summary: "List jobs",
				Description: "Newest first. Jobs that have ended are listed for 30 days.",
				Query:       apidoc.ListByState("", web.JobStatuses), Answers: []apidoc.Answer{apidoc.PageOf("jobs", web.Job{})},
			},
			Handle: s.apiListJobs,
		},
		{
			Method: http.MethodGet, Path: "/api/v1/jobs/:id", Action: access.ReadLedger,
			Doc: &apidoc.Doc{
				ID: "showJob", Tag: "jobs", Summary: "Show the progress of a job",
				Description: "While it is queued or running, poll once a second. A finished import has its session_id. " +
					"While the endpoint that a judging asks does not answer, warnings says why.",
				Answers: []apidoc.Answer{{Status: "200", Description: "The job.", Body: web.Job{}}},
			},
			Handle: s.apiShowJob,
		},
		{
			Method: http.MethodPost, Path: "/api/v1/jobs/:id/cancel", Action: access.ImportLedger,
			Doc: &apidoc.Doc{
				ID: "cancelJob", Tag: "jobs", Summary: "Cancel a job",
				Description: "Nothing of an import will be stored. A judging leaves the ledger as it is; what an endpoint has " +
					"answered by then is kept, and counts as spent. Cancelling it again changes nothing.", Reads: apidoc.NoFields,
				BodyOptional: true, Conflicts: true,
				Answers: []apidoc.Answer{{Status: "200", Description: "The job, cancelled.", Body: web.Job{}}},
			},
			Idempotent: web.WithoutBody(s.apiCancelJob),
		},
	}
}
