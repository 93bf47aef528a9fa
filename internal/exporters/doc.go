// Package exporters writes one finished ledger as a document: Markdown and JSON files, and the API's JSON (spec page 1
// "Exports"; the mirror of importers). It knows only the ledger.Ledger value and an io.Writer; the same ledger gives
// the same bytes.
package exporters
