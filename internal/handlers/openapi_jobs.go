package handlers

// jobOperations are those of imports and judgings in the background.
var jobOperations = map[string]*operation{
	"GET /api/v1/jobs": {
		id: "listJobs", tag: "jobs", summary: "List jobs", about: "The newest first. Ended ones are kept for 30 days.",
		query: listQuery(choiceOf("status", "", jobStatuses...)), sends: []answers{pageOf("jobs", apiJob{})},
	},
	"GET /api/v1/jobs/:id": {
		id: "showJob", tag: "jobs", summary: "See how far a job is", about: "While it is queued or running, ask again after a second.",
		sends: []answers{{status: "200", words: "The job.", sent: apiJob{}}},
	},
	"POST /api/v1/jobs/:id/cancel": {
		id: "cancelJob", tag: "jobs", summary: "Cancel a job", keyed: true, states: true, read: noFields, bodyless: true,
		about: "Nothing of it will be stored. To cancel it again changes nothing.",
		sends: []answers{{status: "200", words: "The job, cancelled.", sent: apiJob{}}},
	},
}
