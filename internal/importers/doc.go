// Package importers turns interchange files and uploads into ledger sessions (rules F-2 to F-7; the mirror of
// exporters).
//
// Read takes one JSON file, FromForm what a person pasted and uploaded; both give a Result whose session is complete
// but for what the store adds (ids, times) and what the judge adds (matches of claims with Given unset, the run).
// Decode is internal/strictjson with faults of the domain, also for API bodies. Everything here is pure and total: any
// bytes give a Result or a *domain.Error whose Path is the place in the input and whose Msg names the mend.
package importers
