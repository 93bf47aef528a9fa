// Package exporters writes one finished ledger as a document: Markdown and JSON files, and the API's JSON (spec page 1
// "Exports"; the mirror of importers); and an evidence pack as Markdown, PDF, JSON and the zip that strangers verify (spec
// page 4 "Export of a pack", page 6 "Formats, exactly"; files pack_*.go). It knows only its value and an io.Writer; the
// same value gives the same bytes.
package exporters
