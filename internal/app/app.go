// Package app holds the flows that pages, the API, jobs and the command line share: importing a session, judging it
// again, exporting it, building an evidence bundle, rendering a pack, and the worker that does jobs. Each flow joins
// the rules of the domain with the store in one call. It knows nothing of HTTP.
package app

// SmallImport is the largest import, in bytes, that is done while the caller waits. A larger one, or one of more than
// judge.MaxClaims claims, becomes a job.
const SmallImport = 5 << 20
