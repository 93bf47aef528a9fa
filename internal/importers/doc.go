// Package importers turns interchange files and uploads into ledger sessions (rules F-2 to F-7); package exporters does
// the reverse.
//
// Read reads one JSON file, FromForm a pasted answer with uploaded documents. Both return a Result whose session is
// complete except for what the store adds (ids, times) and what the judge adds (matches of claims with Given unset,
// the run). Decode is internal/strictjson with faults of the domain, also used for API bodies. Everything here is
// pure and total: any bytes give a Result or a *domain.Error whose Path is the place in the input and whose Msg says
// how to fix it.
package importers
