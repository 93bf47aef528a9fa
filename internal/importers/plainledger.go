package importers

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sanad/internal/domain/ledger"
	"sanad/internal/strictjson"
	"sanad/internal/words"
)

// plainLedger is a ledger in the form of the founding spec, without what only our exports have (rule F-18). Its claims
// and quotations are read; its ids, verdicts, notes, summary and flags stay those of the file.
type plainLedger struct {
	LedgerID  string       `json:"ledger_id" limit:"200"`
	SessionID string       `json:"session_id" limit:"200"`
	MadeAt    string       `json:"generated_at" limit:"100"`
	Summary   plainSummary `json:"summary"`
	Entries   []plainEntry `json:"entries" limit:"claims" need:"noun_entries"`
	Flags     []plainFlag  `json:"risk_flags" limit:"1000"`
}

type plainSummary struct {
	Total    *int     `json:"total_claims"`
	Coverage *float64 `json:"evidence_coverage"`
}

type plainFlag struct {
	Type        string   `json:"type" limit:"100"`
	Severity    string   `json:"severity" limit:"100"`
	Description string   `json:"description" limit:"2000"`
	Affected    []string `json:"affected_claims" limit:"claims"`
}

type plainEntry struct {
	claimWire
	Verdict    string         `json:"verdict" limit:"100"`
	Confidence *float64       `json:"confidence_score"`
	Evidence   *plainEvidence `json:"evidence"`
	Notes      string         `json:"notes" limit:"20000"`
}

type plainEvidence struct {
	Snippet string      `json:"snippet" limit:"20000"`
	Source  plainSource `json:"source"`
}

type plainSource struct {
	DocumentID  string   `json:"document_id" limit:"200"`
	Filename    string   `json:"filename" limit:"500"`
	Page        *int     `json:"page_number"`
	HeadingPath []string `json:"heading_path" limit:"32"`
}

// plain builds a session from such a ledger.
func (b *builder) plain(src string) (*Result, error) {
	var f plainLedger
	if err := decode(src, &f, strictjson.Options{Limits: b.opt.limits(), Ignore: true}); err != nil {
		return nil, err
	}
	if len(f.Entries) == 0 {
		return nil, unsupported("sanad", words.Msg("refused_in_plain"))
	}
	file := sessionFile{Format: SessionFormat}
	places := map[string]int{}
	var answer []string
	var said []ledger.Upstream
	for i := range f.Entries {
		e := &f.Entries[i]
		answer = append(answer, strings.TrimSpace(e.Text))
		w := e.claimWire
		w.Start, w.End = nil, nil // of an answer that the file does not have
		file.Claims = append(file.Claims, ownClaim{claimWire: w})
		said = append(said, e.said())
		if e.Evidence != nil && strings.TrimSpace(e.Evidence.Snippet) != "" {
			addQuotation(&file, places, e.Evidence)
		}
	}
	file.Session.Answer = strings.Join(answer, "\n\n")
	b.warn("sanad", words.Msg("warning_plain_ledger"))
	if n := f.Summary.Total; n != nil && *n != len(f.Entries) {
		b.warn("summary.total_claims", words.Msg("warning_plain_count", "N", *n, "All", len(f.Entries)))
	}
	if err := b.ownParts(&file); err != nil {
		return nil, err
	}
	b.keepSaid("", &ledger.UpstreamWhole{Format: plainLedgerFormat, Scores: f.said()}, said)
	b.s.Format = plainLedgerFormat
	return b.ownResult(), nil
}

// said is what the file says of a claim, in its own words.
func (e *plainEntry) said() ledger.Upstream {
	out := ledger.Upstream{UpstreamVerdict: ledger.UpstreamVerdict{Score: e.Confidence, Reason: clipped(e.Notes, maxReason)}}
	if v := ledger.Verdict(e.Verdict); slices.Contains(ledger.Verdicts, v) {
		out.Verdict = v
	} else {
		out.Label = e.Verdict
	}
	return out
}

// said is what the file says of the whole: its ids, its summary and its flags.
func (f *plainLedger) said() (out []ledger.UpstreamScore) {
	for _, x := range [][2]string{{"ledger_id", f.LedgerID}, {"session_id", f.SessionID}, {"generated_at", f.MadeAt}} {
		if x[1] != "" {
			out = append(out, ledger.UpstreamScore{Name: x[0], Label: x[1]})
		}
	}
	if n := f.Summary.Total; n != nil {
		out = append(out, ledger.UpstreamScore{Name: "total_claims", Value: json.RawMessage(strconv.Itoa(*n))})
	}
	if v := f.Summary.Coverage; v != nil {
		out = append(out, ledger.UpstreamScore{Name: "evidence_coverage",
			Value: json.RawMessage(strconv.FormatFloat(*v, 'g', -1, 64))})
	}
	for _, x := range f.Flags {
		note := strings.Join(x.Affected, ", ")
		out = append(out, ledger.UpstreamScore{Name: "risk_flag " + x.Type, Label: x.Severity,
			Note: clipped(strings.TrimSpace(x.Description+" "+note), maxReason)})
	}
	return out
}

// addQuotation adds a quotation to the document that it names, once.
func addQuotation(f *sessionFile, places map[string]int, e *plainEvidence) {
	key := cmp.Or(e.Source.DocumentID, e.Source.Filename, "source")
	n, known := places[key]
	if !known {
		n, places[key] = len(f.Documents), len(f.Documents)
		f.Documents = append(f.Documents, documentWire{ID: key, Filename: cmp.Or(e.Source.Filename, key)})
	}
	d := &f.Documents[n]
	for _, c := range d.Chunks {
		if c.Text == e.Snippet {
			return
		}
	}
	d.Chunks = append(d.Chunks, chunkWire{
		ID: fmt.Sprintf("q%d", len(d.Chunks)+1), Text: e.Snippet, Page: e.Source.Page, HeadingPath: e.Source.HeadingPath,
	})
}
