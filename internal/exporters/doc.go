// Package exporters writes a finished ledger as Markdown, PDF, JSON, CSV and XLSX files and as the API's JSON (rules
// L-22 and L-23). It depends only on the value and an io.Writer; the same value always produces the same bytes. The
// files of evidence packs are in packs, the reports of a gate in gate, and what ledgers' and packs' share in prose.
package exporters
