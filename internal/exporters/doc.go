// Package exporters writes a finished ledger as Markdown, PDF, JSON, CSV and XLSX files and as the API's JSON (rules
// L-22 and L-23), an evidence pack as Markdown, PDF, JSON and the zip that third parties verify (rules P-18 and F-11;
// files pack_*.go), and what a gate found as JUnit and SARIF (gate*.go). It depends only on the value and an io.Writer;
// the same value always produces the same bytes.
package exporters
