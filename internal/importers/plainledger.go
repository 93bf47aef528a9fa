package importers

import (
	"cmp"
	"fmt"
	"strings"

	"sanad/internal/strictjson"
	"sanad/internal/words"
)

// plainLedger is a ledger in the form of the founding spec, without what only our exports have (rule F-18). Its claims
// and quotations are read; its verdicts and notes stay those of the file.
type plainLedger struct {
	Entries []plainEntry `json:"entries" limit:"claims" need:"noun_entries"`
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
	for i := range f.Entries {
		e := &f.Entries[i]
		answer = append(answer, strings.TrimSpace(e.Text))
		w := e.claimWire
		w.Start, w.End = nil, nil // of an answer that the file does not have
		file.Claims = append(file.Claims, ownClaim{claimWire: w})
		b.saidOf(i, e)
		if e.Evidence != nil && strings.TrimSpace(e.Evidence.Snippet) != "" {
			addQuotation(&file, places, e.Evidence)
		}
	}
	file.Session.Answer = strings.Join(answer, "\n\n")
	b.warn("sanad", words.Msg("warning_plain_ledger"))
	return b.own(&file)
}

// saidOf keeps what the file says of a claim as its own words.
func (b *builder) saidOf(i int, e *plainEntry) {
	if e.Verdict != "" {
		said := "The file's verdict: " + e.Verdict
		if e.Confidence != nil {
			said += fmt.Sprintf(" (%v)", *e.Confidence)
		}
		b.unknown(at("claims", i, "reason"), jsonOf(said+"."))
	}
	if strings.TrimSpace(e.Notes) != "" {
		b.unknown(at("claims", i, "notes"), jsonOf(e.Notes))
	}
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
