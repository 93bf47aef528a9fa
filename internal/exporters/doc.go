// Package exporters writes one finished ledger as a document: Markdown and JSON files, and the API's JSON (rules L-22 and L-23; the mirror of importers);
// and an evidence pack as Markdown, PDF, JSON and the zip that strangers verify (rules P-18 and F-11; files
// pack_*.go). It knows only its value and an io.Writer; the
// same value gives the same bytes.
package exporters
